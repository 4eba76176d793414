/** The open report, for the rest of the page and for print. */
import { signal } from '@preact/signals';
import type { OpenReport } from './document.ts';

export interface OpenedReport {
  readonly itemId: string;
  readonly document: OpenReport;
}

export const openedReport = signal<OpenedReport | null>(null);

/** Announces the report to the rest of the page until the returned function is called. */
export function announceReport(opened: OpenedReport): () => void {
  openedReport.value = opened;
  return () => {
    if (openedReport.peek() === opened) openedReport.value = null;
  };
}
