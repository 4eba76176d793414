/**
 * Notices sound in another language than the report's. A model that is held to a language translates other speech
 * instead of saying so; therefore sound is also heard with the choice left to the model. A model that does not detect
 * the language of a known sentence is not believed.
 */
import { isDoubted } from '../../../src/domain/heard-text.ts';
import type { ForeignSpeech, SoundSpan } from '../../../src/domain/heard-text.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { detectLanguage } from '../../../src/reporting/words/language.ts';
import type { SoundPiece } from '../sound/pieces.ts';
import { soundRate } from '../sound/samples.ts';
import { readSentence } from '../sound/spoken/sentences.ts';
import type { Stretch } from './hear-again.ts';
import type { Transcript } from './join-pieces.ts';
import type { Answer, HearingContext } from './ear.ts';
import type { Word } from './words.ts';

type Hear<Context> = (stretch: Stretch, context: Context, signal: AbortSignal) => Promise<Answer>;

/** A transcript in the report's language. */
export interface CheckedTranscript extends Transcript {
  /** The other language (ISO 639-1) that the sound seems to have in its last seconds, or in all of them. */
  readonly foreign?: { readonly language: string; readonly seconds: number };
}

export interface LanguageCheck<Context> {
  /** Rejects as `hear`. */
  hear(stretch: Stretch, context: Context, signal: AbortSignal): Promise<CheckedTranscript>;
  /** Finds the other language of a span of the piece, of which it hears the beginning. Shorter spans say nothing. */
  probe(piece: SoundPiece, span: SoundSpan, context: Context, signal: AbortSignal): Promise<ForeignSpeech | undefined>;
}

/** Seconds of a probe, and the seconds with a voice from which on one says something. */
const probeSeconds = { most: 10, least: 5 };

/** Languages that models confuse with ours. */
const relatives: Readonly<Record<Language, readonly string[]>> = {
  'pt-BR': ['gl'],
  'en-US': [],
  'es-ES': ['gl', 'ca'],
};

export function createLanguageCheck<Context extends HearingContext>(hear: Hear<Context>): LanguageCheck<Context> {
  const detects = new Map<Language, boolean>();

  const hearOpen = (stretch: Stretch, context: Context, signal: AbortSignal): Promise<Answer> =>
    hear(stretch, { ...context, anyLanguage: true }, signal);

  /** Whether the model detects the language of a sentence that is certainly in it; asked once. */
  const detectsLanguage = async (context: Context, signal: AbortSignal): Promise<boolean> => {
    const known = detects.get(context.language);
    if (known !== undefined) return known;
    const samples = readSentence(context.language);
    const heard = await hearOpen({ samples, voiced: samples.length / soundRate }, context, signal);
    const isDetected = heard.language === context.language.slice(0, 2);
    detects.set(context.language, isDetected);
    return isDetected;
  };

  /** The other language of the sound, if the model is to be believed. */
  const findForeign = async (open: Answer, context: Context, signal: AbortSignal): Promise<string | undefined> =>
    isHeld(open, context.language) || !(await detectsLanguage(context, signal))
      ? undefined
      : nameForeign(open, context.language);

  return {
    async hear(stretch, context, signal) {
      if (detects.get(context.language) === false) return hear(stretch, context, signal);
      const open = await hearOpen(stretch, context, signal);
      const seconds = stretch.samples.length / soundRate;
      if (!isHeld(open, context.language)) {
        const language = await findForeign(open, context, signal);
        const held = await hear(stretch, context, signal);
        return language === undefined ? held : { ...held, foreign: { language, seconds } };
      }
      // A model stops where the language changes.
      const left = seconds - (open.words.at(-1)?.data?.to ?? seconds);
      if (left < probeSeconds.least) return open;
      const rest = { samples: stretch.samples.subarray(-Math.floor(left * soundRate)), voiced: left };
      const language = await findForeign(await hearOpen(rest, context, signal), context, signal);
      return language === undefined ? open : { ...open, foreign: { language, seconds: left } };
    },
    async probe({ samples, voices }, { from, to: end }, context, signal) {
      if (detects.get(context.language) === false) return undefined;
      const to = Math.min(end, from + probeSeconds.most);
      const voiced = measureWithin(voices, { from, to });
      if (voiced < probeSeconds.least) return undefined;
      const stretch = { samples: samples.subarray(Math.floor(from * soundRate), Math.ceil(to * soundRate)), voiced };
      const language = await findForeign(await hearOpen(stretch, context, signal), context, signal);
      return language === undefined ? undefined : { from, to: end, language };
    },
  };
}

/** Whether it is what a model says that is held to the language. */
const isHeld = ({ language: named }: Answer, expected: Language): boolean =>
  named === undefined || named === expected.slice(0, 2);

/** The language that the model names, unless its words are in the expected one, or it may have confused both. */
function nameForeign({ language: named, words }: Answer, expected: Language): string | undefined {
  if (named === undefined || relatives[expected].includes(named)) return undefined;
  return detectLanguage(words.map(({ text }) => text).join(' ')) === expected ? undefined : named;
}

const measureWithin = (voices: readonly SoundSpan[], { from, to }: SoundSpan): number =>
  voices.reduce((sum, voice) => sum + Math.max(0, Math.min(voice.to, to) - Math.max(voice.from, from)), 0);

/** Words in a row of which most are unsure: another language may be spoken. */
const unsure = { words: 8, doubted: 5 };

/** Spans in which the model is unsure of most words, in order. */
export function findUnsureSpans(words: readonly Word[]): SoundSpan[] {
  const spans: { from: number; to: number }[] = [];
  for (let at = 0; at + unsure.words <= words.length; at += 1) {
    const row = words.slice(at, at + unsure.words).flatMap(({ data }) => data ?? []);
    const [from, to] = [row[0]?.from, row.at(-1)?.to];
    if (from === undefined || to === undefined || row.filter(isDoubted).length < unsure.doubted) continue;
    const last = spans.at(-1);
    if (last && last.to >= from) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

/** Seconds in a language from which on it is believed: models are often wrong about a few words. */
const enoughSeconds = 5;
/** Parts of one language this near to each other are one. */
const pauseSeconds = 2;

/** Joins the parts, and drops languages of a few words alone. */
export function keepCertain(foreign: readonly ForeignSpeech[]): ForeignSpeech[] {
  const seconds = new Map<string, number>();
  const parts: { from: number; to: number; language: string }[] = [];
  for (const { from: begin, to, language } of foreign.toSorted((a, b) => a.from - b.from)) {
    const from = Math.max(begin, parts.at(-1)?.to ?? 0);
    if (from >= to) continue;
    seconds.set(language, (seconds.get(language) ?? 0) + to - from);
    const last = parts.at(-1);
    if (last?.language === language && from - last.to < pauseSeconds) last.to = to;
    else parts.push({ from, to, language });
  }
  return parts.filter(({ language }) => (seconds.get(language) ?? 0) >= enoughSeconds);
}
