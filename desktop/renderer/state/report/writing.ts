/** Reports that are written instead of dictated, and what a signed one can still gain: asked for in the exam, done in the report's pane. */
import { computed, signal } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { openedDocument } from './opened-document.ts';
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

/** For the next person: the former one's keys must not end in a field that is open for this one. */
export function stopWriting(): void {
  writtenItem.value = null;
  amendedItem.value = null;
}

/** The exam that is open here, if one of its reports is such a report. */
const openWith = (is: (report: MedicalRecord) => boolean) =>
  computed(() => {
    const opened = openedDocument.value;
    return opened?.document.all.value.some(is) === true ? opened.itemId : null;
  });
const reportedItem = openWith(() => true);
const signedItem = openWith(({ status }) => status === 'final');
/** Whether the exam has a report, as far as it is open here. */
export const hasReport = (itemId: string): boolean => reportedItem.value === itemId;
/** Whether the exam has a signed report, as far as it is open here. */
export const hasSignedReport = (itemId: string): boolean => signedItem.value === itemId;
