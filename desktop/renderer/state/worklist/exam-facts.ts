/** The header of an exam: the patient, and the facts that matter for reading the images. */
import { ageAt } from '../../../../src/domain/patient-age.ts';
import { displayName } from '../../../../src/domain/person-name.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { examTime } from '../../i18n/format.ts';
import { shownLanguage, t } from '../../i18n/index.ts';

const ageUnits = { Y: 'exam.years', M: 'exam.months', W: 'exam.weeks', D: 'exam.days' } as const;

/** A DICOM age (`054Y`, VR AS, PS3.5 6.2) in words; any other text unchanged. */
export function ageText(age: string): string {
  const [, count, unit] = /^0*(\d{1,3})([YMWD])$/.exec(age.trim()) ?? [];
  return count === undefined || unit === undefined
    ? age
    : t(ageUnits[unit as keyof typeof ageUnits], { n: Number(count) });
}

const sexes = { M: 'exam.sex_m', F: 'exam.sex_f', O: 'exam.sex_o' } as const;

/** `Paciente Teste, 54 anos, masculino`; the age at the exam if the source gives only the birth date. */
export function patientText(item: WorklistItem): string {
  const { display_name, patient_sex, patient_birth_date: birth } = item;
  const age = item.patient_age || (birth ? ageAt(birth, item.exam_datetime) : undefined);
  const sex = patient_sex && patient_sex !== 'U' ? t(sexes[patient_sex]) : null;
  return [display_name, age === undefined ? null : ageText(age), sex].filter((part) => part !== null).join(', ');
}

/** With the four-digit year: patients were born in two centuries. A partial date is shown as the source wrote it. */
export function bornText(date: string): string {
  const noon = Date.parse(`${date}T12:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(noon)
    ? new Intl.DateTimeFormat(shownLanguage(), { dateStyle: 'medium', timeZone: 'UTC' }).format(noon)
    : date;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A few facts for quick reading, and the rest. */
export interface Facts {
  readonly shown: readonly Fact[];
  readonly folded: readonly Fact[];
}
const atAGlance = 6;

const imagesText = ({ series_count: series, images_count: images }: WorklistItem): string | null => {
  if (images == null) return series == null ? null : String(series);
  return series == null ? images.toLocaleString(shownLanguage()) : t('exam.series_and_images', { n: series, images });
};

/** The value under the first matching key of the metadata, or of fields unknown to the service. */
function findValue({ metadata }: WorklistItem, keys: readonly string[]): string | null {
  const places = [metadata, metadata?.['extra']] as (Readonly<Record<string, unknown>> | null | undefined)[];
  for (const key of keys)
    for (const place of places) {
      const value = place?.[key];
      if (typeof value === 'boolean') return t(value ? 'exam.yes' : 'exam.no');
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
    }
  return null;
}

/** The known facts, in a reader's usual order. */
export function collectFacts(item: WorklistItem, now: number): Facts {
  const place = [item.hospital_name, item.location].filter((part) => part != null && part !== '').join(', ');
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [t('exam.when'), examTime(item.exam_datetime, now)],
    [t('exam.accession'), item.accession_number],
    [t('exam.patient_id'), item.patient_id],
    [t('exam.alerts'), findValue(item, ['alerts'])],
    [t('exam.allergies'), findValue(item, ['allergies'])],
    [t('exam.contrast'), findValue(item, ['contrast', 'contrast_agent', 'requested_contrast_agent'])],
    [t('exam.hospital'), place],
    [t('exam.referring'), item.referring_physician && displayName(item.referring_physician)],
    [t('exam.born'), item.patient_birth_date && bornText(item.patient_birth_date)],
    [t('exam.pregnancy'), findValue(item, ['pregnancy_status'])],
    [t('exam.room'), item.exam_room],
    [t('exam.images'), imagesText(item)],
    [t('exam.procedure'), item.procedure_id],
  ];
  const known = facts.flatMap(([label, value]) => (value == null || value === '' ? [] : [{ label, value }]));
  return { shown: known.slice(0, atAGlance), folded: known.slice(atAGlance) };
}

/** Keys that sources use for the reason for the exam. */
const noteKeys = ['clinical_info', 'clinical_information', 'clinical_history', 'indication', 'notes', 'comments'];

/** Reasons for the exam as the source gives them, without duplicates. */
export const notesOf = (item: WorklistItem): string[] => [
  ...new Set(noteKeys.flatMap((key) => findValue(item, [key]) ?? [])),
];
