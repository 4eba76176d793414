/** What is known of the report of the exam that is open here. */
import { computed } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { isSigned } from './document-state.ts';
import { openedReport } from './opened-report.ts';
import { isSignatureWaiting } from './standing.ts';

/** The exam that is open here, if one of its reports is such a report. */
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
export const takeSignatureBack = async (): Promise<void> => openedReport.peek()?.document.takeBack();
