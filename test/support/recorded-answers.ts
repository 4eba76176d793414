/** Answers of a published model (Whisper base), recorded with the times of their words. */
import { readFile } from 'node:fs/promises';
import type { Language } from '../../src/contract/shared.ts';
import { valueAt } from '../../src/domain/elements.ts';
import type { Reply } from './http-server.ts';
import { wavOf } from './sound.ts';
import { speechLike } from './speech-like.ts';

export type RecordedWord = readonly [text: string, from: number, to: number, sureness?: number];

export interface Recorded {
  readonly name: string;
  readonly language: Language;
  readonly said: string;
  /** One for each time that the sound or a part of it was heard. */
  readonly answers: readonly (readonly RecordedWord[])[];
}

const file = new URL('../fixtures/recorded-answers.json', import.meta.url);
const recordings = new Map(
  (JSON.parse(await readFile(file, 'utf8')) as Recorded[]).map((recorded) => [recorded.name, recorded]),
);

export const recordedAs = (name: string): Recorded => valueAt(recordings, name);

/** An answer as an OpenAI-style server gives it. */
export const replyWith = (words: readonly RecordedWord[]): Reply => ({
  body: {
    text: words.map(([text]) => text).join(' '),
    words: words.map(([word, start, end, probability]) => ({ word, start, end, ...(probability && { probability }) })),
  },
});

/** A recording with a voice where the first answer has words. */
export const soundFor = (
  { answers }: Pick<Recorded, 'answers'>,
  voices: readonly (readonly [number, number])[] = (answers[0] ?? []).map(([, from, to]) => [from, to]),
) => ({ content_type: 'audio/wav', data: wavOf([speechLike(voices)]).toString('base64') }) as const;
