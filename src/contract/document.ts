/** The medical record itself: a report with sections, and the audio it came from (fields: not shown; decided here). */
import {
  array,
  integer,
  line,
  meanings,
  named,
  nullable,
  number,
  object,
  oneOf,
  prose,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { CriticalResult } from './critical.ts';
import { Finding } from './finding.ts';
import { ItemId, JobId, languageField, Metadata, RecordId, sectionKey, TestMode } from './shared.ts';
import { TemplateId } from './template.ts';

export const recordStatuses = ['draft', 'preliminary', 'final'] as const;
export const RecordStatus = oneOf(recordStatuses, {
  description: meanings('How far the medical record is.', {
    draft: 'anybody with the scope may still change it',
    preliminary:
      'a resident signed it, and an attending has not co-signed it yet (extension: only users with the role `resident` make it)',
    final: 'a physician signed it; it can only gain an addendum',
  }),
});
export type RecordStatus = TypeOf<typeof RecordStatus>;

/** Audio formats that the service accepts: content type → file name extension. The content decides, not the name. */
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
/** Characters of all sections together: a text of maximal length, and room for addenda. */
export const maxDocumentLength = 1_500_000;

export const Section = named(
  'Section',
  object({
    key: sectionKey(
      'Key of the section, the same in every language. No two sections of a record share one, but addenda.',
    ),
    title: line({ minLength: 1, maxLength: 200, description: 'Title for people.', examples: ['Achados'] }),
    text: prose({
      maxLength: maxTextLength,
      description: 'Text of the section: plain text with line feeds.',
      examples: ['The lungs are clear. No pleural effusion.'],
    }),
  }),
  'A titled part of a medical record.',
);
export type Section = TypeOf<typeof Section>;

export const reviewNote = prose({
  minLength: 1,
  maxLength: 2000,
  description: 'What the attending asks the resident to change.',
  examples: ['Measure the nodule again, and compare it with March.'],
});

export const titleWords = { description: 'Title of the document.', examples: ['TC de tórax sem contraste'] };
export const recordTitle = line({ minLength: 1, maxLength: 200, ...titleWords });

/** Longest time for which a signature can be withdrawn, in seconds. */
export const maxGraceSeconds = 600;

/** A signature in its grace period. */
export const Signing = named(
  'Signing',
  object({
    by: string({ description: 'Display name of the user who signed.', examples: ['Dra. Helena Prado'] }),
    at: timestamp('When the user signed.'),
    final_at: timestamp('When the record becomes final, unless the user takes the signature back before.'),
  }),
  'A signature that can still be taken back. Until then the record keeps its status, and its content does not change.',
);
export type Signing = TypeOf<typeof Signing>;
const by = string({ description: 'Display name of the user.', examples: ['Dr. Caio Nunes'] });

/** The information that an attending reads before co-signing: who signed, and which version. */
export const Preliminary = named(
  'Preliminary',
  object({
    by,
    at: timestamp('When the resident signed.'),
    version: integer({
      minimum: 1,
      description: 'Number of the version that the resident signed. Later versions are by attendings.',
      examples: [3],
    }),
  }),
  'The signature of the resident. It stays when an attending co-signs, and goes when the record becomes a draft again.',
);
export type Preliminary = TypeOf<typeof Preliminary>;

export const SentBack = named(
  'SentBack',
  object({ by, at: timestamp('When the attending sent it back.') }, { note: reviewNote }),
  'An attending sent the preliminary record back. It goes with the next signature.',
);
export type SentBack = TypeOf<typeof SentBack>;

export const MedicalRecord = named(
  'MedicalRecord',
  object(
    {
      id: RecordId,
      version: integer({
        minimum: 1,
        description:
          'Number of the present version: 1 at first, one more after each change. The `ETag` header holds the same number.',
      }),
      status: RecordStatus,
      title: string({ description: 'Title of the document.', examples: ['TC de tórax sem contraste'] }),
      template_id: TemplateId,
      language: languageField('Language of the document:'),
      sections: array(Section, { description: 'The document, section by section.' }),
      text: string({
        description: 'All sections with their titles as one plain text, and who was told of critical results.',
      }),
      transcript: nullable(
        string({
          description:
            'The dictation word for word, or the text that was sent, before it became sections. `null`: the report was typed.',
        }),
      ),
      source: object(
        {
          kind: oneOf(['text', 'audio'], {
            description: 'What the record was generated from: `text` that was sent, or `audio`.',
          }),
        },
        {
          audio_seconds: number({
            minimum: 0,
            description: 'Length of the audio in seconds. Absent where the audio does not say.',
            examples: [42.5],
          }),
          content_type: oneOf(audioTypeNames, {
            description:
              'Format of the audio: `audio/wav`, `audio/webm`, `audio/ogg`, `audio/mpeg`, `audio/mp4` or `audio/flac`.',
          }),
          sha256: string({ description: 'SHA-256 checksum of the audio, in hexadecimal.' }),
        },
        { description: 'The input that the record was generated from.' },
      ),
      worklist_item_id: nullable({
        ...ItemId,
        description: 'Id of the worklist item whose exam the record reports on.',
      }),
      job_id: nullable({
        ...JobId,
        description: 'Id of the job that generated the record. `null`: no job, but a call.',
      }),
      test_mode: TestMode,
      metadata: Metadata,
      created_at: timestamp('When the record was generated.'),
      updated_at: timestamp('When the record last changed.'),
    },
    {
      template_version: integer({
        minimum: 1,
        description:
          'Version of the template that the record was generated by. Changes of the template leave the record as it is. Absent: the record is older than versions of templates.',
      }),
      findings_to_review: array(Finding, {
        description:
          'What to look at before the record is signed, in its order, at most 200; then what its changes resolved. Absent: the service did not check this version, because its text is longer than 200,000 characters or because the version is older than the checks.',
      }),
      signing: Signing,
      preliminary: Preliminary,
      sent_back: SentBack,
      replaces: object(
        { record_id: RecordId, version: integer({ minimum: 1, description: 'Its version at that time.' }) },
        {},
        {
          description:
            'The signed record of the same exam that this one took the place of when it was signed: receivers get this one as its correction. Also where that one has been deleted. Absent: there was none.',
        },
      ),
      critical_results: array(CriticalResult, {
        description:
          'Findings of which somebody has to be told at once, and what became of each. Absent: there are none.',
      }),
    },
  ),
  'A structured document, made from dictated audio or from text.',
);
export type MedicalRecord = TypeOf<typeof MedicalRecord>;
