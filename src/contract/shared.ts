/** Shapes that several resources use: ids, paging, the envelope. */
import { array, boolean, freeForm, integer, literal, named, nullable, object, string, timestamp } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';

/** BCP 47 languages in which documents are written. */
export const languages = ['pt-BR', 'en-US', 'es-ES'] as const;
export type Language = (typeof languages)[number];

export const Id = string({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'Assigned by the service.',
});

export const Metadata = freeForm({ description: 'Free-form data, kept and given back as it came.' });

/** Weight (src/domain/weight.ts) of the free-form data that may be sent with one document. */
export const maxMetadataWeight = 256_000;

export const MetadataInput = freeForm({
  description: 'Free-form data, kept and given back as it came; at most about 256,000 characters of JSON.',
  'x-max-weight': maxMetadataWeight,
  'x-text': 'free',
});

/** Query of every collection; `cursor` is opaque. */
export const paging = {
  limit: integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'Items a page; fewer where they are large (about a megabyte together).',
  }),
  cursor: string({ minLength: 1, maxLength: 256, description: 'Where the last page ended: its `next_cursor`.' }),
};

/** A page, newest first. */
export const page = <T>(title: string, items: Schema<T>) =>
  named(
    title,
    object({
      items: array(items),
      next_cursor: nullable(string({ description: 'Opaque; `null` on the last page.' })),
    }),
  );

/** Bounds of a listing by time: a date (`2026-03-02`, whole days in UTC) or an instant. */
export const period = {
  from: string({ format: 'date-or-time', description: 'Not before this date or instant.' }),
  to: string({ format: 'date-or-time', description: 'Not after this date or instant; a date includes its whole day.' }),
};

export const Meta = named(
  'Meta',
  object(
    {
      request_id: string({ description: 'The same as the `X-Request-Id` header.' }),
      timestamp: timestamp('When the answer was made.'),
    },
    {
      processing_time_ms: integer({
        minimum: 0,
        description: 'Milliseconds, the same number as the `X-Processing-Time` header.',
      }),
    },
  ),
);
export type Meta = TypeOf<typeof Meta>;

/** Success envelope (specification 2.7). */
export const envelope = (data: Schema) => object({ success: literal(true), data, meta: Meta });

/** Failure envelope (specification 2.7). */
export const ErrorEnvelope = named(
  'ErrorEnvelope',
  object({
    success: literal(false),
    error: object(
      { code: string({ examples: ['VALIDATION_FAILED'] }), message: string() },
      {
        details: freeForm({
          description:
            'Depends on the code; with VALIDATION_FAILED `errors`, an array of `{field, message, code}`; of ingest `refused` as well, each item that was refused.',
        }),
      },
    ),
    meta: Meta,
  }),
);

export const Deleted = named('Deleted', object({ id: Id, deleted: literal(true) }));

export const TestMode = boolean({ description: 'Made in test mode: simulated, from test data alone.' });
