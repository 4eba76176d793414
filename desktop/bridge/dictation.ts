/** Dictations: from the first block of audio until the service has the record. */
import {
  array,
  boolean,
  integer,
  named,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { WaitingFor } from '../../src/contract/job.ts';
import { SoundGap } from '../../src/contract/sound-gap.ts';
import { Id, languages } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { byId, nothing, revised, sentence } from './shapes.ts';
import { uploadFormats } from './sound.ts';

export const insertModes = ['insert', 'overwrite', 'append'] as const;
export type InsertMode = (typeof insertModes)[number];

/**
 * The states of a dictation: `recording` (audio arrives), `paused`, then sealed: `queued` (waits for the service),
 * `sending`, `processing` (the service makes the record), `done`. A `failed` dictation keeps its audio and can be sent
 * again.
 */
export const Dictation = named(
  'Dictation',
  object(
    {
      id: Id,
      item_id: Id,
      state: oneOf(['recording', 'paused', 'queued', 'sending', 'processing', 'done', 'failed']),
      recovered: boolean({ description: 'The page or the app ended during the recording.' }),
      seconds: number({ minimum: 0, description: 'Length of the sound that would be sent.' }),
      sample_rate: integer(),
      saved_at: nullable(timestamp('Sound that was recorded until then is on disk.')),
      template_id: nullable(string()),
      language: oneOf(languages),
      can_undo: boolean(),
      progress: number({ minimum: 0, maximum: 1 }),
      job_id: nullable(Id),
      record_id: nullable(Id),
      error: nullable(
        object({ code: string(), message: sentence }, { reason: string({ description: '`details.reason`.' }) }),
      ),
      created_at: timestamp('When the dictation began.'),
      ...revised,
    },
    {
      recorded_by: string({ description: 'Name of the page that records it and sends sound now.' }),
      waiting_for: WaitingFor,
      taken_back: number({
        minimum: 0,
        description: 'Seconds that were taken back and can be brought back (`dictation.redo`).',
      }),
      gaps: array(SoundGap, { description: 'Sound that was not captured, in the order of its places.' }),
      compress: boolean({
        description: 'The app waits for a page to compress the sound (`dictation.encoded`), which has to go as a file.',
      }),
    },
  ),
);
export type Dictation = TypeOf<typeof Dictation>;

/** `details.reason` of a refusal: another window of the same person records this dictation. */
export const otherWindow = 'other_window';
/**
 * `details.reason` of a refusal: another window changed the dictation after this window had chosen a position in it.
 */
export const changedElsewhere = 'changed_elsewhere';
/** `details.reason` of a refusal: the exam has a signed report, which changes only by an addendum. */
export const reported = 'reported';

/**
 * The recording page creates the id, so that the app recognises audio that arrives twice, late or from a second page.
 */
const TakeId = string({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });

/** The input for starting a dictation. */
const Beginning = {
  item_id: Id,
  sample_rate: integer({ minimum: 8000, maximum: 96_000 }),
  language: oneOf(languages),
  template_id: nullable(string({ maxLength: 64 })),
};

const Changed = object({
  dictation: Dictation,
  at: number({ description: 'Where the dictation goes on then, in seconds: the person speaks there again.' }),
});

export const dictationCalls = {
  'dictation.list': call({
    summary: 'The dictations that are not done',
    input: nothing,
    output: object({ items: array(Dictation), ...revised }),
  }),
  'dictation.start': call({
    summary: 'Begin a dictation; it is on disk when the call returns',
    input: object(Beginning),
    output: Dictation,
  }),
  'dictation.take': call({
    summary: 'Begin a take at a place of the dictation, or go on with the take of that id',
    input: object(
      {
        id: Id,
        take: TakeId,
        mode: oneOf(insertModes),
        at: nullable(number({ minimum: 0, description: 'Seconds from the beginning; `null`: at the end.' })),
      },
      {
        of: number({ minimum: 0, description: 'Length of the dictation when the person chose `at`, in seconds.' }),
        page: string({ maxLength: 64, description: 'Random name of the page that records.' }),
        take_over: boolean({
          description: 'Record even if another page records the dictation now; goes on where that page was.',
        }),
        resumed: object(
          { ...Beginning, from: integer({ minimum: 0, description: 'First sample of the take that can still come.' }) },
          {},
          {
            description:
              'The page or the app was started again. If the dictation is sealed or gone, the rest of the take goes into another dictation of the exam.',
          },
        ),
      },
    ),
    output: object({
      dictation: Dictation,
      at: number({ description: 'Where the sound goes, in seconds.' }),
      stored: integer({ description: 'How many samples of the take are on disk.' }),
    }),
  }),
  'dictation.block': call({
    summary: 'Add a block of sound; it is on disk when the call returns',
    input: object(
      {
        id: Id,
        take: TakeId,
        from: integer({
          minimum: 0,
          description: 'How many samples of the take precede the block. Samples that are on disk already are skipped.',
        }),
      },
      {
        missing: integer({
          minimum: 1,
          description:
            'How many samples were spoken before the block and not captured: the computer slept or stood still.',
        }),
      },
    ),
    output: object({
      stored: integer({ description: 'How many samples of the take are on disk.' }),
      is_current: boolean({
        description: '`false`: the take has ended; the app stores the rest of its sound all the same.',
      }),
      saved_at: timestamp('When the block was saved.'),
    }),
    bytes: true,
  }),
  'dictation.pause': call({
    summary: 'End the take; the next take goes on',
    input: object(
      { id: Id },
      {
        take: TakeId,
        interrupted: boolean({ description: 'The page was cut off: the app offers the dictation as recovered.' }),
      },
    ),
    output: Dictation,
  }),
  'dictation.room': call({
    summary: 'How much more sound the disk can hold',
    input: byId,
    output: object({ seconds: number({ minimum: 0, description: 'Seconds of sound.' }) }),
  }),
  'dictation.undo': call({
    summary: 'Take back the last stretch that was spoken, from pause to pause, at most ten seconds of speech',
    input: byId,
    output: Changed,
  }),
  'dictation.redo': call({ summary: 'Bring back what was taken back last', input: byId, output: Changed }),
  'dictation.peaks': call({
    summary: 'The outline of the sound',
    input: object({ id: Id, points: integer({ minimum: 1, maximum: 4000 }) }),
    output: object({ peaks: array(number({ minimum: 0, maximum: 1 })), seconds: number() }),
  }),
  'dictation.choose': call({
    summary: 'Choose the language and template of the report',
    input: object({ id: Id, language: oneOf(languages), template_id: nullable(string({ maxLength: 64 })) }),
    output: Dictation,
  }),
  'dictation.send': call({
    summary: 'Seal the dictation and have the service make the document',
    input: object(
      { id: Id, language: oneOf(languages), template_id: nullable(string({ maxLength: 64 })) },
      {
        of: number({ minimum: 0, description: 'Length of the dictation when the person asked for this, in seconds.' }),
        format: oneOf(uploadFormats, {
          description: 'Overrides the setting: a page that cannot compress says `wav`.',
        }),
      },
    ),
    output: Dictation,
  }),
  'dictation.encoded': call({
    summary: 'The sealed sound as the page compressed it, to be sent instead of WAV',
    input: object({ id: Id, content_type: oneOf(['audio/webm', 'audio/ogg']) }),
    output: Dictation,
    bytes: true,
  }),
  'dictation.retry': call({
    summary: 'Send a failed dictation again',
    input: object(
      { id: Id },
      {
        format: oneOf(uploadFormats, {
          description: '`opus`: the page can compress the sound. Otherwise the app sends it as it is.',
        }),
      },
    ),
    output: Dictation,
  }),
  'dictation.cancel': call({ summary: 'Stop the job; the app keeps the sound', input: byId, output: Dictation }),
  'dictation.discard': call({ summary: 'Discard a dictation', input: byId, output: object(revised) }),
  'dictation.restore': call({ summary: 'Restore a discarded dictation', input: byId, output: Dictation }),
} as const;
