/** Medical records: structured documents made from dictated audio or text (specification 4.3). */
import { endpoint, group } from './endpoint.ts';
import { audioTypeNames, maxTextLength, MedicalRecord, RecordStatus, Section } from './document.ts';
import { Job } from './job.ts';
import {
  array,
  boolean,
  integer,
  line,
  literal,
  named,
  nullable,
  object,
  oneOf,
  prose,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { Deleted, Id, languages, MetadataInput, page, paging, period } from './shared.ts';

/** Largest audio, in bytes, and the JSON that holds as much in base64. */
export const maxAudioBytes = 200 * 1024 * 1024;
/** Characters of a document in which `q` is looked for: no report is so long, and a search must not wait for one that is. */
export const searchedLength = 200_000;
const maxAudioRequestBytes = Math.ceil(maxAudioBytes / 3) * 4 + 1024 * 1024;

export const exportFormats = {
  txt: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
  fhir: 'application/fhir+json; charset=utf-8',
  hl7: 'application/hl7-v2; charset=utf-8',
} as const;
export type ExportFormat = keyof typeof exportFormats;
const exportFormatNames = Object.keys(exportFormats) as ExportFormat[];

const text = prose({ minLength: 1, maxLength: maxTextLength, description: 'Clinical text, instead of audio.' });
const audio = object(
  {
    content_type: string({ maxLength: 100, examples: ['audio/wav'] }),
    data: string({ description: 'Base64. In `multipart/form-data` the file part `audio` takes its place.' }),
  },
  {},
  { description: 'wav, webm, ogg, mp3, m4a or flac, told by content; at most 200 MiB.' },
);
const language = oneOf(languages, {
  description: 'Language of the document; default: that of the text, else that of the exam’s description, else en-US.',
});

export const GenerateRequest = named(
  'GenerateRequest',
  object(
    {},
    {
      text,
      audio,
      mode: oneOf(['sync', 'async'], { default: 'sync' }),
      template_id: string({ minLength: 1, maxLength: 64, description: 'Default: the general template.' }),
      language,
      worklist_item_id: Id,
      metadata: MetadataInput,
    },
    { description: 'Exactly one of `text` and `audio`.' },
  ),
);
export type GenerateRequest = TypeOf<typeof GenerateRequest>;

export const RecordUpdate = named(
  'RecordUpdate',
  object(
    {},
    {
      title: line({ minLength: 1, maxLength: 200 }),
      sections: array(Section, {
        minItems: 1,
        maxItems: 100,
        description: 'At most 1,500,000 characters together.',
      }),
      status: RecordStatus,
      metadata: MetadataInput,
    },
    {
      description:
        'What is given is replaced. A `final` record changes only as an addendum: `sections` may gain an `addendum` section and nothing else.',
      minProperties: 1,
    },
  ),
);
export type RecordUpdate = TypeOf<typeof RecordUpdate>;

export const CorrectRequest = named(
  'CorrectRequest',
  object(
    {},
    {
      text,
      audio,
      language,
      mode: literal('sync', { 'x-error-message': 'mode must be sync: asynchronous mode exists only for generation' }),
    },
    { description: 'Exactly one of `text` (the instruction) and `audio` (the instruction spoken).' },
  ),
);

export const SectionChange = named(
  'SectionChange',
  object({
    section: string({ description: 'Key of the section.' }),
    before: nullable(string()),
    after: nullable(string()),
  }),
);
export type SectionChange = TypeOf<typeof SectionChange>;

export const Correction = named(
  'Correction',
  object(
    {
      record: MedicalRecord,
      changes: array(SectionChange),
      instruction: string({ description: 'What was understood.' }),
    },
    {
      message: string({
        description: 'Where nothing was changed: why, in the language of the document, or what is asked first.',
      }),
      asks: boolean({
        description:
          'Given with `message`: `true` where it is a question, because the instruction could mean several things, or would only take a negation away. Answer it with another instruction.',
      }),
    },
  ),
);

const recordChanges = ['generated', 'edited', 'corrected', 'signed', 'addendum'] as const;

export const RecordVersion = named(
  'RecordVersion',
  object({
    version: integer(),
    at: timestamp('When this version was made.'),
    who: nullable(string()),
    change: oneOf(recordChanges),
    status: RecordStatus,
    title: string(),
  }),
);
export type RecordVersion = TypeOf<typeof RecordVersion>;

const byId = { params: object({ id: Id }) };

const exampleText =
  'Test Patient. Chest CT without contrast. Findings: lungs are clear, no effusion. Impression: normal examination.';

export const records = group({
  title: 'Medical records',
  description: 'Structured documents made from dictated audio or text.',
  endpoints: {
    generate: endpoint({
      method: 'POST',
      path: '/api/v1/medical-records/generate',
      summary: 'Generate a medical record',
      description:
        'From `text` or `audio`. `mode: sync` (default) answers 201 with the record, `mode: async` 202 with a job, whose address is in `Location`. With `worklist_item_id` the exam is taken, and names the record; 409 where somebody else holds it, and where it was completed by a signed record, which changes by an addendum (or the exam is moved to `in_progress` first).',
      access: 'bearer',
      scope: 'medical_records:write',
      body: GenerateRequest,
      bodyTypes: ['application/json', 'multipart/form-data'],
      bodyLimit: maxAudioRequestBytes,
      takesAudio: true,
      idempotent: true,
      answer: 'envelope',
      responses: { 201: MedicalRecord, 202: Job },
      errors: ['INVALID_TRANSITION', 'SERVER_BUSY', 'ENGINE_UNAVAILABLE'],
      examples: {
        body: {
          'text, synchronous': {
            text: exampleText,
            mode: 'sync',
            template_id: 'test_template_general',
            language: 'en-US',
          },
          'text, asynchronous': { text: exampleText, mode: 'async', template_id: 'test_template_cardiology' },
        },
      },
    }),
    list: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records',
      summary: 'List medical records',
      access: 'bearer',
      scope: 'medical_records:read',
      query: object(
        {},
        {
          ...paging,
          ...period,
          status: RecordStatus,
          template_id: string({ maxLength: 64 }),
          worklist_item_id: Id,
          q: string({
            minLength: 1,
            maxLength: 200,
            description: `Beginnings of words in the title and the first ${searchedLength.toLocaleString('en')} characters of the text; case and accents do not matter.`,
          }),
        },
      ),
      answer: 'envelope',
      responses: { 200: page('MedicalRecordPage', MedicalRecord) },
    }),
    events: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/events',
      summary: 'Follow changes of the medical records',
      description:
        'Server-sent events: `record` at each new version, and when a record is deleted; comments, `Last-Event-ID` and `reset` as with the worklist.',
      access: 'bearer',
      scope: 'medical_records:read',
      answer: ['text/event-stream'],
      responses: {
        200: named(
          'MedicalRecordEvent',
          object({
            id: Id,
            worklist_item_id: nullable(Id),
            version: integer({ description: 'The new one; the last one of a record that was deleted.' }),
            change: oneOf([...recordChanges, 'deleted']),
          }),
        ),
      },
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}',
      summary: 'Get one medical record',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      errors: ['NOT_FOUND'],
      versioned: true,
    }),
    update: endpoint({
      method: 'PUT',
      path: '/api/v1/medical-records/{id}',
      summary: 'Update a medical record',
      access: 'bearer',
      scope: 'medical_records:write',
      ...byId,
      body: RecordUpdate,
      bodyLimit: 6 * 1024 * 1024,
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT', 'INVALID_TRANSITION'],
      versioned: true,
      examples: { body: { sign: { status: 'final' } } },
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/medical-records/{id}',
      summary: 'Delete a medical record',
      description: 'With its versions and its audio.',
      access: 'bearer',
      scope: 'medical_records:delete',
      ...byId,
      answer: 'envelope',
      responses: { 200: Deleted },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
      versioned: true,
    }),
    correct: endpoint({
      method: 'POST',
      path: '/api/v1/medical-records/{id}/correct',
      summary: 'Correct a medical record by voice',
      description: 'The spoken (or written) instruction is applied at once; one that changes nothing makes no version.',
      access: 'bearer',
      scope: 'medical_records:write',
      ...byId,
      body: CorrectRequest,
      bodyTypes: ['application/json', 'multipart/form-data'],
      bodyLimit: maxAudioRequestBytes,
      takesAudio: true,
      idempotent: true,
      answer: 'envelope',
      responses: { 200: Correction },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT', 'INVALID_TRANSITION', 'ENGINE_UNAVAILABLE'],
      versioned: true,
      examples: { body: { replace: { text: 'In the findings, replace left with right.' } } },
    }),
    versions: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/versions',
      summary: 'List the versions of a medical record',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('RecordVersionPage', RecordVersion) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    version: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/versions/{n}',
      summary: 'Get one version of a medical record',
      access: 'bearer',
      scope: 'medical_records:read',
      params: object({ id: Id, n: integer({ minimum: 1 }) }),
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    audio: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/audio',
      summary: 'Get the dictated audio',
      description: 'Range requests are honoured.',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      answer: audioTypeNames,
      responses: { 200: string({ description: 'The audio as it was sent.' }) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    export: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/export',
      summary: 'Export a medical record',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      query: object({ format: oneOf(exportFormatNames) }),
      answer: Object.values(exportFormats),
      responses: { 200: string({ description: 'The document in the format asked for.' }) },
      errors: ['NOT_FOUND', 'SERVER_BUSY'],
      extension: true,
    }),
  },
});
