/**
 * Reads the answers of servers of audio transcriptions in all their dialects: whole or as events; with words, with segments,
 * or with neither; numbers as text; times in nanoseconds; words in parts; null for what a server does not know.
 */
import { createParser } from 'eventsource-parser';
import { failure } from './failures.ts';
import { languageCode } from './languages.ts';

/** What is known of words. Those who share it were told of together. */
export interface Known {
  /** In seconds from the beginning of what was sent. */
  readonly from?: number;
  readonly to?: number;
  /** From 0 to 1. */
  readonly confidence?: number;
}

/** A word as it stands in the text, with its punctuation. */
export interface Word {
  readonly text: string;
  readonly known?: Known;
}

/** Words that a server tells of together. */
export interface Segment {
  readonly words: readonly Word[];
  readonly from?: number;
  readonly to?: number;
  /** The mean logarithm of the likelihood of its tokens. */
  readonly logprob?: number;
  /** How likely it is, from 0 to 1, that nobody speaks there. */
  readonly noSpeech?: number;
  /** How many times shorter the text is when it is compressed. */
  readonly compression?: number;
  /** The language for which the server took the speech (ISO 639-1). */
  readonly language?: string;
}

/** Throws the failure that the answer reports. `seconds` is the length of the sound. */
export function segmentsIn(contentType: string, body: string, seconds: number): Segment[] {
  const isEvents = /^text\/event-stream/i.test(contentType) || /^(?:data|event|id):/.test(body.trimStart());
  const answer = isEvents ? joinedEvents(body) : objectOf(parsed(body));
  if (answer['error'] !== undefined && answer['error'] !== null) throw failure('failed');
  const told = listOf(answer['segments']).map(objectOf).filter(hasText);
  const text = typeof answer['text'] === 'string' ? answer['text'] : undefined;
  if (text === undefined && !Array.isArray(answer['segments'])) throw failure('unreadable');
  // Segments that are not the text are about something else.
  const isParted = told.length > 0 && (text === undefined || lettersOf(told.map(textOf).join('')) === lettersOf(text));
  const parts: readonly Json[] = isParted ? told : [{ text }];
  const scale = scaleOf([...told, ...timedIn(answer)], seconds);
  const timed = [...timedIn(answer), ...told.flatMap(timedIn), ...likelihoodsIn(answer)];
  const language = languageIn(answer);
  return placed(
    parts.map((part) => ({ ...segmentOf(part, scale, seconds), ...(language !== undefined && { language }) })),
    timed.map((word) => timedWord(word, scale, seconds)),
  );
}

type Json = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const hasText = ({ text }: Json): boolean => typeof text === 'string';
const textOf = ({ text }: Json): string => String(text);

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // It is no JSON.
  }
  throw failure('unreadable');
}

/** Below this a server does not know which language it hears. */
const sureOfLanguage = 0.5;

/**
 * The language that was heard, which may not be the one that was asked for: whisper.cpp tells both (`detected_language`), others
 * one of the two, by its English name or its code.
 */
function languageIn({
  language,
  detected_language: detected,
  detected_language_probability: probability,
}: Json): string | undefined {
  const isSure = (numberOf(probability) ?? 1) >= sureOfLanguage;
  const told = typeof detected === 'string' && isSure ? detected : language;
  return typeof told === 'string' ? languageCode(told) : undefined;
}

/** The events of a stream as one answer: the text at its end, else its pieces, else the texts of all. */
function joinedEvents(body: string): Json {
  const events: Json[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void (data.trim() === '[DONE]' || events.push(objectOf(parsed(data)))),
  });
  parser.feed(`${body}\n\n`);
  const done = events.find(({ type }) => type === 'transcript.text.done');
  const failed = events.find(({ error, type }) => type === 'error' || (error !== undefined && error !== null));
  if (failed) throw failure('failed');
  if (done) return done;
  const deltas = events.filter(({ delta }) => typeof delta === 'string');
  // A stream that ends before its end lost words.
  if (deltas.length > 0) throw failure('failed');
  const texts = events.filter(hasText);
  if (texts.length === 0) throw failure('unreadable');
  return { text: texts.map(textOf).join(' '), words: texts.flatMap(({ words }) => listOf(words)) };
}

/** A number, which may be a text. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Words with times, of an answer or of one of its segments. */
const timedIn = ({ words }: Json): Json[] => listOf(words).map(objectOf);

/** Tokens with their likelihood, as words without times. */
const likelihoodsIn = ({ logprobs }: Json): Json[] =>
  listOf(logprobs)
    .map(objectOf)
    .map(({ token, logprob }) => ({ word: token, probability: likelihoodOf(numberOf(logprob)) }));

/** At most what is certain; a logarithm above 0 is none. */
export const likelihoodOf = (logprob: number | undefined): number | undefined =>
  logprob === undefined || logprob > 0 ? undefined : Math.exp(logprob);

/** What makes seconds of the times of an answer: some count milliseconds or nanoseconds. */
function scaleOf(timed: readonly Json[], seconds: number): number {
  const last = timed.reduce((latest, { end }) => Math.max(latest, numberOf(end) ?? 0), 0);
  // Whisper hears in windows of 30 s, and may tell of times behind the end.
  return [1, 1e-3, 1e-9].find((scale) => last * scale <= seconds + 31) ?? 1;
}

/** Times that can be: in order, and not far behind the end. */
function timesOf({ start, end }: Json, scale: number, seconds: number): { from?: number; to?: number } {
  const [from, to] = [numberOf(start), numberOf(end)].map((time) => (time === undefined ? undefined : time * scale));
  if (from === undefined || to === undefined || from < 0 || to < from || from > seconds + 31) return {};
  return { from, to };
}

function segmentOf(part: Json, scale: number, seconds: number): Segment {
  const logprob = numberOf(part['avg_logprob']);
  const noSpeech = numberOf(part['no_speech_prob']);
  const compression = numberOf(part['compression_ratio']);
  const times = timesOf(part, scale, seconds);
  const confidence = likelihoodOf(logprob);
  const known = { ...times, ...(confidence !== undefined && { confidence }) };
  const isKnown = Object.keys(known).length > 0;
  return {
    words: wordsOf(textOf(part)).map((text): Word => (isKnown ? { text, known } : { text })),
    ...times,
    ...(logprob !== undefined && { logprob }),
    ...(noSpeech !== undefined && { noSpeech }),
    ...(compression !== undefined && { compression }),
  };
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => word !== '');

/** A word as a server told of it, before its place in the text is known. */
interface Timed extends Known {
  readonly letters: string;
}

function timedWord(word: Json, scale: number, seconds: number): Timed {
  const told = word['word'] ?? word['text'];
  const confidence = numberOf(word['probability'] ?? word['confidence'] ?? word['score']);
  return {
    letters: typeof told === 'string' ? lettersOf(told) : '',
    ...timesOf(word, scale, seconds),
    ...(confidence !== undefined && confidence >= 0 && confidence <= 1 && { confidence }),
  };
}

/** Letters and figures alone: servers leave out punctuation, or tell of a word in parts. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Letters of the text that may have been told of by no word. */
const longestGap = 60;

/** The segments, with what was told of single words at those words. */
function placed(segments: readonly Segment[], timed: readonly Timed[]): Segment[] {
  const words = segments.flatMap((segment) => segment.words);
  const text = words.map((word) => lettersOf(word.text)).join('');
  const own: Timed[][] = words.map(() => []);
  const ends: number[] = [];
  for (const word of words) ends.push((ends.at(-1) ?? 0) + lettersOf(word.text).length);
  let [at, index] = [0, 0];
  for (const each of timed) {
    if (each.letters === '') continue;
    // A short word would be found anywhere.
    const found =
      each.letters.length < 3 ? (text.startsWith(each.letters, at) ? at : -1) : text.indexOf(each.letters, at);
    if (found < 0 || found - at > longestGap) continue;
    at = found + each.letters.length;
    while (ends[index]! <= found) index += 1;
    for (let covered = index; covered < words.length && (ends[covered - 1] ?? 0) < at; covered += 1) {
      own[covered]!.push(each);
    }
  }
  let next = 0;
  let latest = 0;
  return segments.map((segment) => ({
    ...segment,
    words: segment.words.map((word): Word => {
      const known = joined(own[next++]!, word.known, latest);
      latest = known?.from ?? latest;
      return known ? { text: word.text, known } : word;
    }),
  }));
}

/** What was told of the parts of a word, as of one; `undefined`: nothing was. Times never go back. */
function joined(parts: readonly Timed[], segment: Known | undefined, latest: number): Known | undefined {
  if (parts.length === 0) return undefined;
  const confidences = parts.flatMap(({ confidence }) => confidence ?? []);
  const confidence = confidences.length > 0 ? Math.min(...confidences) : segment?.confidence;
  const times = parts.filter(({ from }) => from !== undefined);
  const from = Math.max(latest, times[0]?.from ?? 0);
  const known = {
    ...(times.length > 0 && { from, to: Math.max(from, ...times.map(({ to }) => to!)) }),
    ...(confidence !== undefined && { confidence }),
  };
  return Object.keys(known).length > 0 ? known : undefined;
}
