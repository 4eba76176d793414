/** Live transcriptions: words during speech (extension). */
import { endpoint, group } from './endpoint.ts';
import { maxAudioBytes } from './record.ts';
import {
  anyOf,
  array,
  bytes,
  integer,
  literal,
  meanings,
  named,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';
import { buildDeleted, ItemId, languageField, soundSeconds, TranscriptionId } from './shared.ts';
import { TemplateId } from './template.ts';

/** Samples a second of the sound of a live transcription. */
export const liveSampleRate = 16_000;
/** Bytes of a sample: PCM, 16-bit signed little-endian, one channel. */
export const liveSampleBytes = 2;
export const liveBytesPerSecond = liveSampleRate * liveSampleBytes;
/** The largest number of bytes of sound in one request: half a minute. */
export const maxSoundBytes = 1024 * 1024;
/**
 * The largest number of bytes of sound in one transcription: as much as a record may have, without the head of its WAV
 * file.
 */
export const maxTranscriptionBytes = maxAudioBytes - 64;
/** The largest number of open transcriptions of one login. */
export const maxOpenTranscriptions = 8;
/** Minutes without sound after which an open transcription ends. */
export const quietMinutes = 10;
/** Hours for which an ended transcription waits for its record. */
export const keptHours = 24;
/** Bytes of sound by which a new transcription may be ahead of real time: a minute. */
export const soundAhead = 60 * liveBytesPerSecond;
/** How many times faster than real time later sound may arrive. */
export const soundPace = 1.5;

export const LiveWord = named(
  'LiveWord',
  object(
    {
      text: string({ description: 'The word as it stands in the text of its phrase.', examples: ['effusion'] }),
      start: soundSeconds('When the word begins', 3.2),
      end: soundSeconds('When the word ends', 3.72),
    },
    {
      confidence: number({
        minimum: 0,
        maximum: 1,
        description: 'How sure the recogniser is, from 0 to 1. Absent: it does not say.',
      }),
    },
  ),
  'A word that was heard.',
);

export const Phrase = named(
  'Phrase',
  object({
    n: integer({ minimum: 1, description: 'Number of the phrase in the transcription, from 1.', examples: [1] }),
    text: string({ description: 'What was said.', examples: ['No pleural effusion.'] }),
    start: soundSeconds('Where the sound of the phrase begins', 2.4),
    end: soundSeconds('Where the sound of the phrase ends', 4.1),
    words: array(LiveWord, {
      description:
        'The words, in the order of the text. Empty where the recogniser does not tell when each word was said.',
    }),
  }),
  'Words that do not change any more.',
);
export type Phrase = TypeOf<typeof Phrase>;

const statuses = {
  open: 'it takes sound',
  settling: 'it takes no more sound, and some of the sound has not been heard yet',
  ended: 'all that was heard is final',
};
const TranscriptionError = nullable(
  object(
    {
      code: string({ description: 'One of the error codes of the API.', examples: ['ENGINE_UNAVAILABLE'] }),
      message: string({ description: 'What went wrong, for people, without patient data.' }),
    },
    {},
    {
      description:
        'Why no more words come. The transcription takes sound all the same, and a record that is generated from it is heard from the whole sound. `null`: words come.',
    },
  ),
);

export const Transcription = named(
  'Transcription',
  object({
    id: TranscriptionId,
    status: oneOf(Object.keys(statuses) as (keyof typeof statuses)[], {
      description: meanings('How far the transcription is.', statuses),
    }),
    language: languageField('Language that is spoken:'),
    template_id: nullable({ ...TemplateId, description: 'Id of the template for which somebody speaks.' }),
    worklist_item_id: nullable({ ...ItemId, description: 'Id of the worklist item of which somebody speaks.' }),
    offset: integer({
      minimum: 0,
      description: 'Bytes of sound that the service has stored; the next sound goes on from here.',
      examples: [64_000],
    }),
    format: literal('pcm_s16le', {
      description: 'Format of the sound: PCM, signed, 16 bits, the low byte first, one channel, no head.',
    }),
    sample_rate: integer({ description: 'Samples a second.', examples: [liveSampleRate] }),
    chunk_ms: integer({
      minimum: 1,
      description:
        'The recogniser listens in chunks of about so many milliseconds: no word comes sooner. Send sound in smaller pieces than that, for example of 100 ms.',
      examples: [560],
    }),
    phrases: array(Phrase, { description: 'What is final so far.' }),
    error: TranscriptionError,
    created_at: timestamp('When the transcription began.'),
    expires_at: timestamp(
      `When it ends by itself, if no sound comes: after ${quietMinutes} minutes. Of an ended transcription: when the service deletes it with its sound, if no record is generated from it.`,
    ),
  }),
  'Sound that is heard while it comes.',
);
export type Transcription = TypeOf<typeof Transcription>;

const event = <const T extends string>(type: T, description: string) => literal(type, { description });

export const TranscriptionEvent = named(
  'TranscriptionEvent',
  anyOf([
    object({ type: event('final', 'Words that do not change any more.'), phrase: Phrase }),
    object({
      type: event('partial', 'What is being said after the last final phrase.'),
      text: string({ description: 'Replaces the partial text before; empty where nobody speaks.' }),
    }),
    object({ type: event('failed', 'No more words come; `error` of the transcription says why.') }),
    object({ type: event('ended', 'All that was heard is final. It is the last event.') }),
  ]),
  'Data of an event; `type` is also the name of the event.',
);
export type TranscriptionEvent = TypeOf<typeof TranscriptionEvent>;

export const TranscriptionInput = named(
  'TranscriptionInput',
  object(
    {},
    {
      language: languageField(
        'Language that is spoken. Default: the language of the exam description, else `en-US`. It is one of',
      ),
      template_id: { ...TemplateId, description: 'Id of the template for which somebody will speak.' },
      worklist_item_id: { ...ItemId, description: 'Id of the worklist item of which somebody will speak.' },
    },
  ),
  'What somebody is about to say.',
);
export type TranscriptionInput = TypeOf<typeof TranscriptionInput>;

const sound: Schema<AsyncIterable<Uint8Array> | Uint8Array> = bytes(
  'Whole samples: PCM, signed, 16 bits, the low byte first, 16,000 a second, one channel.',
);
const byId = { params: object({ id: TranscriptionId as Schema<string> }) };
const common = { access: 'bearer', scope: 'transcriptions:write', extension: true } as const;

export const transcriptions = group({
  title: 'Live transcriptions',
  description:
    'Words while somebody still speaks. A transcription belongs to the login that began it: renewed tokens go on with it, and nobody else sees it. It ends, with its sound, when the login is revoked.',
  endpoints: {
    create: endpoint({
      ...common,
      method: 'POST',
      path: '/api/v1/transcriptions',
      summary: 'Begin a live transcription',
      description: `503 ENGINE_UNAVAILABLE where nobody can hear live: \`details.reason\` is \`no_recogniser\` or \`not_live\`. 429 where the login has ${maxOpenTranscriptions} open transcriptions.`,
      body: TranscriptionInput,
      idempotent: true,
      answer: 'envelope',
      responses: { 201: Transcription },
      errors: ['ENGINE_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
      examples: { body: { 'for an exam': { language: 'en-US' } } },
    }),
    append: endpoint({
      ...common,
      method: 'POST',
      path: '/api/v1/transcriptions/{id}/audio',
      summary: 'Send sound',
      description: `Adds PCM to the sound, and answers once it is stored for good. Sound that the service has already is skipped, so every request may be repeated. 409 OFFSET_CONFLICT where sound before \`offset\` is missing: \`details.offset\` says where to go on. Seconds of sound are counted here and not requests: at most ${soundPace} times as many as have passed since the transcription began, and a minute more; then the answer is 429.`,
      ...byId,
      query: object({
        offset: integer({
          minimum: 0,
          maximum: maxTranscriptionBytes,
          description: 'Bytes of the sound of this transcription before those of the body.',
        }),
      }),
      body: sound,
      bodyTypes: ['application/octet-stream'],
      bodyLimit: maxSoundBytes,
      takesLiveSound: true,
      answer: 'envelope',
      responses: {
        200: named(
          'SoundStored',
          object({ offset: integer({ minimum: 0, description: 'Bytes of sound that the service has stored.' }) }),
          'How much sound is stored.',
        ),
      },
      errors: ['NOT_FOUND', 'OFFSET_CONFLICT', 'INVALID_TRANSITION', 'PAYLOAD_TOO_LARGE', 'STORAGE_UNAVAILABLE'],
    }),
    get: endpoint({
      ...common,
      method: 'GET',
      path: '/api/v1/transcriptions/{id}',
      summary: 'Get a live transcription',
      description: 'How much sound is stored, and what is final so far.',
      ...byId,
      answer: 'envelope',
      responses: { 200: Transcription },
      errors: ['NOT_FOUND'],
    }),
    events: endpoint({
      ...common,
      method: 'GET',
      path: '/api/v1/transcriptions/{id}/events',
      summary: 'Follow a live transcription',
      description:
        'A stream of server-sent events: first every final phrase so far, or with `Last-Event-ID` those after that one, then what comes. `partial` replaces the partial text before, and `final` puts an end to it. The stream closes after `ended`. A comment every 15 seconds keeps it open.',
      ...byId,
      answer: ['text/event-stream'],
      responses: { 200: TranscriptionEvent },
      errors: ['NOT_FOUND'],
    }),
    end: endpoint({
      ...common,
      method: 'POST',
      path: '/api/v1/transcriptions/{id}/end',
      summary: 'End a live transcription',
      description:
        'No more sound comes. The answer is at once, with the status `settling` where something has still to be heard. To generate a record, nobody needs to wait: the generation does.',
      ...byId,
      answer: 'envelope',
      responses: { 200: Transcription },
      errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE'],
    }),
    delete: endpoint({
      ...common,
      method: 'DELETE',
      path: '/api/v1/transcriptions/{id}',
      summary: 'Discard a live transcription',
      description: 'Ends the transcription, and deletes its words and its sound for good.',
      ...byId,
      answer: 'envelope',
      responses: { 200: buildDeleted('TranscriptionDeleted', TranscriptionId) },
      errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE'],
    }),
  },
});
