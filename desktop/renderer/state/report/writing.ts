/**
 * Writing a report instead of dictating it, and adding to a signed report: requested in the exam's pane, done in the
 * report's pane.
 */
import { computed, signal } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { openedDocument } from './opened-document.ts';
import { isSigned } from './document-state.ts';
import { isSignatureWaiting } from './standing.ts';
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

/** The exam that is open here, if one of its reports is such a report. */
const openWith = (is: (report: MedicalRecord) => boolean) =>
  computed(() => {
    const opened = openedDocument.value;
    return opened?.document.all.value.some(is) === true ? opened.itemId : null;
  });
const reportedItem = openWith(() => true);
const signedItem = openWith(isSigned);
const unsignedItem = openWith(isSignatureWaiting);
const preliminaryItem = openWith(
  (report) => report.status === 'preliminary' && report.signing === undefined && !isSignatureWaiting(report),
);
const signingItem = openWith(({ signing }) => signing !== undefined);
/** Whether the exam has a report, as far as it is open here. */
export const hasReport = (itemId: string): boolean => reportedItem.value === itemId;
/** Whether the exam has a signed report, as far as it is open here. */
export const hasSignedReport = (itemId: string): boolean => signedItem.value === itemId;
/** Whether the person has signed the report of the exam, and the service does not have that yet. */
export const hasWaitingSignature = (itemId: string): boolean => unsignedItem.value === itemId;
/** Whether the exam has a report that waits for an attending, as far as it is open here. */
export const hasPreliminaryReport = (itemId: string): boolean => preliminaryItem.value === itemId;
/** Whether the exam has a report whose signature can still be taken back, as far as it is open here. */
export const isSigningReport = (itemId: string): boolean => signingItem.value === itemId || hasWaitingSignature(itemId);

/** Takes the signature of the open report back, as long as the report is not final. */
export const takeSignatureBack = async (): Promise<void> => openedDocument.peek()?.document.takeBack();
