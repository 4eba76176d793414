/** Medical records: structured documents made from dictated audio or text (specification 4.3). */
import { endpoint, group } from './endpoint.ts';
import {
  audioTypeNames,
  maxGraceSeconds,
  maxTextLength,
  MedicalRecord,
  RecordStatus,
  recordTitle,
  reviewNote,
  Section,
} from './document.ts';
import { exportFormatMeanings, exportFormatNames, exportFormats, FhirReport } from './export.ts';
import { FindingId } from './finding.ts';
import { Job } from './job.ts';
import { BroughtText, maxBrought } from './inserted-text.ts';
import { dictate, maxAudioBytes } from './recording.ts';
import { recordChangeMeanings, recordChanges, RecordVersion } from './record-version.ts';
import { array, boolean, integer, literal, meanings, named, nullable, object, oneOf, prose, string } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { buildDeleted, ItemId, languageField, MetadataInput, page, paging, periodQuery, RecordId } from './shared.ts';
import { SoundGaps } from './sound-gap.ts';
import { fromTranscriptions } from './spoken-piece.ts';
import { Pin } from './signature.ts';
import { TemplateId } from './template.ts';

/** JSON that holds the largest audio in base64, in bytes. */
const maxAudioRequestBytes = Math.ceil(maxAudioBytes / 3) * 4 + 1024 * 1024;
export { maxAudioBytes };

/** `q` searches this many characters of a record: no report is longer, and a search must not wait for a longer text. */
export const searchedLength = 200_000;

const exampleText =
  'Test Patient. Chest CT without contrast. Findings: lungs are clear, no effusion. Impression: normal examination.';

const text = prose({
  minLength: 1,
  maxLength: maxTextLength,
  description:
    'Clinical text as somebody dictates it, instead of audio: spoken commands, numbers in words and self-corrections in it are carried out, unless `verbatim` says that it was typed. A test client names a test patient in it, at any place.',
  examples: [exampleText],
});
const audio = object(
  {
    content_type: string({
      maxLength: 100,
      description: 'Media type of the audio. The service looks at the content and not at this type.',
      examples: ['audio/wav'],
    }),
    data: string({ description: 'The audio in base64.' }),
  },
  {},
  {
    description:
      'Dictated audio: wav, webm, ogg, mp3, m4a or flac, at most 200 MiB. In `multipart/form-data` it is the file part `audio`.',
  },
);

const brought = array(BroughtText, {
  'x-empty-is-absent': true,
  maxItems: maxBrought,
  description:
    'Words of `sections` that came from priors, from forms of scores and measurements, from a viewer, or from proposals for the impression (extension): their origin becomes `prior`, `score`, `viewer` or `proposed`. What is not in the section, or names no prior of the patient, counts as written by the caller.',
});

export const GenerateRequest = named(
  'GenerateRequest',
  object(
    {},
    {
      text,
      verbatim: boolean({
        description:
          'With `text`: whether it was typed (extension). `true` writes every word, figure and mark of it as it stands, and carries nothing out. The name of a section at the beginning of a sentence, with a colon or alone on its line, says where what follows belongs. The record has no `transcript`. Default: `false`, the text is a dictation.',
      }),
      sections: array(Section, {
        'x-empty-is-absent': true,
        minItems: 1,
        maxItems: 100,
        description:
          'The sections of a report that somebody typed, instead of audio (extension): they stand in the record as they are, like a `text` with `verbatim`. Sections of the template that are absent, or have no text, are filled as those that nobody dictated. A test client names a test patient in one of them.',
      }),
      brought,
      audio,
      ...fromTranscriptions,
      sound_gaps: SoundGaps,
      mode: oneOf(['sync', 'async'], {
        default: 'sync',
        description: meanings('When the service answers.', {
          sync: 'with the record, once it is generated',
          async: 'at once, with a job that generates the record',
        }),
      }),
      template_id: {
        ...TemplateId,
        description:
          'Id of the document template; `GET /api/v1/templates` lists them. Default: that of the transcription, else the template that fits the exam best, else the general template.',
      },
      language: languageField(
        'Language of the document. Default: the language of the text or of the transcription, else the language of the exam description, else `en-US`. It is one of',
      ),
      worklist_item_id: {
        ...ItemId,
        description: 'Id of the worklist item whose exam the record reports on. Default: no exam.',
      },
      metadata: MetadataInput,
    },
    {
      description:
        'What to generate a medical record from: exactly one of `text`, `sections`, `audio`, `transcription_id` and `transcriptions`.',
    },
  ),
);
export type GenerateRequest = TypeOf<typeof GenerateRequest>;

export const RecordUpdate = named(
  'RecordUpdate',
  object(
    {},
    {
      title: recordTitle,
      sections: array(Section, {
        'x-empty-is-absent': true,
        minItems: 1,
        maxItems: 100,
        description: 'All sections of the document, in order; at most 1,500,000 characters together.',
      }),
      status: RecordStatus,
      metadata: MetadataInput,
      require_resolved: boolean({
        description:
          'With `true` a record with open warnings or open fields is not signed: the answer is 409 OPEN_FINDINGS, and `details.open` lists them. Default: `false`, the record is signed, and the version keeps which warnings were open.',
      }),
      acknowledged: array(FindingId, {
        maxItems: 1000,
        description:
          'Ids of the open warnings over which the record is signed all the same. The version keeps them, with the signer. An open field (`field_open`) cannot be among them: with `require_resolved` somebody fills it in first.',
      }),
      pin: {
        ...Pin,
        description:
          'With `status: final`: the PIN of a user who has one (extension). Without it, or with a wrong one, the record is not signed: 403, and `details.reason` is `pin_missing`, `pin_wrong` or `pin_locked`.',
      },
      grace_seconds: integer({
        minimum: 0,
        maximum: maxGraceSeconds,
        description:
          'With `status: final` or `preliminary`: for how many seconds the signature can be taken back (extension). Meanwhile the record keeps its status and shows `signing`; the version, the event, the completed exam and what webhooks are sent come at the end. Default: 0, the signature counts at once.',
        examples: [60],
      }),
      note: {
        ...reviewNote,
        description:
          'What the resident should change: with `status: draft`, by which an attending sends a preliminary record back. The record and its history keep it.',
      },
      brought,
    },
    {
      description:
        'The fields to replace, at least one; absent fields stay. A `final` record changes only by an addendum: send its `sections` with a further section whose key is `addendum`. One whose place another signed record of the exam has taken (`replaces`) is refused with 409, whose `details.record_id` names that record: the addendum belongs there.',
      minProperties: 1,
    },
  ),
);
export type RecordUpdate = TypeOf<typeof RecordUpdate>;

const exampleInstruction = 'In the findings, replace left with right.';

export const CorrectRequest = named(
  'CorrectRequest',
  object(
    {},
    {
      text: prose({
        minLength: 1,
        maxLength: maxTextLength,
        description: 'The instruction as text, instead of audio.',
        examples: [exampleInstruction],
      }),
      audio,
      language: languageField('Language of the instruction. Default: the language of the record. It is one of'),
      mode: literal('sync', {
        description: 'Always `sync`: a correction answers with the record.',
        'x-error-message': 'mode must be sync: asynchronous mode exists only for generation',
      }),
    },
    {
      description:
        'How to correct the record: exactly one of `text` (the instruction) and `audio` (the instruction spoken).',
    },
  ),
);

export const SectionChange = named(
  'SectionChange',
  object({
    section: string({ description: 'Key of the section.', examples: ['findings'] }),
    before: nullable(string({ description: 'Text before the correction. `null`: the section is new.' })),
    after: nullable(string({ description: 'Text after the correction. `null`: the section was removed.' })),
  }),
  'What a correction did to one section.',
);
export type SectionChange = TypeOf<typeof SectionChange>;

export const Correction = named(
  'Correction',
  object(
    {
      record: MedicalRecord,
      changes: array(SectionChange, { description: 'What the correction changed; empty where it changed nothing.' }),
      instruction: string({
        description: 'The instruction as the service understood it.',
        examples: [exampleInstruction],
      }),
    },
    {
      message: string({
        description:
          'Why the instruction changed nothing, or a question about it, in the language of the document. Absent where it changed something.',
      }),
      asks: boolean({
        description:
          'Whether `message` is a question: the instruction was not understood as a whole, could mean several things, or would only remove a negation. Answer the question with another instruction. Absent without `message`.',
      }),
    },
  ),
  'The record after a correction, and what the correction changed.',
);

const byId = { params: object({ id: RecordId }) };

export const records = group({
  title: 'Medical records',
  description: 'Structured documents made from dictated audio or text.',
  endpoints: {
    generate: endpoint({
      method: 'POST',
      path: '/api/v1/medical-records/generate',
      summary: 'Generate a medical record',
      description:
        'Makes a structured document of `text`, `audio`, live transcriptions, or the `sections` that somebody typed. With `mode: sync` (default) the answer is 201 and the record; with `mode: async` it is 202 and a job, whose address is in the `Location` header. `worklist_item_id` takes the exam for the caller and links the record to it. The answer is 409 where another user holds the exam, and where a signed record completed it: add an addendum to that record, or move the exam to `in_progress` first.',
      access: 'bearer',
      scope: 'medical_records:write',
      body: GenerateRequest,
      bodyTypes: ['application/json', 'multipart/form-data'],
      bodyLimit: maxAudioRequestBytes,
      takesAudio: true,
      idempotent: true,
      answer: 'envelope',
      responses: { 201: MedicalRecord, 202: Job },
      headers: { 201: ['ETag'], 202: ['Location'] },
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
    dictate,
    list: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records',
      summary: 'List medical records',
      description: 'The records of the caller’s space, newest first.',
      access: 'bearer',
      scope: 'medical_records:read',
      query: object(
        {},
        {
          ...paging,
          ...periodQuery('`created_at`'),
          status: RecordStatus,
          template_id: { ...TemplateId, description: 'Lists only records made by this template.' },
          worklist_item_id: { ...ItemId, description: 'Lists only records for this worklist item.' },
          critical: literal('open', {
            description: 'With `open` the list has only records with critical results of which nobody was told yet.',
          }),
          q: string({
            minLength: 1,
            maxLength: 200,
            description: `Searches the title and the first ${searchedLength} characters of the text for words that begin with these; case and accents do not matter.`,
            examples: ['effusion'],
          }),
        },
      ),
      answer: 'envelope',
      responses: { 200: page('MedicalRecordPage', MedicalRecord, 'medical records') },
    }),
    events: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/events',
      summary: 'Follow changes of the medical records',
      description:
        'A stream of server-sent events: `record` at each new version, at each decision about a finding or a critical result, when a record has arrived at another system or was refused there, and when a record is deleted. Comments, `Last-Event-ID` and `reset` work as in `GET /api/v1/worklists/events`.',
      access: 'bearer',
      scope: 'medical_records:read',
      answer: ['text/event-stream'],
      responses: {
        200: named(
          'MedicalRecordEvent',
          object({
            id: RecordId,
            worklist_item_id: nullable({ ...ItemId, description: 'Id of the worklist item that the record is for.' }),
            version: integer({
              description:
                'Number of the new version, of the one that was sent, or of the last one of a deleted record.',
            }),
            change: oneOf([...recordChanges, 'reviewed', 'signing', 'taken_back', 'distributed', 'deleted'], {
              description: meanings('What happened.', {
                ...recordChangeMeanings,
                reviewed: 'a finding or critical result was decided, or a second hearing ended; the version stays',
                signing: 'a physician signed the record, and can still take that back; the version stays',
                taken_back:
                  'the physician, or a second hearing with a doubt, took the signature back; the version stays',
                distributed:
                  'a version has arrived at another system, was refused there or dropped, or is to be sent again; `GET …/{id}/distribution` tells which',
                deleted: 'somebody deleted the record',
              }),
            }),
          }),
          'Data of a `record` event.',
        ),
      },
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}',
      summary: 'Get one medical record',
      description: 'The present version of the record. `ETag` holds its number, for the `If-Match` of a change.',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND'],
    }),
    update: endpoint({
      method: 'PUT',
      path: '/api/v1/medical-records/{id}',
      summary: 'Update a medical record',
      description:
        'Replaces the fields that the request holds, and makes a new version. `status: final` signs the record, and completes its exam; send `require_resolved: true` with it, so that nobody signs over a warning unawares. With `grace_seconds` the signature can be taken back for so long, and every other change is refused with 409 meanwhile. A request that changes nothing makes no version. Users with a role sign in two steps (extension): a `resident` signs with `status: preliminary`, and an `attending` reads it, may change it, and co-signs with `status: final`, or sends it back with `status: draft` and a `note`. Where the resident who signed changes it, it is a draft again. Anybody else gets 403 for these, and `details.allowed` says which status the caller may ask for.',
      access: 'bearer',
      scope: 'medical_records:write',
      ...byId,
      body: RecordUpdate,
      bodyLimit: 6 * 1024 * 1024,
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'VERSION_CONFLICT', 'INVALID_TRANSITION', 'OPEN_FINDINGS', 'SERVER_BUSY'],
      versioned: true,
      examples: {
        body: {
          sign: { status: 'final', require_resolved: true },
          'sign, with a minute to take it back': { status: 'final', require_resolved: true, grace_seconds: 60 },
          'send back': { status: 'draft', note: 'Measure the nodule again.' },
          'sign over a warning': { status: 'final', require_resolved: true, acknowledged: ['f_5d1e8a0c'] },
        },
      },
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/medical-records/{id}',
      summary: 'Delete a medical record',
      description:
        'Deletes the record with its versions and its audio, for good. Systems that have received the record keep it, and hear nothing of this; the next record that is signed for the exam reaches them as its correction (`replaces`). A message about the record that still waits is refused, until the operator drops it.',
      access: 'bearer',
      scope: 'medical_records:delete',
      ...byId,
      answer: 'envelope',
      responses: { 200: buildDeleted('MedicalRecordDeleted', RecordId) },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
      versioned: true,
    }),
    correct: endpoint({
      method: 'POST',
      path: '/api/v1/medical-records/{id}/correct',
      summary: 'Correct a medical record by voice',
      description:
        'Applies a spoken or written instruction to a draft, and makes a new version. An instruction is carried out as a whole or not at all; one that changes nothing makes no version. “Undo”, “scratch that” and the like undo the last instruction that is not undone yet; what was edited in other sections since stays. What others edit while the instruction is worked at stays, too; where it is the words that the instruction is about, the answer is 409 and nothing is changed. A signed record is refused with 409. A preliminary one is corrected by attendings, and by the resident who signed it: then it is a draft again.',
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
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'VERSION_CONFLICT', 'INVALID_TRANSITION', 'ENGINE_UNAVAILABLE'],
      versioned: true,
      examples: { body: { replace: { text: exampleInstruction } } },
    }),
    versions: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/versions',
      summary: 'List the versions of a medical record',
      description: 'Who changed the record, when and how, newest version first.',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('RecordVersionPage', RecordVersion, 'versions') },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    version: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/versions/{n}',
      summary: 'Get one version of a medical record',
      description: 'The whole record as it was in this version.',
      access: 'bearer',
      scope: 'medical_records:read',
      params: object({
        id: RecordId,
        n: integer({ minimum: 1, description: 'Number of the version, from 1.', examples: [1] }),
      }),
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    audio: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/audio',
      summary: 'Get the dictated audio',
      description:
        'The audio that the record was generated from, in the format in which it came. Range requests work. 404 where there was no audio, or where it was deleted.',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      takesRange: true,
      answer: audioTypeNames,
      responses: { 200: string({ description: 'The audio as it was sent.' }) },
      headers: { 200: ['Content-Disposition', 'ETag'] },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    export: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/export',
      summary: 'Export a medical record',
      description: 'The present version of the record as a file.',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      query: object({
        format: oneOf(exportFormatNames, {
          description: meanings('Format of the file.', exportFormatMeanings),
        }),
      }),
      answer: [...new Set(Object.values(exportFormats))],
      responses: { 200: string({ description: 'The document in the format asked for.' }) },
      jsonAnswer: FhirReport,
      headers: { 200: ['Content-Disposition'] },
      errors: ['NOT_FOUND', 'SERVER_BUSY'],
      extension: true,
    }),
  },
});
