/**
 * The text around a report on paper and in files, in its language: the institution, the patient, the exam, the
 * signature.
 */
import type { UserRole } from '../contract/admin.ts';
import type { MedicalRecord, Section } from '../contract/document.ts';
import type { Language } from '../contract/shared.ts';
import type { SectionCode } from '../contract/template.ts';
import type { WorklistItem } from '../contract/worklist.ts';
import { communicationSections } from './critical.ts';
import { formatDay, formatInstant, formatTime } from '../domain/local-dates.ts';
import type { ExamResources } from '../domain/fhir-references.ts';
import { displayName } from '../domain/person-name.ts';
import { fold } from '../domain/fold.ts';
import type { PlacedMeasurement } from './versions/measurements.ts';

export interface Signature {
  /** Display name; `null` where no person was involved. */
  readonly who: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The signer's role, licence number and place at the time of signing. */
  readonly role?: UserRole;
  readonly licence?: string;
  readonly place?: string;
}

export interface Report {
  readonly record: MedicalRecord;
  /** `null` if the record belongs to no exam, or the exam is gone. */
  readonly item: WorklistItem | null;
  /** `null` until a final signature. */
  readonly signature: Signature | null;
  /** The signature of the resident who signed before, or whose signature waits for an attending. Default: none. */
  readonly preliminary?: Signature | null;
  /** The signatures of the addenda, which are the last sections, in their order. Default: unknown. */
  readonly addenda?: readonly Signature[];
  /**
   * How a final record differs from the signed text: it has additions (addenda, a communicated critical result), or the
   * record of a communication was removed. Default: `appended` if it has addenda, otherwise no difference.
   */
  readonly changed?: 'appended' | 'amended';
  /** The institution: its name, and the lines below it (address, phone). Default: the exam's hospital name. */
  readonly letterhead?: readonly string[];
  /** Measurements of a viewer that its text has. */
  readonly measurements?: readonly PlacedMeasurement[];
  /** The versions and documents that its version replaces, with their measurements. Default: unknown. */
  readonly replaced?: readonly Pick<Report, 'record' | 'measurements'>[];
  /** Codes of sections, by key, from the template of the record. Default: those of our kinds alone. */
  readonly codes?: Readonly<Record<string, SectionCode>>;
  /** The receiver's ids of the patient and the orders. Default: the document holds all of them. */
  readonly known?: ExamResources;
  /** IANA name of the time zone of the dates. Default: that of this computer. */
  readonly timeZone?: string;
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
    preliminary: 'Laudo preliminar de',
    preliminaryAt: 'Preliminar em',
    resident: 'residente',
    attending: 'preceptor(a)',
    signer: 'Assinado por',
    signedAt: 'Assinado em',
    unsigned: 'Rascunho: ainda não assinado',
    uncosigned: 'Laudo preliminar: ainda não revisado e assinado por preceptor(a)',
    changedSince: 'alterado desde a assinatura preliminar',
    corrects: 'Laudo retificado: substitui o laudo anterior deste exame',
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
    preliminary: 'Preliminary report by',
    preliminaryAt: 'Preliminary on',
    resident: 'resident',
    attending: 'attending',
    signer: 'Signed by',
    signedAt: 'Signed on',
    unsigned: 'Draft: not signed yet',
    uncosigned: 'Preliminary report: not reviewed and signed by an attending yet',
    changedSince: 'changed since the preliminary signature',
    corrects: 'Corrected report: it replaces the prior report of this exam',
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
    preliminary: 'Informe preliminar de',
    preliminaryAt: 'Preliminar el',
    resident: 'residente',
    attending: 'supervisor(a)',
    signer: 'Firmado por',
    signedAt: 'Firmado el',
    unsigned: 'Borrador: aún sin firmar',
    uncosigned: 'Informe preliminar: aún no revisado ni firmado por supervisor(a)',
    changedSince: 'modificado desde la firma preliminar',
    corrects: 'Informe corregido: sustituye al informe anterior de este estudio',
    test: 'Datos de prueba: documento simulado',
    version: 'versión',
  },
} as const satisfies Record<Language, Record<string, string>>;

export interface Line {
  readonly label: string;
  readonly value: string;
}

const known = (lines: readonly (readonly [string, string | null | undefined])[]): Line[] =>
  lines.flatMap(([label, value]) => (value ? [{ label, value }] : []));

/** The letterhead: its name, and the lines below it. Empty if unknown. */
export function buildLetterhead({ item, letterhead }: Pick<Report, 'item' | 'letterhead'>): readonly string[] {
  return letterhead ?? (item?.hospital_name ? [item.hospital_name] : []);
}

/**
 * The letterhead of the institution that the exam names, as its name and the lines below it. A single letterhead also
 * applies to exams that name none.
 */
export function letterheadFor(
  item: Pick<WorklistItem, 'hospital_name'> | null,
  letterheads: readonly (readonly string[])[],
): readonly string[] | undefined {
  const name = item?.hospital_name;
  if (!name) return letterheads.length === 1 ? letterheads[0] : undefined;
  return letterheads.find(([known]) => known !== undefined && fold(known) === fold(name));
}

/** The lines above the document, without those whose value is unknown. */
export function buildHead({ record: { language }, item, timeZone }: Report): Line[] {
  const word = words[language];
  return known([
    [word.patient, item?.display_name],
    [word.patientId, item?.patient_id],
    [word.birthDate, item?.patient_birth_date && formatDay(item.patient_birth_date, language)],
    [word.sex, item?.patient_sex],
    [word.exam, item && `${item.exam_description} (${item.modality})`],
    [word.examDate, item && formatTime(item.exam_datetime, language, timeZone)],
    [word.accession, item?.accession_number],
    [word.referring, item?.referring_physician && displayName(item.referring_physician)],
  ]);
}

/** A part with its signature: the report, or an addendum to it. */
export interface SignedPart {
  readonly sections: readonly Section[];
  /** Who signed it, under which licence, where and when. Empty if nobody has, or it is unknown. */
  readonly signature: readonly Line[];
}

/**
 * The report, and each of its addenda, as each was signed; then the communications of its critical results, by whom and
 * when.
 */
export function signedParts({
  record,
  signature,
  preliminary,
  addenda = [],
  timeZone,
}: Omit<Report, 'item'>): SignedPart[] {
  const { sections, language } = record;
  const first = signature ? sections.length - addenda.length : sections.length;
  const lines = (of: Signature | null | undefined, as: 'preliminary' | 'final' = 'final'): Line[] =>
    of ? signatureLines(of, as, language, timeZone) : [];
  const communicated = communicationSections(record, timeZone);
  return [
    { sections: sections.slice(0, first), signature: [...lines(preliminary, 'preliminary'), ...lines(signature)] },
    ...sections.slice(first).map((section, at) => ({ sections: [section], signature: lines(addenda[at]) })),
    ...(communicated.length > 0 ? [{ sections: communicated, signature: [] }] : []),
  ];
}

function signatureLines(
  { who, role, licence, at, place }: Signature,
  as: 'preliminary' | 'final',
  language: Language,
  timeZone?: string,
): Line[] {
  const word = words[language];
  const [by, on] = as === 'final' ? [word.signer, word.signedAt] : [word.preliminary, word.preliminaryAt];
  const listed = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(', ');
  return known([
    [by, listed(who, role && word[role], licence)],
    [on, listed(place, formatInstant(at, language, timeZone))],
  ]);
}

/** Notices that a reader must not overlook. */
export function buildNotices({ record }: Pick<Report, 'record'>): string[] {
  const word = words[record.language];
  const { status, version, preliminary, replaces } = record;
  const isChanged = preliminary !== undefined && version > preliminary.version;
  const unsigned = {
    draft: [word.unsigned],
    preliminary: [isChanged ? `${word.uncosigned}; ${word.changedSince}` : word.uncosigned],
    final: replaces ? [`${word.corrects} (${documentName(replaces.record_id, replaces.version, record)})`] : [],
  };
  return [...(record.test_mode ? [word.test] : []), ...unsigned[status]];
}

/** Id and version of the record, and the time of its last change. */
export const buildFoot = ({ record, timeZone }: Pick<Report, 'record' | 'timeZone'>): string =>
  `${documentName(record.id, record.version, record)}, ${formatInstant(record.updated_at, record.language, timeZone)}`;

/** The form of the id in the foot of each document. */
const documentName = (id: string, version: number, { language }: Pick<MedicalRecord, 'language'>): string =>
  `${id}, ${words[language].version} ${version}`;
