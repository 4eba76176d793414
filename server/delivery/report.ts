/** The status of a document in the codes of its receivers. */
import type { MedicalRecord } from '../../src/contract/document.ts';
import { addendumKey } from '../../src/domain/record-state.ts';

/** HL7 table 0123 (OBR-25), table 0085 (OBX-11), FHIR R4 diagnostic-report-status. */
export const statusCodes = {
  unverified: { result: 'R', observation: 'P', order: 'IP', fhir: 'partial' },
  preliminary: { result: 'P', observation: 'P', order: 'IP', fhir: 'preliminary' },
  final: { result: 'F', observation: 'F', order: 'CM', fhir: 'final' },
  // The whole report is sent again and replaces the former report.
  appended: { result: 'C', observation: 'C', order: 'CM', fhir: 'appended' },
} as const;

export function reportStatus({ status, sections }: MedicalRecord): keyof typeof statusCodes {
  if (status === 'draft') return 'unverified';
  if (status === 'preliminary') return 'preliminary';
  return sections.some(({ key }) => key === addendumKey) ? 'appended' : 'final';
}
