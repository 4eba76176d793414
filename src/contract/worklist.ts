/** Worklists: exams sent by imaging systems, and what became of them (specification 2.1 to 2.5, 4.2). */
import { endpoint, group } from './endpoint.ts';
import { AppError, detailCodes, validationFailed } from './errors.ts';
import type { FieldError } from './errors.ts';
import { modalityCodes } from '../domain/modalities.ts';
import {
  anyOf,
  array,
  freeForm,
  identifier,
  integer,
  line,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { Id, Metadata, MetadataInput, page, paging, period } from './shared.ts';

export const worklistStatuses = ['new', 'in_progress', 'completed', 'cancelled'] as const;
export const WorklistStatus = oneOf(worklistStatuses, { description: 'Where the exam stands.' });
export type WorklistStatus = TypeOf<typeof WorklistStatus>;

/** Largest batch that one request may hold. */
export const maxBatchItems = 1000;
export const maxBatchBytes = 10 * 1024 * 1024;

const accessionNumber = identifier({
  minLength: 1,
  maxLength: 64,
  description: 'Unique exam identifier; one of the two by which items are matched.',
  examples: ['SL-2026-004417'],
});
const studyUid = string({
  minLength: 1,
  maxLength: 64,
  pattern: '^(0|[1-9][0-9]*)(\\.(0|[1-9][0-9]*))*$',
  description: 'DICOM Study Instance UID (PS3.5 9.1); the other one.',
  examples: ['1.2.826.0.1.3680043.8.498.4417'],
  'x-error-message':
    'study_uid must be a DICOM UID: digits and dots, at most 64 characters, no component with a leading zero',
});

const coreFields = {
  patient_id: identifier({ minLength: 1, maxLength: 64, examples: ['0045871'] }),
  patient_name: line({
    minLength: 1,
    maxLength: 324,
    description: 'As the source writes it; a DICOM person name (`SILVA^JOAO^^DR`) is stored as sent.',
    examples: ['TESTE^PACIENTE'],
  }),
  modality: string({
    enum: modalityCodes,
    description: 'DICOM defined term of (0008,0060); retired ones are taken.',
    examples: ['CT'],
    'x-error-code': 'INVALID_MODALITY',
    'x-error-message': 'modality must be a DICOM modality, for example CR for computed radiography, CT or MR',
  }),
  exam_datetime: string({
    format: 'iso-datetime',
    maxLength: 40,
    description: 'ISO 8601 date-time, kept with the offset it came with.',
    examples: ['2026-03-02T08:30:00-03:00'],
    'x-error-message': 'exam_datetime must be an ISO 8601 date-time, for example 2026-03-02T08:30:00-03:00',
  }),
  exam_description: line({ minLength: 1, maxLength: 1024, examples: ['TC de tórax sem contraste'] }),
};

/** Fields that an item may do without; in an update `null` clears them. */
const optionalFields = {
  patient_sex: oneOf(['M', 'F', 'O', 'U'], { examples: ['M'] }),
  patient_birth_date: string({
    format: 'date',
    examples: ['1971-06-14'],
    'x-error-message': 'patient_birth_date must be an ISO 8601 date, for example 1971-06-14',
  }),
  patient_age: line({ maxLength: 16, description: 'Free format.', examples: ['54Y'] }),
  exam_room: line({ maxLength: 128, examples: ['Tomografia 2'] }),
  referring_physician: line({ maxLength: 324, examples: ['PRADO^HELENA^^DRA'] }),
  hospital_name: line({ maxLength: 256, examples: ['Hospital São Lucas'] }),
  location: line({ maxLength: 256, description: 'Department or location.', examples: ['Pronto-socorro'] }),
  procedure_id: identifier({ maxLength: 64, examples: ['PROC-TC-TX'] }),
  series_count: integer({ minimum: 0, maximum: 1_000_000, examples: [3] }),
  images_count: integer({ minimum: 0, maximum: 100_000_000, examples: [412] }),
  metadata: Metadata,
};

/** Metadata as it is sent: it may hold instructions about taking the item, which are not kept. */
const metadataWithInstructions = {
  ...MetadataInput,
  description:
    'Free-form data of at most about 256,000 characters, kept and given back as it came, but for two instructions: `accept_patient_change: true` makes the exam another patient’s where the item names another one, and `keep_absent: true` makes the metadata a merge patch (RFC 7396) of what is stored, where otherwise it takes the place of all.',
};

const identifiers = { accession_number: accessionNumber, study_uid: studyUid };

/** The five fields without which a new item is refused. */
export const coreFieldNames = Object.keys(coreFields) as (keyof typeof coreFields)[];
/** The fields that `null` clears. */
export const clearableFieldNames = Object.keys(optionalFields) as (keyof typeof optionalFields)[];

const clearable = Object.fromEntries(
  Object.entries(optionalFields).map(([name, schema]) => [name, nullable(schema)]),
) as { [K in keyof typeof optionalFields]: ReturnType<typeof nullable<(typeof optionalFields)[K]>> };

/** What a RIS/PACS sends for one exam. Unknown fields are kept under `metadata.extra`. */
export const WorklistItemInput = named(
  'WorklistItemInput',
  object(
    {},
    { ...identifiers, ...coreFields, ...clearable, metadata: nullable(metadataWithInstructions) },
    {
      description:
        'At least one of `accession_number` and `study_uid`. A new item needs the five core fields (patient_id, patient_name, modality, exam_datetime, exam_description); an item that matches a stored one may bring any part of them, and `null` clears an optional field. Fields that are not listed are kept under `metadata.extra`.',
      additionalProperties: true,
    },
  ),
);
export type WorklistItemInput = TypeOf<typeof WorklistItemInput>;

/** One exam as the service keeps it. */
export const WorklistItem = named(
  'WorklistItem',
  object(
    {
      id: Id,
      accession_number: nullable(accessionNumber),
      study_uid: nullable(studyUid),
      ...coreFields,
      display_name: string({ description: 'The patient as a person would write it.', examples: ['Paciente Teste'] }),
      ...clearable,
      status: WorklistStatus,
      reason: nullable(string({ maxLength: 500, description: 'Reason given with the last change of status.' })),
      source_system: nullable(string({ description: 'The `X-Source-System` that sent it.' })),
      record_id: nullable(string({ description: 'The document made for it.' })),
      assigned_to: nullable(string({ description: 'Who took it.' })),
      created_at: timestamp('When it was first ingested.'),
      updated_at: timestamp('When it last changed.'),
      version: integer({ minimum: 1, description: 'Counts changes.' }),
    },
    {},
  ),
);
export type WorklistItem = TypeOf<typeof WorklistItem>;

export const IngestError = named(
  'IngestError',
  object({
    index: integer({ minimum: 0, description: 'Position in the submitted batch.' }),
    accession_number: nullable(string()),
    error: oneOf(detailCodes),
    message: string(),
    field: string({ description: 'Name of the offending field.' }),
  }),
);
export type IngestError = TypeOf<typeof IngestError>;

/** `error.details.refused` of a request without any valid item: an extension beside the `errors` of the specification. */
export const RefusedItems = array(IngestError);

/** 400 VALIDATION_FAILED of a request without any valid item: every problem of every item, and each item once. */
export const nothingTaken = (problems: readonly FieldError[], refused: readonly IngestError[]): AppError => {
  const { code, message, details } = validationFailed(problems);
  return new AppError(code, { message, details: { ...details, refused } });
};

/** What somebody should look at although the item was taken. */
export const ingestWarnings = [
  /** The same patient, whose id, name or birth date is another than was known. */
  'PATIENT_CORRECTED',
  /** The exam is another patient's now, as was asked for. */
  'PATIENT_CHANGED',
  /** The exam was cancelled, and stays so. */
  'EXAM_CANCELLED',
  'MODALITY_RETIRED',
] as const;
export type IngestWarning = (typeof ingestWarnings)[number];

export const IngestOutcome = named(
  'IngestOutcome',
  object(
    { accession_number: nullable(string()), status: oneOf(['inserted', 'updated', 'deduped']) },
    {
      id: Id,
      message: string({ description: 'All warnings in words, or why nothing changed.' }),
      warnings: array(object({ code: oneOf(ingestWarnings), message: string() }), {
        description: 'What somebody should look at although the item was taken.',
      }),
    },
  ),
);
export type IngestOutcome = TypeOf<typeof IngestOutcome>;

export const IngestResult = named(
  'IngestResult',
  object({
    batch_id: string({ examples: ['bat_01JNBK4V9Q0000000000000000'] }),
    processed: integer({ description: 'inserted + updated + deduped + number of errors.' }),
    inserted: integer(),
    updated: integer(),
    deduped: integer(),
    errors: array(IngestError),
    items: array(IngestOutcome),
  }),
);
export type IngestResult = TypeOf<typeof IngestResult>;

export const StatusChange = named(
  'StatusChange',
  object(
    { status: WorklistStatus },
    {
      reason: string({ maxLength: 500, description: 'Why.' }),
      metadata: {
        ...MetadataInput,
        description: '`take_over: true` takes an exam that somebody else holds; at most about 256,000 characters.',
      },
    },
  ),
);

export const StatusChanged = named(
  'StatusChanged',
  object({
    id: Id,
    accession_number: nullable(accessionNumber),
    status: WorklistStatus,
    previous_status: WorklistStatus,
    updated_at: timestamp('When the status changed.'),
    reason: nullable(string()),
  }),
);

export const HistoryEntry = named(
  'HistoryEntry',
  object(
    {
      id: Id,
      at: timestamp('When.'),
      who: nullable(string({ description: 'The person, or the application where no person was involved.' })),
      from: nullable(WorklistStatus),
      to: WorklistStatus,
      reason: nullable(string()),
      source_system: nullable(string()),
    },
    {
      metadata: freeForm({ description: 'The `metadata` that came with the change.' }),
      changes: array(object({ field: string(), before: nullable(string()), after: nullable(string()) }), {
        description: 'What became of the patient. Such an entry is no change of status: `from` and `to` are the same.',
      }),
    },
  ),
);
export type HistoryEntry = TypeOf<typeof HistoryEntry>;

const itemPath = { params: object({ id: Id }) };

const exampleItem = {
  accession_number: 'SL-2026-004417',
  study_uid: '1.2.826.0.1.3680043.8.498.4417',
  patient_id: '0045871',
  patient_name: 'TESTE^PACIENTE',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00-03:00',
  exam_description: 'TC de tórax sem contraste',
  patient_sex: 'M',
  hospital_name: 'Hospital São Lucas',
};

export const worklists = group({
  title: 'Worklists',
  description: 'Exams sent by RIS/PACS systems: ingest, status, and (as an extension) reading.',
  endpoints: {
    ingest: endpoint({
      method: 'POST',
      path: '/api/v1/worklists/ingest',
      summary: 'Send worklist items',
      description:
        'One item, an array of items, or `{items: […]}`; at most 1,000 items and 10 MiB. Items that match a stored one by accession number or study UID update it, unless they name another patient (PATIENT_MISMATCH). Bad items are listed in `data.errors` and the rest is processed; a request without any valid item is a 400, whose `details.refused` lists them in the same shape.',
      access: 'bearer',
      scope: 'worklists:write',
      body: named(
        'IngestRequest',
        anyOf([
          WorklistItemInput,
          array(WorklistItemInput, { maxItems: maxBatchItems }),
          object({ items: array(WorklistItemInput, { maxItems: maxBatchItems }) }),
        ]),
      ),
      bodyLimit: maxBatchBytes,
      checksOwnInput: true,
      idempotent: true,
      answer: 'envelope',
      responses: { 200: IngestResult },
      examples: {
        body: {
          'one item': exampleItem,
          array: [exampleItem],
          wrapped: { items: [exampleItem] },
        },
        responses: {
          200: {
            inserted: {
              batch_id: 'bat_01JNBK4V9Q0000000000000000',
              processed: 1,
              inserted: 1,
              updated: 0,
              deduped: 0,
              errors: [],
              items: [{ id: 'wli_01JNBK4V9Q0000000000000000', accession_number: 'SL-2026-004417', status: 'inserted' }],
            },
          },
        },
      },
    }),
    setStatus: endpoint({
      method: 'PATCH',
      path: '/api/v1/worklists/items/{id}',
      summary: 'Change the status of an item',
      description:
        'Taking an exam (`in_progress`) records who took it; a second person gets 409 with the holder’s name unless `metadata.take_over` is true.',
      access: 'bearer',
      scope: 'worklists:manage',
      ...itemPath,
      body: StatusChange,
      answer: 'envelope',
      responses: { 200: StatusChanged },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT', 'INVALID_TRANSITION'],
      versioned: true,
      examples: { body: { start: { status: 'in_progress', reason: 'Exam started' } } },
    }),
    list: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/items',
      summary: 'List items',
      access: 'bearer',
      scope: 'worklists:read',
      query: object(
        {},
        {
          ...paging,
          ...period,
          status: WorklistStatus,
          modality: string({ maxLength: 16 }),
          q: string({
            minLength: 1,
            maxLength: 200,
            description:
              'Beginnings of words in patient, patient_id, accession number or description; case, accents and leading zeros do not matter.',
          }),
          source_system: string({ maxLength: 128 }),
          assigned_to: string({ maxLength: 128 }),
        },
      ),
      answer: 'envelope',
      responses: { 200: page('WorklistItemPage', WorklistItem) },
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/items/{id}',
      summary: 'Get one item',
      access: 'bearer',
      scope: 'worklists:read',
      ...itemPath,
      answer: 'envelope',
      responses: { 200: WorklistItem },
      errors: ['NOT_FOUND'],
      versioned: true,
      extension: true,
    }),
    history: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/items/{id}/history',
      summary: 'How the status of an item changed, and its patient',
      access: 'bearer',
      scope: 'worklists:read',
      params: object({ id: Id }),
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('HistoryPage', HistoryEntry) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    events: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/events',
      summary: 'Follow changes of the worklist',
      description:
        'Server-sent events: `item` with `{id, status, version, change}` at each change, and a comment every 15 seconds to keep the connection open. Who connects again with `Last-Event-ID` gets what came meanwhile; where that is not known any more (more than 1,000 changes ago, or before a restart), `reset` says that the list must be read anew.',
      access: 'bearer',
      scope: 'worklists:read',
      answer: ['text/event-stream'],
      responses: {
        200: named(
          'WorklistEvent',
          object({
            id: Id,
            status: WorklistStatus,
            version: integer(),
            change: oneOf(['inserted', 'updated', 'status']),
          }),
        ),
      },
      extension: true,
    }),
  },
});
