/** The medical record itself: a document with sections, and the audio it came from (fields: not shown; decided here). */
import { array, integer, line, named, nullable, number, object, oneOf, prose, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { Id, languages, Metadata, TestMode } from './shared.ts';

export const recordStatuses = ['draft', 'final'] as const;
export const RecordStatus = oneOf(recordStatuses);

/** Audio formats taken, told by content: content type → file name ending. */
export const audioTypes = {
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/flac': 'flac',
} as const;
export type AudioType = keyof typeof audioTypes;
export const audioTypeNames = Object.keys(audioTypes) as AudioType[];

export const maxTextLength = 1_000_000;
/** Characters of all sections together: a text of the greatest length, and room for addenda. */
export const maxDocumentLength = 1_500_000;

export const Section = named(
  'Section',
  object({
    key: string({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9_]*$', examples: ['findings'] }),
    title: line({ minLength: 1, maxLength: 200, examples: ['Achados'] }),
    text: prose({ maxLength: maxTextLength }),
  }),
);
export type Section = TypeOf<typeof Section>;

export const MedicalRecord = named(
  'MedicalRecord',
  object({
    id: Id,
    version: integer({ minimum: 1, description: 'Also the `ETag`.' }),
    status: RecordStatus,
    title: string(),
    template_id: string(),
    language: oneOf(languages),
    sections: array(Section),
    text: string({ description: 'All sections as one text.' }),
    transcript: nullable(string({ description: 'What was said or sent, word by word.' })),
    source: object(
      { kind: oneOf(['text', 'audio']) },
      { audio_seconds: number({ minimum: 0 }), content_type: oneOf(audioTypeNames), sha256: string() },
    ),
    worklist_item_id: nullable(string()),
    job_id: nullable(string()),
    test_mode: TestMode,
    metadata: Metadata,
    created_at: timestamp('When it was made.'),
    updated_at: timestamp('When it last changed.'),
  }),
);
export type MedicalRecord = TypeOf<typeof MedicalRecord>;
