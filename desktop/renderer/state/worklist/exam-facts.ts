/** The head of an exam: who the patient is, and the facts that matter to the person who reads the images. */
import { displayName } from '../../../../src/domain/person-name.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { examTime } from '../../i18n/format.ts';
import { shownLanguage, t } from '../../i18n/index.ts';

const ageUnits = { Y: 'exam.years', M: 'exam.months', W: 'exam.weeks', D: 'exam.days' } as const;

/** An age of DICOM (`054Y`, VR AS, PS3.5 6.2) in words; any other text unchanged. */
export function ageText(age: string): string {
  const [, count, unit] = /^0*(\d{1,3})([YMWD])$/.exec(age.trim()) ?? [];
  return count === undefined || unit === undefined
    ? age
    : t(ageUnits[unit as keyof typeof ageUnits], { n: Number(count) });
}

const sexes = { M: 'exam.sex_m', F: 'exam.sex_f', O: 'exam.sex_o' } as const;

/** `Paciente Teste, 54 anos, masculino`. */
export function patientText({ display_name, patient_age, patient_sex }: WorklistItem): string {
  const age = patient_age ? ageText(patient_age) : null;
  const sex = patient_sex && patient_sex !== 'U' ? t(sexes[patient_sex]) : null;
  return [display_name, age, sex].filter((part) => part !== null).join(', ');
}

/** With all digits of the year: patients were born in two centuries. */
export const bornText = (date: string): string =>
  new Intl.DateTimeFormat(shownLanguage(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  );

export interface Fact {
  readonly label: string;
  readonly value: string;
}

const imagesText = ({ series_count: series, images_count: images }: WorklistItem): string | null => {
  if (images == null) return series == null ? null : String(series);
  return series == null ? images.toLocaleString(shownLanguage()) : t('exam.series_and_images', { n: series, images });
};

/** The known facts, in the order in which a reader looks for them. */
export function factsOf(item: WorklistItem, now: number): Fact[] {
  const place = [item.hospital_name, item.location].filter((part) => part != null && part !== '').join(', ');
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [t('exam.accession'), item.accession_number],
    [t('exam.when'), examTime(item.exam_datetime, now)],
    [t('exam.hospital'), place],
    [t('exam.room'), item.exam_room],
    [t('exam.referring'), item.referring_physician && displayName(item.referring_physician)],
    [t('exam.images'), imagesText(item)],
    [t('exam.patient_id'), item.patient_id],
    [t('exam.born'), item.patient_birth_date && bornText(item.patient_birth_date)],
  ];
  return facts.flatMap(([label, value]) => (value == null || value === '' ? [] : [{ label, value }]));
}

/** Keys under which sources send the reason for the exam. */
const noteKeys = ['clinical_info', 'clinical_information', 'clinical_history', 'indication', 'notes', 'comments'];

/** Notes of the source about the patient, for the person who reads the images. */
export const notesOf = ({ metadata }: WorklistItem): string[] =>
  noteKeys.flatMap((key) => {
    const note = metadata?.[key];
    return typeof note === 'string' && note.trim() !== '' ? [note.trim()] : [];
  });
