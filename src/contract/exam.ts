/** The fields of an exam (specification 2.1), in sent and in stored worklist items. */
import { modalityCodes, modalityMessage } from './modalities.ts';
import { identifier, integer, line, meanings, nullable, oneOf, string } from './schema.ts';
import { Metadata, MetadataInput } from './shared.ts';

const accessionNumber = identifier({
  minLength: 1,
  maxLength: 64,
  description:
    'Accession number: the identifier that the RIS gives the exam. An item with the accession number of a stored one updates it.',
  examples: ['SL-2026-004417'],
});
const studyUid = string({
  minLength: 1,
  maxLength: 64,
  pattern: '^(0|[1-9][0-9]*)(\\.(0|[1-9][0-9]*))*$',
  description:
    'DICOM Study Instance UID (PS3.5 9.1) of the exam. An item with the study UID of a stored one updates it.',
  examples: ['1.2.826.0.1.3680043.8.498.4417'],
  'x-error-message':
    'study_uid must be a DICOM UID: digits and dots, at most 64 characters, no component with a leading zero',
});

/** Characters of `exam_description`. */
export const maxDescription = 1024;

export const coreFields = {
  patient_id: identifier({
    minLength: 1,
    maxLength: 64,
    description: 'Id of the patient in the sending system.',
    examples: ['0045871'],
  }),
  patient_name: line({
    minLength: 1,
    maxLength: 324,
    description:
      'Name of the patient as the sending system writes it, also a DICOM person name (`SILVA^JOAO^^DR`). A test client may only send test patients.',
    examples: ['TESTE^PACIENTE'],
  }),
  modality: string({
    enum: modalityCodes,
    description:
      'Modality: a defined term of DICOM (0008,0060), for example `CR`, `CT` or `MR`. A retired term is taken with a warning.',
    examples: ['CT'],
    'x-error-code': 'INVALID_MODALITY',
    'x-error-message': modalityMessage,
  }),
  exam_datetime: string({
    format: 'iso-datetime',
    maxLength: 40,
    description:
      'When the exam takes or took place: an ISO 8601 date-time. The service keeps its UTC offset; one without gets that of the zone of the server, with a warning.',
    examples: ['2026-03-02T08:30:00-03:00'],
    'x-error-message': 'exam_datetime must be an ISO 8601 date-time, for example 2026-03-02T08:30:00-03:00',
  }),
  exam_description: line({
    minLength: 1,
    maxLength: maxDescription,
    description: 'Description of the procedure.',
    examples: ['TC de tórax sem contraste'],
  }),
};

/** Optional fields; `null` clears them in an update. */
const optionalFields = {
  patient_sex: oneOf(['M', 'F', 'O', 'U'], {
    description: meanings('Sex of the patient.', { M: 'male', F: 'female', O: 'other', U: 'unknown' }),
    examples: ['M'],
  }),
  patient_birth_date: string({
    format: 'date',
    description: 'Date of birth of the patient, an ISO 8601 date.',
    examples: ['1971-06-14'],
    'x-error-message': 'patient_birth_date must be an ISO 8601 date, for example 1971-06-14',
  }),
  patient_age: line({ maxLength: 16, description: 'Age of the patient, in any format.', examples: ['54Y'] }),
  exam_room: line({ maxLength: 128, description: 'Room of the exam.', examples: ['Tomografia 2'] }),
  referring_physician: line({
    maxLength: 324,
    description: 'Name of the physician who requested the exam.',
    examples: ['PRADO^HELENA^^DRA'],
  }),
  hospital_name: line({ maxLength: 256, description: 'Name of the hospital.', examples: ['Hospital São Lucas'] }),
  location: line({
    maxLength: 256,
    description: 'Department or location of the patient.',
    examples: ['Pronto-socorro'],
  }),
  procedure_id: identifier({
    maxLength: 64,
    description: 'Id of the procedure in the sending system.',
    examples: ['PROC-TC-TX'],
  }),
  series_count: integer({ minimum: 0, maximum: 1_000_000, description: 'Number of image series.', examples: [3] }),
  images_count: integer({
    minimum: 0,
    maximum: 100_000_000,
    description: 'Number of images in all series.',
    examples: [412],
  }),
  metadata: Metadata,
};

/** The progress of the exam itself; the state of its report is the item's `status`. */
export const examStatuses = ['scheduled', 'arrived', 'in_progress', 'completed', 'discontinued'] as const;
export const examStatusMeanings: Readonly<Record<(typeof examStatuses)[number], string>> = {
  scheduled: 'it has a time',
  arrived: 'the patient is there',
  in_progress: 'images are taken',
  completed: 'the images are there',
  discontinued: 'it was broken off',
};

/** Optional fields that few exams have: a stored item lacks those that it was never given. `null` clears them. */
const sparseFields = {
  accession_issuer: identifier({
    maxLength: 64,
    description:
      'Who gives the accession number, where several do: the same number of two issuers is two exams. Absent: the issuer that needs no name. It belongs to the `accession_number` beside it, and means nothing without one.',
    examples: ['HSL'],
  }),
  exam_status: oneOf(examStatuses, {
    description: meanings(
      'How far the exam itself is, as the RIS or the modality says. It never changes the `status` of the report.',
      examStatusMeanings,
    ),
    examples: ['completed'],
    'x-error-message': `exam_status must be one of ${examStatuses.join(', ')}`,
  }),
};

/** Metadata in an ingest: it may hold instructions for the ingest, which the service does not store. */
export const metadataWithInstructions: typeof MetadataInput = {
  ...MetadataInput,
  description:
    'Free-form JSON object, at most about 256,000 characters. The service stores and returns it unchanged, except for three instructions: `accept_patient_change: true` gives the exam to another patient if the item names another one; `describe_by_modality: true` describes a new exam without a description by its modality; `keep_absent: true` merges the object into the stored one (RFC 7396) instead of replacing it, its `orders` order by order.',
};

/** The two identifiers of an exam, by which an item is matched with the stored one. */
export const identifiers = { accession_number: accessionNumber, study_uid: studyUid };

/** The five fields without which a new item is refused. */
export const coreFieldNames = Object.keys(coreFields) as (keyof typeof coreFields)[];
/** The fields that `null` clears. */
export const clearableFieldNames = Object.keys(optionalFields) as (keyof typeof optionalFields)[];

/** The sparse fields as a request may send them and an answer shows them. */
export const optionalSparseFields = {
  accession_issuer: nullable(sparseFields.accession_issuer),
  exam_status: nullable(sparseFields.exam_status),
};

/** The optional fields as a request may send them and an answer shows them. */
export const clearableFields = Object.fromEntries(
  Object.entries(optionalFields).map(([name, schema]) => [name, nullable(schema)]),
) as { [K in keyof typeof optionalFields]: ReturnType<typeof nullable<(typeof optionalFields)[K]>> };
