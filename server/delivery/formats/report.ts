/** The status of a document in the code systems of receivers. */
import { addendumKey } from '../../../src/domain/record-state.ts';
import type { Report } from '../../../src/reporting/report-head.ts';

/** HL7 table 0123 (OBR-25), table 0085 (OBX-11), FHIR R4 diagnostic-report-status. */
export const statusCodes = {
  unverified: { result: 'R', observation: 'P', order: 'IP', fhir: 'partial' },
  preliminary: { result: 'P', observation: 'P', order: 'IP', fhir: 'preliminary' },
  final: { result: 'F', observation: 'F', order: 'CM', fhir: 'final' },
  // The whole report is sent again and replaces the previous one.
  appended: { result: 'C', observation: 'C', order: 'CM', fhir: 'appended' },
  // This report replaces that of another document of the same exam.
  corrected: { result: 'C', observation: 'C', order: 'CM', fhir: 'corrected' },
  amended: { result: 'C', observation: 'C', order: 'CM', fhir: 'amended' },
} as const;

export function reportStatus({ record, changed }: Report): keyof typeof statusCodes {
  const { status, sections, replaces } = record;
  if (status === 'draft') return 'unverified';
  if (status === 'preliminary') return 'preliminary';
  if (changed) return changed;
  if (sections.some(({ key }) => key === addendumKey)) return 'appended';
  return replaces ? 'corrected' : 'final';
}
