/**
 * Typing a report instead of dictating it, and adding to a signed report: requested in the exam's pane, done in the
 * report's pane.
 */
import { signal } from '@preact/signals';
import { go } from '../route.ts';

/** The exam whose report is being typed. */
export const writtenItem = signal<string | null>(null);
/** The exam whose report receives an addendum. */
export const amendedItem = signal<string | null>(null);

export function startWriting(itemId: string): void {
  writtenItem.value = itemId;
  go({ pane: 'document' });
}

export function startAddendum(itemId: string): void {
  amendedItem.value = itemId;
  go({ pane: 'document' });
}

/** Closes both fields for the next person: the previous person's keys must not reach a field of the next one. */
export function stopWriting(): void {
  writtenItem.value = null;
  amendedItem.value = null;
}
