/** Which attributes of a worklist or study become which fields (DICOM PS3.4 K.6.1.2.2, PS3.3 C.4.10). */
import { fileMessage } from '../../../contract/messages/files.ts';
import { findEntry } from '../../../domain/find-entry.ts';
import { ageAt } from '../../../domain/patient-age.ts';
import { accompanying, joinDateTime } from '../kinds.ts';
import type { Times } from '../kinds.ts';
import { fill, finished, newDraft, put } from '../draft.ts';
import type { Draft, Mapping } from '../draft.ts';
import { mappedTable, statusReader } from '../mapping.ts';
import type { StatusOf } from '../mapping.ts';
import { takeModalityFromWords } from '../procedure-words.ts';
import type { ExamStatus, Position, Reading, ReadOptions } from '../reading.ts';
import { dicomPlaceOf } from './places.ts';
import { skipped, skipReader } from '../skip-rules.ts';
import type { FindSkip } from '../skip-rules.ts';
import { textBefore } from '../../../domain/text-before.ts';

/** A data set of a file or of JSON; tags are eight capital hexadecimal digits. */
export interface DataSet {
  /** The values as text, trimmed; `undefined` where the attribute is not there, empty where it has no value. */
  values(tag: string): readonly string[] | undefined;
  /** The items of a sequence. */
  items(tag: string): readonly DataSet[];
  /** The tags of all attributes, also of those without a value. */
  tags(): ReadonlySet<string>;
}

const timezoneOffset = '00080201';
const scheduledSteps = '00400100';
const stepId = '00400009';

/**
 * Places are written as tags, `>` leading into the first item of a sequence, `+` joining a date and a time. Names are
 * kept as DICOM person names.
 */
export const dicomMappings: readonly Mapping[] = [
  { to: 'accession_number', kind: 'text', from: ['00080050'] },
  { to: 'accession_issuer', kind: 'text', from: ['00080051>00400031', '00080051>00400032'] },
  { to: 'study_uid', kind: 'uid', from: ['0020000D'] },
  { to: 'patient_id', kind: 'text', from: ['00100020'] },
  { to: 'patient_name', kind: 'text', from: ['00100010'] },
  { to: 'modality', kind: 'modality', from: ['00400100>00080060', '00080060', '00080061'] },
  {
    to: 'exam_datetime',
    kind: 'instant',
    from: [
      '00400100>00400002+00400100>00400003',
      '00400100>00404005',
      '00080020+00080030',
      '00400244+00400245',
      '00080021+00080031',
    ],
  },
  {
    to: 'exam_description',
    kind: 'text',
    from: [
      '00321060',
      '00321064>00080104',
      '00400100>00400007',
      '00400100>00400008>00080104',
      '00081030',
      '00081032>00080104',
      '00400254',
      '00181030',
      '0008103E',
      '00321064>00080100',
      '00400100>00400008>00080100',
      '00081032>00080100',
    ],
  },
  { to: 'patient_sex', kind: 'sex', from: ['00100040'] },
  { to: 'patient_birth_date', kind: 'date', from: ['00100030'] },
  { to: 'patient_age', kind: 'age', from: ['00101010'] },
  { to: 'exam_room', kind: 'text', from: ['00400100>00400011', '00400100>00400010', '00400100>00400001'] },
  { to: 'referring_physician', kind: 'text', from: ['00080090', '00321032'] },
  { to: 'hospital_name', kind: 'text', from: ['00080080'] },
  { to: 'location', kind: 'text', from: ['00380300', '00081040'] },
  { to: 'procedure_id', kind: 'text', from: ['00401001'] },
  { to: 'series_count', kind: 'count', from: ['00201206'] },
  { to: 'images_count', kind: 'count', from: ['00201208'] },
  { to: 'metadata.priority', kind: 'priority', from: ['00401003'] },
  { to: 'metadata.indication', kind: 'text', from: ['00401002'] },
  { to: 'metadata.alerts', kind: 'text', from: ['00102000'] },
  { to: 'metadata.allergies', kind: 'text', from: ['00102110'] },
  { to: 'metadata.pregnancy_status', kind: 'text', from: ['001021C0'] },
  { to: 'metadata.patient_id_issuer', kind: 'text', from: ['00100021'] },
  { to: 'metadata.patient_id_system', kind: 'text', from: ['00100024>00400032'] },
  { to: 'metadata.patient_id_type', kind: 'text', from: ['00100024>00400035'] },
  { to: 'metadata.accession_system', kind: 'text', from: ['00080051>00400032'] },
  { to: 'metadata.procedure_code', kind: 'text', from: ['00321064>00080100', '00081032>00080100'] },
  { to: 'metadata.procedure_text', kind: 'text', from: ['00321064>00080104', '00081032>00080104'] },
  { to: 'metadata.procedure_code_system', kind: 'text', from: ['00321064>00080102', '00081032>00080102'] },
  { to: 'metadata.placer_order_number', kind: 'text', from: ['00402016'] },
  { to: 'metadata.placer_order_issuer', kind: 'text', from: ['00400026>00400031', '00400026>00400032'] },
  { to: 'metadata.placer_order_system', kind: 'text', from: ['00400026>00400032'] },
  { to: 'metadata.filler_order_number', kind: 'text', from: ['00402017'] },
  { to: 'metadata.filler_order_issuer', kind: 'text', from: ['00400027>00400031', '00400027>00400032'] },
  { to: 'metadata.filler_order_system', kind: 'text', from: ['00400027>00400032'] },
  { to: 'metadata.admission_id', kind: 'text', from: ['00380010'] },
  { to: 'metadata.scheduled_step_id', kind: 'text', from: ['00400100>00400009'] },
];

/** Attributes of which the first value counts; of the others, all are kept. */
const singular = new Set(['00080050', '0020000D', '00080060', '00100020']);

/** How far the exam is, by the status of the scheduled step (0040,0020) (PS3.3 C.4.10). */
const progress: Readonly<Record<string, ExamStatus | 'cancelled' | 'discontinued'>> = {
  SCHEDULED: 'scheduled',
  ARRIVED: 'arrived',
  READY: 'arrived',
  STARTED: 'in_progress',
  DEPARTED: 'completed',
  // Not of the standard, and met.
  'IN PROGRESS': 'in_progress',
  COMPLETED: 'completed',
  DISCONTINUED: 'discontinued',
  CANCELLED: 'cancelled',
  CANCELED: 'cancelled',
};

/** How data sets are read, a mapping applied. */
export interface DataSetReading {
  readonly table: readonly Mapping[];
  readonly statusOf: StatusOf | undefined;
  readonly findSkip: FindSkip | undefined;
  readonly times: Times;
}

export const dataSetReading = ({ mapping }: Pick<ReadOptions, 'mapping'>, times: Times): DataSetReading => ({
  table: mappedTable(dicomMappings, mapping, dicomPlaceOf),
  statusOf: statusReader(mapping, dicomPlaceOf),
  findSkip: skipReader(mapping, dicomPlaceOf, false),
  times,
});

/** A data set as one item, even where several steps are scheduled: they share an accession number, and one report. */
export function readDataSet(sent: DataSet, position: Position, reading: DataSetReading): Reading {
  const { table, statusOf, findSkip, times } = reading;
  const dataSet = openFirst(sent);
  const passedOver = findSkip?.({ events: [], lookup: (place) => valueAt(dataSet, place) });
  if (passedOver) return skipped(position, passedOver);
  const draft = newDraft();
  const offset = dataSet.values(timezoneOffset)?.[0];
  const own: Times = offset !== undefined && /^[+-]\d{4}$/.test(offset) ? { ...times, offset } : times;
  fill(draft, table, (source) => lookUp(dataSet, source), own, placeName);
  const { patient_birth_date: birth, exam_datetime: exam } = draft.fields;
  const age = typeof birth === 'string' && typeof exam === 'string' ? ageAt(birth, exam) : undefined;
  if (age !== undefined) draft.fields['patient_age'] = age;
  tellSteps(draft, dataSet.items(scheduledSteps));
  takeModalityFromWords(draft);
  const said = statusOf?.((place) => valueAt(dataSet, place));
  const examStatus = said === undefined || said === 'unknown' ? progressOf(dataSet) : said;
  if (examStatus !== undefined && examStatus !== 'cancelled') put(draft, 'exam_status', examStatus);
  const { exam_description: description, modality } = draft.fields;
  // Scheduled steps often have no text at all.
  const isByModality = description === undefined && typeof modality === 'string' && examStatus !== 'cancelled';
  if (isByModality) draft.warnings.push(fileMessage('description_from_modality', { modality }));
  // The service knows orders by the numbers of their placers, among those of the patient.
  const isOrdered = examStatus !== 'cancelled' && typeof draft.metadata['placer_order_number'] === 'string';
  return finished(
    draft,
    position,
    isOrdered
      ? undefined
      : () =>
          fileMessage('read_from_places', {
            accession: '(0008,0050)',
            study: '(0020,000D)',
            example: '{"fields": {"accession_number": ["(0040,1001)"]}}',
          }),
    {
      ...(examStatus === 'cancelled' && { status: examStatus }),
      ...(isByModality && { isDescribedByModality: true }),
    },
  );
}

const statusOfStep = (step: DataSet | undefined): (typeof progress)[string] | undefined =>
  findEntry(progress, step?.values('00400020')?.[0]?.toUpperCase() ?? '');
const progressOf = (dataSet: DataSet) => statusOfStep(dataSet.items(scheduledSteps)[0]);

/** The first step that is not cancelled describes the exam; if all are cancelled, the first. */
function openFirst(dataSet: DataSet): DataSet {
  const steps = dataSet.items(scheduledSteps);
  if (steps.length < 2) return dataSet;
  const isCancelled = (step: DataSet): number => Number(statusOfStep(step) === 'cancelled');
  const sorted = steps.toSorted((one, other) => isCancelled(one) - isCancelled(other));
  return {
    values: (tag) => dataSet.values(tag),
    items: (tag) => (tag === scheduledSteps ? sorted : dataSet.items(tag)),
    tags: () => dataSet.tags(),
  };
}

function tellSteps(draft: Draft, steps: readonly DataSet[]): void {
  if (steps.length < 2) return;
  draft.warnings.push(fileMessage('steps', { count: steps.length }));
  draft.metadata['scheduled_step_id'] = steps.flatMap((step) => step.values(stepId) ?? []).join(', ');
}

/** `00400100>00400002+…` as people write it: `(0040,0100) > (0040,0002) + …`. */
export const placeName = (source: string): string =>
  source.replace(/[0-9A-F]{8}/g, (tag) => `(${tag.slice(0, 4)},${tag.slice(4)})`).replace(/[>+]/g, ' $& ');

/** The value at a place of the table. */
export function lookUp(dataSet: DataSet, source: string): string | undefined {
  const date = textBefore(source, '+');
  const time = date === source ? undefined : source.slice(date.length + 1);
  const dateValue = valueAt(dataSet, date);
  return time === undefined || dateValue === undefined ? dateValue : joinDateTime(dateValue, valueAt(dataSet, time));
}

/** The value at a path of tags; several values are joined by commas. */
function valueAt(dataSet: DataSet, path: string): string | undefined {
  const tag = path.slice(path.lastIndexOf('>') + 1);
  let inner: DataSet | undefined = dataSet;
  for (const sequence of path.split('>').slice(0, -1)) inner = inner?.items(sequence)[0];
  const values = inner?.values(tag)?.filter((value) => value !== '');
  if (values === undefined || values.length === 0) return undefined;
  // A study may name several modalities: the one of its images counts.
  if (tag === '00080061') return values.find((value) => !accompanying.has(value)) ?? values[0];
  return singular.has(tag) ? values[0] : values.join(', ');
}
