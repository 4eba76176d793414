/** Shapes that several resources use: ids, paging, the envelope. */
import {
  array,
  boolean,
  freeForm,
  integer,
  literal,
  named,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { JsonSchema, Schema, TypeOf } from './schema.ts';

/** BCP 47 languages in which documents are written. */
export const languages = ['pt-BR', 'en-US', 'es-ES'] as const;
export type Language = (typeof languages)[number];

const languageTags = '`pt-BR`, `en-US` or `es-ES` (BCP 47)';

/** A language; the description names its subject, and the default for a request without one. */
export const languageField = (description: string, keywords: JsonSchema = {}): Schema<Language> =>
  oneOf(languages, { description: `${description} ${languageTags}.`, ...keywords });

/** An id for an example; `prefix` is that of the kind of resource. */
export const exampleId = (prefix: string): string => `${prefix}_01JNBK4V9Q0000000000000000`;

/** The id of any resource. */
export const Id = string({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'Id of the resource. The service assigns it.',
});

export const ItemId: Schema<string> = {
  ...Id,
  description: 'Id of the worklist item. The service assigns it.',
  examples: [exampleId('wli')],
};
export const RecordId: Schema<string> = {
  ...Id,
  description: 'Id of the medical record. The service assigns it.',
  examples: [exampleId('rec')],
};
export const JobId: Schema<string> = {
  ...Id,
  description: 'Id of the job. The service assigns it.',
  examples: [exampleId('job')],
};
export const TranscriptionId: Schema<string> = {
  ...Id,
  description: 'Id of the live transcription. The service assigns it.',
  examples: [exampleId('trn')],
};
export const UserId: Schema<string> = {
  ...Id,
  description: 'Id of the user. The service assigns it.',
  examples: [exampleId('usr')],
};
export const DeliveryId: Schema<string> = {
  ...Id,
  description: 'Id of the delivery. The header `webhook-id` carries it, the same at every attempt.',
  examples: [exampleId('dlv')],
};
export const ChannelId: Schema<string> = {
  ...Id,
  description: 'Id of the channel. The service assigns it.',
  examples: [exampleId('chn')],
};
export const MessageId: Schema<string> = {
  ...Id,
  description: 'Id of the message. The service assigns it.',
  examples: [exampleId('msg')],
};
export const HistoryEntryId: Schema<string> = {
  ...Id,
  description: 'Id of the history entry. The service assigns it.',
  examples: [exampleId('his')],
};

export const ClientId = string({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_.-]+$',
  description: 'Id of the partner application. An id that begins with `test_tc_` belongs to a test client.',
  examples: ['test_tc_local'],
});

/** The key of a section; the description names its subject. */
export const sectionKey = (description: string): Schema<string> =>
  string({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9_]*$', description, examples: ['findings'] });

const metadata =
  'Free-form JSON object of the caller, for example ids of another system. The service stores and returns it unchanged';

export const Metadata = freeForm({ description: `${metadata}.`, examples: [{ worksheet: 'A-17' }] });

/** Weight (src/domain/weight.ts) of the free-form data that a record may have. */
export const maxMetadataWeight = 256_000;

export const MetadataInput = freeForm({
  description: `${metadata}; at most about 256,000 characters of JSON.`,
  examples: [{ worksheet: 'A-17' }],
  'x-max-weight': maxMetadataWeight,
  'x-text': 'free',
});

/** Query of every collection; `cursor` is opaque. */
export const paging = {
  limit: integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'Most items on a page. A page of large items holds fewer: it ends at about a megabyte.',
  }),
  cursor: string({
    minLength: 1,
    maxLength: 256,
    description: 'The `next_cursor` of the page before. Without it the first page is returned.',
  }),
};

/** A page, newest first; `items` is the plural of its items. */
export const page = <T>(title: string, item: Schema<T>, items: string) =>
  named(
    title,
    object({
      items: array(item, { description: `The ${items} of this page, newest first.` }),
      next_cursor: nullable(
        string({ description: 'Send it as `cursor` to get the next page. `null` on the last page.' }),
      ),
    }),
    `One page of ${items}. An item that exists while you fetch all pages is on exactly one of them.`,
  );

/** Bounds of a listing by time; `time` names the compared time. */
export const periodQuery = (time: string) => ({
  from: string({
    format: 'date-or-time',
    description: `Lists only what has its ${time} at or after this date (from midnight UTC) or date-time.`,
    examples: ['2026-03-02'],
  }),
  to: string({
    format: 'date-or-time',
    description: `Lists only what has its ${time} at or before this date (its whole day in UTC) or date-time.`,
    examples: ['2026-03-02T18:00:00Z'],
  }),
});

export const Meta = named(
  'Meta',
  object(
    {
      request_id: string({
        description:
          'Id of this request, the same as in the `X-Request-Id` header. Give it to support when you report a problem.',
        examples: [exampleId('req')],
      }),
      timestamp: timestamp('When the service answered.'),
    },
    {
      processing_time_ms: integer({
        minimum: 0,
        description:
          'Time in milliseconds that the service took, the same number as in the `X-Processing-Time` header.',
        examples: [12],
      }),
    },
  ),
  'About the answer itself.',
);
export type Meta = TypeOf<typeof Meta>;

/** Success envelope (specification 2.7). */
export const envelope = (data: Schema) =>
  object({ success: literal(true, { description: 'The call succeeded.' }), data, meta: Meta });

/** Failure envelope (specification 2.7). */
export const ErrorEnvelope = named(
  'ErrorEnvelope',
  object({
    success: literal(false, { description: 'The call failed.' }),
    error: object(
      {
        code: string({ description: 'What went wrong, for programs.', examples: ['VALIDATION_FAILED'] }),
        message: string({
          description: 'What went wrong, for people: one English sentence without patient data.',
          examples: ['The request is invalid: patient_name is required'],
        }),
      },
      {
        details: freeForm({
          description:
            'More about the error; its fields depend on the code. With VALIDATION_FAILED it holds `errors`, an array of `{field, message, code}`, and for an ingest also `refused`, an array of IngestError.',
          examples: [
            { errors: [{ field: 'patient_name', message: 'patient_name is required', code: 'FIELD_REQUIRED' }] },
          ],
        }),
      },
      { description: 'The error.' },
    ),
    meta: Meta,
  }),
  'Why a call failed.',
);

/** The answer to a DELETE of the resource with that id. */
export const buildDeleted = (title: string, id: Schema<string>) =>
  named(
    title,
    object({ id, deleted: literal(true, { description: 'The resource no longer exists.' }) }),
    'Confirms that a resource was deleted.',
  );

export const TestMode = boolean({
  description: 'Whether it belongs to a test client, and so holds only test data and simulated transcripts.',
});

/** A moment of a sound. */
export const soundSeconds = (description: string, example: number) =>
  number({
    minimum: 0,
    description: `${description}, in seconds from the beginning of the sound.`,
    examples: [example],
  });
