/** The open report, for the rest of the page and for print. */
import { signal } from '@preact/signals';
import type { OpenDocument } from './document.ts';

export interface OpenedDocument {
  readonly itemId: string;
  readonly document: OpenDocument;
}

export const openedDocument = signal<OpenedDocument | null>(null);

/** Makes the report known to the rest of the page until the returned function is called. */
export function announceDocument(opened: OpenedDocument): () => void {
  openedDocument.value = opened;
  return () => {
    if (openedDocument.peek() === opened) openedDocument.value = null;
  };
}
