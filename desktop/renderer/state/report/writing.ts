/**
 * Writing a report instead of dictating it, and adding to a signed report: requested in the exam's pane, done in the
 * report's pane.
 */
import { signal } from '@preact/signals';
import { go } from '../route.ts';

/** The exam whose report is being written. */
export const writtenItem = signal<string | null>(null);
/** The exam to whose report somebody wants to add. */
export const amendedItem = signal<string | null>(null);

export function startWriting(itemId: string): void {
  writtenItem.value = itemId;
  go({ pane: 'document' });
}

export function startAddendum(itemId: string): void {
  amendedItem.value = itemId;
  go({ pane: 'document' });
}

/** Closes both fields for the next person: keys of the former person must not end in a field of this one. */
export function stopWriting(): void {
  writtenItem.value = null;
  amendedItem.value = null;
}
