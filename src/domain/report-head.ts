/** What stands around a document on paper and in files, in its language: the institution, the patient, the exam, who signed it. */
import type { MedicalRecord, Section } from '../contract/document.ts';
import type { Language } from '../contract/shared.ts';
import type { SectionCode } from '../contract/template.ts';
import type { WorklistItem } from '../contract/worklist.ts';
import { localDay, localInstant, localTime } from './local-dates.ts';
import { displayName } from './person-name.ts';
import { fold } from './report/fold.ts';

export interface Signature {
  /** Display name; `null` where no person was involved. */
  readonly who: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Of the one who signed, as it was then: the number of the licence to practise, and the place. */
  readonly licence?: string;
  readonly place?: string;
}

export interface Report {
  readonly record: MedicalRecord;
  /** `null` where the document belongs to no exam, or the exam is gone. */
  readonly item: WorklistItem | null;
  /** `null` while nobody has signed. */
  readonly signature: Signature | null;
  /** Who signed each of the addenda, which are the last sections, in their order. Default: none is known. */
  readonly addenda?: readonly Signature[];
  /** Of the institution: its name, and the lines below it (address, phone). Default: the name that the exam tells. */
  readonly letterhead?: readonly string[];
  /** Codes of sections, by key, as the template of the document has them. Default: those of our kinds alone. */
  readonly codes?: Readonly<Record<string, SectionCode>>;
  /** IANA name of the zone whose clock the dates go by. Default: that of this computer. */
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
    signer: 'Firmado por',
    signedAt: 'Firmado el',
    unsigned: 'Borrador: aún sin firmar',
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

/** Whose paper it is: its name, and the lines below it. Empty where nobody says. */
export function letterheadOf({ item, letterhead }: Pick<Report, 'item' | 'letterhead'>): readonly string[] {
  return letterhead ?? (item?.hospital_name ? [item.hospital_name] : []);
}

/**
 * The letterhead of the institution that the exam names, each as its name and the lines below it. The only one there is
 * stands also where the exam names none.
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
export function headOf({ record: { language }, item, timeZone }: Report): Line[] {
  const word = words[language];
  return known([
    [word.patient, item?.display_name],
    [word.patientId, item?.patient_id],
    [word.birthDate, item?.patient_birth_date && localDay(item.patient_birth_date, language)],
    [word.sex, item?.patient_sex],
    [word.exam, item && `${item.exam_description} (${item.modality})`],
    [word.examDate, item && localTime(item.exam_datetime, language, timeZone)],
    [word.accession, item?.accession_number],
    [word.referring, item?.referring_physician && displayName(item.referring_physician)],
  ]);
}

/** What one person signed at one time: the document, or an addendum to it. */
export interface SignedPart {
  readonly sections: readonly Section[];
  /** Who signed it, under which licence, where and when. Empty where nobody has, or nobody knows. */
  readonly signature: readonly Line[];
}

/** The document, and each of its addenda, as each was signed. */
export function signedParts({ record, signature, addenda = [], timeZone }: Omit<Report, 'item'>): SignedPart[] {
  const { sections, language } = record;
  const first = signature ? sections.length - addenda.length : sections.length;
  const lines = (of: Signature | null | undefined): Line[] => (of ? signatureLines(of, language, timeZone) : []);
  return [
    { sections: sections.slice(0, first), signature: lines(signature) },
    ...sections.slice(first).map((section, at) => ({ sections: [section], signature: lines(addenda[at]) })),
  ];
}

function signatureLines({ who, licence, at, place }: Signature, language: Language, timeZone?: string): Line[] {
  const word = words[language];
  const listed = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(', ');
  return known([
    [word.signer, listed(who, licence)],
    [word.signedAt, listed(place, localInstant(at, language, timeZone))],
  ]);
}

/** Notices that a reader must not overlook. */
export function noticesOf({ record }: Pick<Report, 'record'>): string[] {
  const word = words[record.language];
  return [...(record.test_mode ? [word.test] : []), ...(record.status === 'final' ? [] : [word.unsigned])];
}

/** Id and version of the document, and when it last changed. */
export const footOf = ({ record, timeZone }: Pick<Report, 'record' | 'timeZone'>): string =>
  `${record.id}, ${words[record.language].version} ${record.version}, ${localInstant(record.updated_at, record.language, timeZone)}`;
