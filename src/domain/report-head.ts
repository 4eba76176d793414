/** The head and foot of a document on paper and in files, in its language: the patient, the exam, who signed it and when. */
import type { MedicalRecord } from '../contract/document.ts';
import type { Language } from '../contract/shared.ts';
import type { WorklistItem } from '../contract/worklist.ts';
import { displayName } from './person-name.ts';

export interface Signature {
  /** Display name; `null` where no person was involved. */
  readonly who: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface Report {
  readonly record: MedicalRecord;
  /** `null` where the document belongs to no exam, or the exam is gone. */
  readonly item: WorklistItem | null;
  /** `null` while nobody has signed. */
  readonly signature: Signature | null;
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
    signedAt: 'Assinado em',
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
    signedAt: 'Signed on',
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
    signedAt: 'Firmado el',
    unsigned: 'Borrador: aún sin firmar',
    test: 'Datos de prueba: documento simulado',
    version: 'versión',
  },
} as const satisfies Record<Language, Record<string, string>>;

/** `2026-03-02 11:30 UTC`. */
const inUtc = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

/** The lines above the document, without those whose value is unknown. `shown` writes an instant for the reader. */
export function headOf({ record, item, signature }: Report, shown = inUtc): { label: string; value: string }[] {
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
    [word.signer, signature?.who],
    [word.signedAt, signature && shown(signature.at)],
  ];
  return lines.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** Notices that a reader must not overlook. */
export function noticesOf({ record }: Pick<Report, 'record'>): string[] {
  const word = words[record.language];
  return [...(record.test_mode ? [word.test] : []), ...(record.status === 'final' ? [] : [word.unsigned])];
}

/** Id and version of the document, and when it last changed. */
export const footOf = ({ record }: Pick<Report, 'record'>): string =>
  `${record.id}, ${words[record.language].version} ${record.version}, ${record.updated_at}`;
