/** What every export format is made from: the document, its exam and who signed it, with the words around them. */
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { displayName } from '../../src/domain/person-name.ts';
import { addendumKey } from '../../src/domain/record-state.ts';

export interface Report {
  readonly record: MedicalRecord;
  /** `null` where the document belongs to no exam, or the exam is gone. */
  readonly item: WorklistItem | null;
  /** `null` while nobody has signed. */
  readonly signer: string | null;
}

/** How far a document is, for receivers: HL7 table 0123 (OBR-25), table 0085 (OBX-11), FHIR R4 diagnostic-report-status. */
export const statusCodes = {
  unverified: { result: 'R', observation: 'P', order: 'IP', fhir: 'partial' },
  final: { result: 'F', observation: 'F', order: 'CM', fhir: 'final' },
  appended: { result: 'F', observation: 'F', order: 'CM', fhir: 'appended' },
} as const;

export function reportStatus({ status, sections }: MedicalRecord): keyof typeof statusCodes {
  if (status !== 'final') return 'unverified';
  return sections.some(({ key }) => key === addendumKey) ? 'appended' : 'final';
}

const words = {
  'pt-BR': {
    patient: 'Paciente',
    patientId: 'Prontuário',
    birthDate: 'Nascimento',
    sex: 'Sexo',
    exam: 'Exame',
    examDate: 'Data do exame',
    accession: 'Número de acesso',
    referring: 'Solicitante',
    hospital: 'Instituição',
    signer: 'Assinado por',
    unsigned: 'Rascunho: ainda não assinado',
    test: 'Dados de teste: documento simulado',
    version: 'versão',
  },
  'en-US': {
    patient: 'Patient',
    patientId: 'Patient ID',
    birthDate: 'Date of birth',
    sex: 'Sex',
    exam: 'Exam',
    examDate: 'Exam date',
    accession: 'Accession number',
    referring: 'Referring physician',
    hospital: 'Institution',
    signer: 'Signed by',
    unsigned: 'Draft: not signed yet',
    test: 'Test data: simulated document',
    version: 'version',
  },
  'es-ES': {
    patient: 'Paciente',
    patientId: 'Historia clínica',
    birthDate: 'Fecha de nacimiento',
    sex: 'Sexo',
    exam: 'Estudio',
    examDate: 'Fecha del estudio',
    accession: 'Número de acceso',
    referring: 'Médico solicitante',
    hospital: 'Centro',
    signer: 'Firmado por',
    unsigned: 'Borrador: aún sin firmar',
    test: 'Datos de prueba: documento simulado',
    version: 'versión',
  },
} as const satisfies Record<Language, Record<string, string>>;

/** The lines above the document, in its language; what is unknown is left out. */
export function headOf({ record, item, signer }: Report): { label: string; value: string }[] {
  const word = words[record.language];
  const lines: [string, string | null | undefined][] = [
    [word.patient, item?.display_name],
    [word.patientId, item?.patient_id],
    [word.birthDate, item?.patient_birth_date],
    [word.sex, item?.patient_sex],
    [word.exam, item && `${item.exam_description} (${item.modality})`],
    [word.examDate, item?.exam_datetime.replace('T', ' ')],
    [word.accession, item?.accession_number],
    [word.referring, item?.referring_physician && displayName(item.referring_physician)],
    [word.hospital, item?.hospital_name],
    [word.signer, signer],
  ];
  return lines.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** What a reader must not overlook. */
export function noticesOf({ record }: Report): string[] {
  const word = words[record.language];
  return [...(record.test_mode ? [word.test] : []), ...(record.status === 'final' ? [] : [word.unsigned])];
}

/** Which document this is, and which state of it. */
export const footOf = ({ record }: Report): string =>
  `${record.id}, ${words[record.language].version} ${record.version}, ${record.updated_at}`;
