/** What events say of a version of a document, beside which it is. */
import type { RecordVersion } from '../contract/record-version.ts';
import type { MedicalRecord } from '../contract/document.ts';

/** How a version came about; `corrected`: what a signed one said of who was told is gone, or said otherwise. */
export type Told = RecordVersion['change'] | 'corrected';

/**
 * Of a signed document, what says more is an addendum, and what takes back a correction; so is a document that takes the place of
 * another signed one of the exam.
 */
export const announcedVersion = (
  { version, status, replaces }: Pick<MedicalRecord, 'version' | 'status' | 'replaces'>,
  told: Told,
) => ({
  version,
  signed: status === 'final',
  addendum: status === 'final' && (told === 'addendum' || told === 'communicated'),
  correction: status === 'final' && (told === 'corrected' || (told === 'signed' && replaces !== undefined)),
});
