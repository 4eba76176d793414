/** Worklists: exams that imaging systems send, and their state (specification 2.1 to 2.5, 4.2). */
import { endpoint, group, messageTypes } from './endpoint.ts';
import type { MessageType } from './endpoint.ts';
import { AppError, detailCodeMeanings, detailCodes, validationFailed } from './errors.ts';
import type { FieldError } from './errors.ts';
import {
  anyOf,
  array,
  boolean,
  extended,
  freeForm,
  integer,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { clearableFields, coreFields, identifiers, metadataWithInstructions, optionalSparseFields } from './exam.ts';
import { exampleId, HistoryEntryId, ItemId, MetadataInput, page, paging, UserId } from './shared.ts';
import { modalityMessage } from './modalities.ts';
import { sourceSystem, statusOf, WorklistItem, WorklistStatus, worklistStatuses } from './worklist-item.ts';
import { WorklistQuery } from './worklist-query.ts';

/** Largest batch that one request may hold. */
export const maxBatchItems = 1000;
export const maxBatchBytes = 10 * 1024 * 1024;

/** One exam as a RIS or PACS sends it. The service stores unknown fields under `metadata.extra`. */
export const WorklistItemInput = named(
  'WorklistItemInput',
  object(
    {},
    {
      ...identifiers,
      ...coreFields,
      ...clearableFields,
      metadata: nullable(metadataWithInstructions),
      ...optionalSparseFields,
      status: oneOf(worklistStatuses, {
        description: meanings(
          'What shall become of the exam, in the same transaction as its fields; a change needs the scope `worklists:manage` too. Absent: the status stays.',
          {
            new: 'its order stands; a cancelled exam is reinstated, any other keeps its status',
            in_progress: 'somebody reports on it',
            completed: 'it is reported elsewhere',
            cancelled: 'it will not be reported on; it stays while another of its orders is open',
          },
        ),
        examples: ['cancelled'],
        'x-error-message': `status must be one of ${worklistStatuses.join(', ')}; how far the exam itself is belongs in exam_status`,
      }),
    },
    {
      description:
        'One exam, as a RIS or PACS sends it. It needs `accession_number` or `study_uid`. A new item also needs the five core fields `patient_id`, `patient_name`, `modality`, `exam_datetime` and `exam_description`. An item that matches a stored one may leave them out: absent fields stay, and `null` clears an optional field. The service stores fields that it does not know under `metadata.extra`.',
      additionalProperties: true,
    },
  ),
);
export type WorklistItemInput = TypeOf<typeof WorklistItemInput>;

export * from './worklist-item.ts';

export const IngestError = named(
  'IngestError',
  object({
    index: integer({ minimum: 0, description: 'Position of the item in the request, from 0.' }),
    accession_number: nullable(
      string({ description: 'Accession number of the item. `null` where it has none that is valid.' }),
    ),
    error: oneOf(detailCodes, { description: meanings('Error code.', detailCodeMeanings) }),
    message: string({
      description: 'What is wrong, for people, without patient data.',
      examples: [modalityMessage],
    }),
    field: string({ description: 'Name of the field at fault; empty for the whole item.', examples: ['modality'] }),
  }),
  'Why the service refused one item of a batch.',
);
export type IngestError = TypeOf<typeof IngestError>;

/**
 * `error.details.refused` of a request without any valid item: an extension in addition to the specification's
 * `errors`.
 */
export const RefusedItems = array(IngestError);

/** 400 VALIDATION_FAILED of a request without any valid item: every problem of every item, and each item once. */
export const nothingTaken = (problems: readonly FieldError[], refused: readonly IngestError[]): AppError => {
  const { code, message, details } = validationFailed(problems);
  return new AppError(code, { message, details: { ...details, refused } });
};

/** Codes of warnings about items that the service accepted, with their meanings. */
const ingestWarningMeanings = {
  PATIENT_CORRECTED: 'the id, the name or the birth date of the same patient changed',
  PATIENT_CHANGED: 'the exam now belongs to another patient, as the request asked',
  STUDY_CHANGED: 'the study UID of the exam was replaced, so that its images are others',
  EXAM_CANCELLED: 'the exam was cancelled, and stays cancelled',
  OUTDATED: 'a later message told of the exam, or the state of its order, already: what it told stays',
  ORDER_REPEATED: 'the message came before, and changes no status that was chosen since',
  ORDER_DUPLICATED: 'another exam of the patient has the same order under another accession number, and stays',
  STATUS_KEPT: 'the exam keeps its status, although the item has another one',
  ZONE_ASSUMED: 'the date-time of the exam has no offset, and got that of the zone of the server',
  ASSUMED: 'the reader of the message left something out, or assumed something',
  MODALITY_RETIRED: 'DICOM has retired the modality',
} as const;
export type IngestWarning = keyof typeof ingestWarningMeanings;
export const ingestWarnings = Object.keys(ingestWarningMeanings) as IngestWarning[];

export const IngestOutcome = named(
  'IngestOutcome',
  object(
    {
      accession_number: nullable(identifiers.accession_number),
      status: oneOf(['inserted', 'updated', 'deduped'], {
        description: meanings('What became of the item.', {
          inserted: 'it is new',
          updated: 'it changed a stored item',
          deduped: 'it matched a stored item and changed nothing',
        }),
      }),
    },
    {
      id: {
        ...ItemId,
        description:
          'Id of the stored item. Where the item changed nothing, it is an extension: the specification has none there.',
      },
      previous_status: statusOf('State of the exam before, where the item changed it.'),
      message: string({
        description: 'All warnings as sentences, or why nothing changed. Absent where there is nothing to say.',
        examples: ['Known already; nothing changed.'],
      }),
      warnings: array(
        object({
          code: oneOf(ingestWarnings, { description: meanings('Warning code.', ingestWarningMeanings) }),
          message: string({ description: 'The warning, for people.' }),
        }),
        {
          description: 'What somebody should check although the service took the item. Absent where there is nothing.',
        },
      ),
    },
  ),
  'What became of one item of a batch.',
);
export type IngestOutcome = TypeOf<typeof IngestOutcome>;

export const IngestResult = named(
  'IngestResult',
  object({
    batch_id: string({ description: 'Id of this batch, for support.', examples: [exampleId('bat')] }),
    processed: integer({
      description:
        'Number of items in the request: `inserted`, `updated`, `deduped` and the number of `errors` together.',
    }),
    inserted: integer({ description: 'Number of new items.' }),
    updated: integer({ description: 'Number of items that changed a stored item.' }),
    deduped: integer({ description: 'Number of items that matched a stored item and changed nothing.' }),
    errors: array(IngestError, { description: 'The items that the service refused; empty where there are none.' }),
    items: array(IngestOutcome, { description: 'The items that the service took, in the order of the request.' }),
  }),
  'What became of a batch.',
);
export type IngestResult = TypeOf<typeof IngestResult>;

export const StatusChange = named(
  'StatusChange',
  object(
    { status: WorklistStatus },
    {
      reason: string({
        maxLength: 500,
        description: 'Why the status changes. Default: no reason.',
        examples: ['Exam started'],
      }),
      metadata: {
        ...MetadataInput,
        description:
          'Free-form JSON object, at most about 256,000 characters; the history entry keeps it. `take_over: true` takes an exam that another user holds.',
        examples: [{ take_over: true }],
      },
    },
  ),
  'The new status of a worklist item.',
);

export const StatusChanged = named(
  'StatusChanged',
  object({
    id: ItemId,
    accession_number: nullable(identifiers.accession_number),
    status: WorklistStatus,
    previous_status: statusOf(
      'State of the exam before this call, the same as `status` where the call changed nothing.',
    ),
    updated_at: timestamp('When the status last changed.'),
    reason: nullable(string({ description: 'Reason for the last change of status. `null`: nobody gave one.' })),
  }),
  'A worklist item after a change of its status.',
);

export const HistoryEntry = named(
  'HistoryEntry',
  object(
    {
      id: HistoryEntryId,
      at: timestamp('When the change happened.'),
      who: nullable(
        string({
          description: 'Display name of the user who caused the change, or the client id where no user was involved.',
          examples: ['Dra. Helena Prado'],
        }),
      ),
      from: nullable(statusOf('State of the exam before the change.')),
      to: statusOf('State of the exam after the change.'),
      reason: nullable(string({ description: 'Reason for the change. `null`: nobody gave one.' })),
      source_system: nullable(sourceSystem),
    },
    {
      assigned_to: string({
        description: 'Display name of the user to whom `who` gave the exam. Absent where nobody gave it to anybody.',
      }),
      metadata: freeForm({ description: 'The `metadata` of the request. Absent where it had none.' }),
      changes: array(
        object({
          field: string({ description: 'Name of the field.', examples: ['patient_name'] }),
          before: nullable(string({ description: 'Value before the change.' })),
          after: nullable(string({ description: 'Value after the change.' })),
        }),
        {
          description:
            'Fields of the patient that changed, or the study UID. Absent where the status changed; otherwise `from` and `to` are the same.',
        },
      ),
    },
  ),
  'One change of the status of a worklist item, of its patient, or of its study UID.',
);
export type HistoryEntry = TypeOf<typeof HistoryEntry>;

export const Colleague = named(
  'Colleague',
  object({
    id: UserId,
    display_name: string({
      description: 'Name of the user, as `assigned_to` shows it.',
      examples: ['Dr. Bruno Nunes'],
    }),
  }),
  'A user to whom an exam can be given.',
);
export type Colleague = TypeOf<typeof Colleague>;

const itemPath = { params: object({ id: ItemId }) };

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
  description: 'A worklist item is an exam that a RIS or PACS sent, and that a physician reports on.',
  endpoints: {
    ingest: endpoint({
      method: 'POST',
      path: '/api/v1/worklists/ingest',
      summary: 'Send worklist items',
      description:
        'Send one item, an array of items, or `{items: […]}`; at most 1,000 items and 10 MiB. An item that matches a stored one by accession number or study UID updates it, unless it names another patient (PATIENT_MISMATCH). The service lists bad items in `data.errors` and processes the others; a request without a valid item is a 400, whose `details.refused` lists them in the same shape. As an extension the body may be HL7 v2 or FHIR R4, by its content type: what its orders say of cancelled and placed exams is done in the same transaction (with `worklists:manage`).',
      access: 'bearer',
      scope: 'worklists:write',
      body: named(
        'IngestRequest',
        anyOf([
          WorklistItemInput,
          array(WorklistItemInput, { maxItems: maxBatchItems }),
          object({ items: array(WorklistItemInput, { maxItems: maxBatchItems, description: 'The items.' }) }),
        ]),
        'One item, an array of items, or an object with an array of items.',
      ),
      // No list is spread here: the page's scripts would then keep all of the contract that this file uses.
      bodyTypes: Object.keys({ 'application/json': 'items', ...messageTypes }) as ('application/json' | MessageType)[],
      bodyLimit: maxBatchBytes,
      checksOwnInput: true,
      idempotent: true,
      answer: 'envelope',
      ownLists: true,
      responses: { 200: IngestResult },
      examples: {
        body: {
          'one item': exampleItem,
          wrapped: { items: [exampleItem] },
        },
        responses: {
          200: {
            inserted: {
              batch_id: exampleId('bat'),
              processed: 1,
              inserted: 1,
              updated: 0,
              deduped: 0,
              errors: [],
              items: [{ id: exampleId('wli'), accession_number: 'SL-2026-004417', status: 'inserted' }],
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
        'Moving an item to `in_progress` takes the exam for the caller. Another caller gets 409 and the name of the holder, unless `metadata.take_over` is `true`. A move that the present status does not allow is a 409 too; `details.allowed` lists the moves that it allows.',
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
    assign: endpoint({
      method: 'POST',
      path: '/api/v1/worklists/items/{id}/assign',
      summary: 'Give an item to a user',
      description:
        'Puts the exam into the hands of a user of the same space: it is `in_progress`, `assigned_to` names the user, and `assigned_by` the caller. An exam that somebody else holds needs `take_over: true`, so that nobody gives away a colleague’s work unawares: 409 with the name of the holder. An exam that is completed or cancelled is a 409 too.',
      access: 'bearer',
      scope: 'worklists:manage',
      ...itemPath,
      body: named(
        'Assignment',
        object(
          { to: { ...UserId, description: 'Id of the user; `GET /api/v1/worklists/colleagues` lists them.' } },
          {
            take_over: boolean({ description: 'Gives the exam although another user holds it. Default: `false`.' }),
            reason: string({
              maxLength: 500,
              description: 'Why; the history keeps it. Default: no reason.',
              examples: ['Neuroradiology'],
            }),
          },
        ),
        'To whom an exam is given.',
      ),
      answer: 'envelope',
      responses: { 200: WorklistItem },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT', 'INVALID_TRANSITION'],
      versioned: true,
      extension: true,
      examples: { body: { 'to a colleague': { to: exampleId('usr'), reason: 'Neuroradiology' } } },
    }),
    colleagues: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/colleagues',
      summary: 'List the users to whom an item can be given',
      description: 'The users of the caller’s space, newest first: id and display name alone.',
      access: 'bearer',
      scope: 'worklists:manage',
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('ColleaguePage', Colleague, 'users') },
      extension: true,
    }),
    list: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/items',
      summary: 'List items',
      description: 'The worklist items of the caller’s space, newest first.',
      access: 'bearer',
      scope: 'worklists:read',
      query: WorklistQuery,
      answer: 'envelope',
      responses: {
        200: extended(
          page('WorklistItemPage', WorklistItem, 'worklist items'),
          {},
          {
            updated_until: string({
              description:
                'Send it as `updated_since` to get what changes after this answer; all pages of a listing have the same one.',
              examples: ['u1hv2k8rd9c0'],
            }),
          },
        ),
      },
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/items/{id}',
      summary: 'Get one item',
      description: 'The worklist item as it is now.',
      access: 'bearer',
      scope: 'worklists:read',
      ...itemPath,
      answer: 'envelope',
      responses: { 200: WorklistItem },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    history: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/items/{id}/history',
      summary: 'Get the history of an item',
      description: 'Each change of the status of the item and of its patient: who, when and why, newest first.',
      access: 'bearer',
      scope: 'worklists:read',
      ...itemPath,
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('HistoryPage', HistoryEntry, 'history entries') },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    events: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/events',
      summary: 'Follow changes of the worklist',
      description:
        'A stream of server-sent events: `item` at each change, and a comment every 15 seconds that keeps the connection open. Connect again with `Last-Event-ID` to get the changes that you missed. The event `reset` says that the service no longer knows them (it keeps 1,000, until a restart): read the list again.',
      access: 'bearer',
      scope: 'worklists:read',
      answer: ['text/event-stream'],
      responses: {
        200: named(
          'WorklistEvent',
          object({
            id: ItemId,
            accession_number: nullable(identifiers.accession_number),
            status: WorklistStatus,
            version: integer({ description: 'Number of the new version of the item.' }),
            change: oneOf(['inserted', 'updated', 'status', 'removed'], {
              description: meanings('What happened.', {
                inserted: 'the item is new',
                updated: 'its fields changed',
                status: 'its status changed, or who has it',
                removed: 'it is gone, by retention or by the operator',
              }),
            }),
          }),
          'Data of an `item` event.',
        ),
      },
      extension: true,
    }),
  },
});
