/** The report that is open: what stands beside it, and what is printed, follow it. */
import { signal } from '@preact/signals';
import type { OpenDocument } from './document.ts';

export interface OpenedDocument {
  readonly itemId: string;
  readonly document: OpenDocument;
}

export const openedDocument = signal<OpenedDocument | null>(null);

/** Shows it to the rest of the page until the function returned is called. */
export function announceDocument(opened: OpenedDocument): () => void {
  openedDocument.value = opened;
  return () => {
    if (openedDocument.peek() === opened) openedDocument.value = null;
  };
}
