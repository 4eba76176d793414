/**
 * Typing a report instead of dictating it, and adding to a signed report: requested in the exam's pane, done in the
 * report's pane.
 */
import { signal } from '@preact/signals';
import { hasReportHere, tellRequest } from '../report-window.ts';
import { go, isReportWindow } from '../route.ts';

/** The exam whose report is being typed. */
export const writtenItem = signal<string | null>(null);
/** The exam whose report receives an addendum. */
export const amendedItem = signal<string | null>(null);

export function startWriting(itemId: string): void {
  if (passRequest('write', itemId)) return;
  writtenItem.value = itemId;
  go({ pane: 'document' });
}

export function startAddendum(itemId: string): void {
  if (passRequest('amend', itemId)) return;
  amendedItem.value = itemId;
  go({ pane: 'document' });
}

/** `true`: the report's own window does it. */
function passRequest(request: 'write' | 'amend', itemId: string): boolean {
  if (hasReportHere.peek() || isReportWindow.peek()) return false;
  tellRequest({ request, itemId });
  return true;
}

/** Closes both fields for the next person: the previous person's keys must not reach a field of the next one. */
export function stopWriting(): void {
  writtenItem.value = null;
  amendedItem.value = null;
}
