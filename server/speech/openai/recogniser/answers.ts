/**
 * Parses responses of transcription servers in all dialects: whole or as events; with words, segments, or neither;
 * numbers as strings; times in nanoseconds; split words; null for unknown values.
 */
import { createParser } from 'eventsource-parser';
import { failure } from './failures.ts';
import { languageCode } from './languages.ts';
import type { Segment, Word, WordData } from '../../hearing/words.ts';

/** Throws the failure that the response reports. `seconds`: length of the audio. */
export function parseSegments(contentType: string, body: string, seconds: number): Segment[] {
  const isEvents = /^text\/event-stream/i.test(contentType) || /^(?:data|event|id):/.test(body.trimStart());
  const answer = isEvents ? joinEvents(body) : objectOf(parseJson(body));
  if (answer['error'] !== undefined && answer['error'] !== null) throw failure('failed');
  const reported = listOf(answer['segments']).map(objectOf).filter(hasText);
  const text = typeof answer['text'] === 'string' ? answer['text'] : undefined;
  if (text === undefined && !Array.isArray(answer['segments'])) throw failure('unreadable');
  // Segments that differ from the text are ignored.
  const isParted =
    reported.length > 0 && (text === undefined || lettersOf(reported.map(textOf).join('')) === lettersOf(text));
  const parts: readonly Json[] = isParted ? reported : [{ text }];
  const scale = findScale([...reported, ...readWords(answer)], seconds);
  const timed = [...readWords(answer), ...reported.flatMap(readWords), ...readLikelihoods(answer)];
  const language = findLanguage(answer);
  return assignWords(
    parts.map((part) => ({ ...readSegment(part, scale, seconds), ...(language !== undefined && { language }) })),
    timed.map((word) => readReportedWord(word, scale, seconds)),
  );
}

type Json = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const hasText = ({ text }: Json): boolean => typeof text === 'string';
const textOf = ({ text }: Json): string => String(text);

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON.
  }
  throw failure('unreadable');
}

/** Below this probability the detected language is ignored. */
const minLanguageProbability = 0.5;

/**
 * The detected language, which may differ from the requested one. whisper.cpp reports both (`detected_language`),
 * others one of them, by English name or code.
 */
function findLanguage({
  language,
  detected_language: detected,
  detected_language_probability: probability,
}: Json): string | undefined {
  const isSure = (toNumber(probability) ?? 1) >= minLanguageProbability;
  const name = typeof detected === 'string' && isSure ? detected : language;
  return typeof name === 'string' ? languageCode(name) : undefined;
}

/** Combines the events of a stream: the final text, or else the events' texts. */
function joinEvents(body: string): Json {
  const events: Json[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void (data.trim() === '[DONE]' || events.push(objectOf(parseJson(data)))),
  });
  parser.feed(`${body}\n\n`);
  const done = events.find(({ type }) => type === 'transcript.text.done');
  const failed = events.find(({ error, type }) => type === 'error' || (error !== undefined && error !== null));
  if (failed) throw failure('failed');
  if (done) return done;
  const deltas = events.filter(({ delta }) => typeof delta === 'string');
  // A stream without its final event lost words.
  if (deltas.length > 0) throw failure('failed');
  const texts = events.filter(hasText);
  if (texts.length === 0) throw failure('unreadable');
  return { text: texts.map(textOf).join(' '), words: texts.flatMap(({ words }) => listOf(words)) };
}

/** A number, or a string with one. */
function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Words with times, of a response or segment. */
const readWords = ({ words }: Json): Json[] => listOf(words).map(objectOf);

/** Tokens with their probability, as words without times. */
const readLikelihoods = ({ logprobs }: Json): Json[] =>
  listOf(logprobs)
    .map(objectOf)
    .map(({ token, logprob }) => ({ word: token, probability: toLikelihood(toNumber(logprob)) }));

/** At most 1; a positive logarithm is invalid. */
export const toLikelihood = (logprob: number | undefined): number | undefined =>
  logprob === undefined || logprob > 0 ? undefined : Math.exp(logprob);

/** The factor that converts times to seconds: some servers use milliseconds or nanoseconds. */
function findScale(timed: readonly Json[], seconds: number): number {
  const last = timed.reduce((latest, { end }) => Math.max(latest, toNumber(end) ?? 0), 0);
  // Whisper uses windows of 30 s and may report times after the end.
  return [1, 1e-3, 1e-9].find((scale) => last * scale <= seconds + 31) ?? 1;
}

/** Drops impossible times: out of order or far after the end. */
function readTimes({ start, end }: Json, scale: number, seconds: number): { from?: number; to?: number } {
  const [from, to] = [toNumber(start), toNumber(end)].map((time) => (time === undefined ? undefined : time * scale));
  if (from === undefined || to === undefined || from < 0 || to < from || from > seconds + 31) return {};
  return { from, to };
}

function readSegment(part: Json, scale: number, seconds: number): Segment {
  const logprob = toNumber(part['avg_logprob']);
  const noSpeech = toNumber(part['no_speech_prob']);
  const compression = toNumber(part['compression_ratio']);
  const times = readTimes(part, scale, seconds);
  const confidence = toLikelihood(logprob);
  const known = { ...times, ...(confidence !== undefined && { confidence }) };
  const isKnown = Object.keys(known).length > 0;
  return {
    words: splitWords(textOf(part)).map((text): Word => (isKnown ? { text, data: known } : { text })),
    ...times,
    ...(logprob !== undefined && { logprob }),
    ...(noSpeech !== undefined && { noSpeech }),
    ...(compression !== undefined && { compression }),
  };
}

const splitWords = (text: string): string[] =>
  text
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => word !== '');

/** A reported word, before it is located in the text. */
interface ReportedWord extends WordData {
  readonly letters: string;
}

function readReportedWord(word: Json, scale: number, seconds: number): ReportedWord {
  const text = word['word'] ?? word['text'];
  const confidence = toNumber(word['probability'] ?? word['confidence'] ?? word['score']);
  return {
    letters: typeof text === 'string' ? lettersOf(text) : '',
    ...readTimes(word, scale, seconds),
    ...(confidence !== undefined && confidence >= 0 && confidence <= 1 && { confidence }),
  };
}

/** Only letters and digits, because servers omit punctuation or split words. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Maximum number of letters without a reported word. */
const maxGap = 60;

/** Assigns the data of reported words to the words of the segments. */
function assignWords(segments: readonly Segment[], timed: readonly ReportedWord[]): Segment[] {
  let text = '';
  const placed = segments.map((segment) => ({
    ...segment,
    words: segment.words.map((word): PlacedWord => {
      const start = text.length;
      text += lettersOf(word.text);
      return { word, start, end: text.length, parts: [] };
    }),
  }));
  const words = placed.flatMap((segment) => segment.words);
  let [at, index] = [0, 0];
  for (const each of timed) {
    if (each.letters === '') continue;
    // A short word would match anywhere.
    const found =
      each.letters.length < 3 ? (text.startsWith(each.letters, at) ? at : -1) : text.indexOf(each.letters, at);
    if (found < 0 || found - at > maxGap) continue;
    at = found + each.letters.length;
    let covered = words[index];
    while (covered && covered.end <= found) covered = words[++index];
    for (let next = index; covered && covered.start < at; covered = words[++next]) covered.parts.push(each);
  }
  let latest = 0;
  return placed.map((segment) => ({
    ...segment,
    words: segment.words.map(({ word, parts }): Word => {
      const known = mergeParts(parts, word.data, latest);
      latest = known?.from ?? latest;
      return known ? { text: word.text, data: known } : word;
    }),
  }));
}

/** A word, where its letters are among those of the whole text, and what was reported of them. */
interface PlacedWord {
  readonly word: Word;
  readonly start: number;
  readonly end: number;
  readonly parts: ReportedWord[];
}

/** Combines the data of a word's parts; `undefined` if there is none. Times never decrease. */
function mergeParts(
  parts: readonly ReportedWord[],
  segment: WordData | undefined,
  latest: number,
): WordData | undefined {
  if (parts.length === 0) return undefined;
  const confidences = parts.flatMap(({ confidence }) => confidence ?? []);
  const confidence = confidences.length > 0 ? Math.min(...confidences) : segment?.confidence;
  const times = parts.flatMap(({ from, to }) => (from === undefined || to === undefined ? [] : [{ from, to }]));
  const from = Math.max(latest, times[0]?.from ?? 0);
  const known = {
    ...(times.length > 0 && { from, to: Math.max(from, ...times.map(({ to }) => to)) }),
    ...(confidence !== undefined && { confidence }),
  };
  return Object.keys(known).length > 0 ? known : undefined;
}
