/** The change that events announce for a version of a record. */
import type { RecordVersion } from '../contract/record-version.ts';
import type { MedicalRecord } from '../contract/document.ts';

/** How a version came about. `corrected`: it removes or rewords what a signed one said of a critical communication. */
export type AnnouncedChange = RecordVersion['change'] | 'corrected';

/**
 * In a signed record, added text is an addendum and removed text is a correction; a record that replaces another signed
 * one of the exam is a correction too.
 */
export const announcedVersion = (
  { version, status, replaces }: Pick<MedicalRecord, 'version' | 'status' | 'replaces'>,
  change: AnnouncedChange,
) => ({
  version,
  signed: status === 'final',
  addendum: status === 'final' && (change === 'addendum' || change === 'communicated'),
  correction: status === 'final' && (change === 'corrected' || (change === 'signed' && replaces !== undefined)),
});
