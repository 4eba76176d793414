/** The status of the open exam's report, as far as the page knows it. */
import { computed } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { isSigned } from './document-state.ts';
import { openedReport } from './opened-report.ts';
import { getPendingKind, isSignatureWaiting } from './report-rights.ts';

/** The open exam, if one of its reports matches. */
const openWith = (is: (report: MedicalRecord) => boolean) =>
  computed(() => {
    const opened = openedReport.value;
    return opened?.document.all.value.some(is) === true ? opened.itemId : null;
  });
const reportedItem = openWith(() => true);
const signedItem = openWith(isSigned);
const unsignedItem = openWith(isSignatureWaiting);
const preliminaryItem = openWith(
  (report) => report.status === 'preliminary' && report.signing === undefined && !isSignatureWaiting(report),
);
const preliminarySigningItem = openWith(
  (report) => report.signing !== undefined && getPendingKind(report) === 'preliminary',
);
const signingItem = openWith(({ status, signing }) => signing !== undefined && status !== 'final');
/** Whether the exam has a report, if it is open here. */
export const hasReport = (itemId: string): boolean => reportedItem.value === itemId;
/** Whether the exam has a signed report, if it is open here. */
export const hasSignedReport = (itemId: string): boolean => signedItem.value === itemId;
/** Whether the person signed the report of the exam and the service does not have the signature yet. */
export const hasWaitingSignature = (itemId: string): boolean => unsignedItem.value === itemId;
/** Whether the exam has a report that waits for an attending, if it is open here. */
export const hasPreliminaryReport = (itemId: string): boolean => preliminaryItem.value === itemId;
/** Whether the exam has a report whose signature can still be undone, if it is open here. */
export const isSigningReport = (itemId: string): boolean => signingItem.value === itemId || hasWaitingSignature(itemId);

/** Whether this person's signature in its grace period makes the report of the exam preliminary. */
export const isSigningPreliminary = (itemId: string): boolean => preliminarySigningItem.value === itemId;

/** Undoes the signature of the open report, as long as the report is not final. */
export const takeSignatureBack = async (): Promise<void> => openedReport.peek()?.document.takeBack();
