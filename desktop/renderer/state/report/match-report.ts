import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Dictation } from '../../../bridge/dictation.ts';

/**
 * Whether the report contains the words of the dictation. The report may arrive before the event that its dictation is
 * done, and before the app knows which job makes the report: until then only a report that is newer than the dictation
 * can be its own.
 */
export function isMadeFrom(
  { state, job_id, record_id, created_at }: Pick<Dictation, 'state' | 'job_id' | 'record_id' | 'created_at'>,
  report: Pick<MedicalRecord, 'id' | 'job_id' | 'created_at'>,
): boolean {
  if (record_id !== null) return report.id === record_id;
  if (report.job_id === null) return false;
  if (job_id !== null) return report.job_id === job_id;
  return state === 'sending' && Date.parse(report.created_at) >= Date.parse(created_at);
}
