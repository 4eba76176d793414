/** The open report, for the rest of the page and for print. */
import { signal } from '@preact/signals';
import type { OpenReport } from './document.ts';

export interface OpenedReport {
  readonly itemId: string;
  readonly document: OpenReport;
}

export const openedReport = signal<OpenedReport | null>(null);

let closing: Promise<unknown> = Promise.resolve();
/** Closes a report, whose unsaved words are sent. */
export const closeReport = ({ document }: OpenedReport): void => {
  closing = Promise.allSettled([closing, document.close()]);
};
/** Resolves once the app has the words of the reports that were closed, or has refused them. */
export const whenClosed = (): Promise<unknown> => closing;

/** Announces the report to the rest of the page until the returned function is called. */
export function announceReport(opened: OpenedReport): () => void {
  openedReport.value = opened;
  return () => {
    if (openedReport.peek() === opened) openedReport.value = null;
  };
}
