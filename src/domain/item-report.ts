/** The progress of an exam's report, as the list shows it. */
import type { ItemReport, WorklistItem } from '../contract/worklist.ts';

/** Fields that a report mentions or carries. A change of others, such as the number of images, is no correction. */
export const reportedFields: readonly (keyof WorklistItem)[] = [
  'patient_id',
  'patient_name',
  'patient_birth_date',
  'patient_sex',
  'patient_age',
  'accession_number',
  'study_uid',
  'modality',
  'exam_datetime',
  'exam_description',
  'referring_physician',
  'hospital_name',
  'procedure_id',
];

type ReportFields = Pick<WorklistItem, 'status' | 'record_id' | 'updated_at' | 'report' | 'corrected_at'>;

/** Whether somebody has begun the report: a correction by the RIS then matters to them. */
export const isReportBegun = ({ status, record_id }: Pick<ReportFields, 'status' | 'record_id'>): boolean =>
  record_id !== null || status === 'in_progress';

/** The report of the exam. If the exam was stored before the field existed, its status says how far the report is. */
export function readReport({ record_id, status, updated_at, report }: ReportFields): ItemReport | undefined {
  if (record_id === null || report) return report;
  return { status: status === 'completed' ? 'final' : 'draft', at: updated_at };
}

/** Whether the RIS changed the exam after the report began, and no signature has acknowledged the change since. */
export function isCorrected(item: ReportFields): boolean {
  const { corrected_at: corrected } = item;
  if (corrected === undefined || item.status === 'cancelled' || !isReportBegun(item)) return false;
  const report = readReport(item);
  return report?.status !== 'final' || Date.parse(report.at) < Date.parse(corrected);
}
