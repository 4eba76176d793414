/**
 * Hears pieces of sound with any engine, for whole dictations and for live ones: speech without words is heard again,
 * facts are heard twice, and what remains without words, or is in another language, is reported.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import type { ForeignSpeech, HeardSound, SoundSpan } from '../../../src/domain/heard-text.ts';
import { originalTime } from '../sound/pieces.ts';
import type { SoundPiece } from '../sound/pieces.ts';
import { soundRate } from '../sound/samples.ts';
import type { Answer, Ear, HearingContext } from './ear.ts';
import { fillHoles } from './hear-again.ts';
import type { Stretch } from './hear-again.ts';
import type { HeardPiece, Transcript } from './join-pieces.ts';
import { createLanguageCheck, findUnsureSpans, keepCertain } from './language-check.ts';
import type { CheckedTranscript } from './language-check.ts';
import { hearFactsAgain } from './second-hearing.ts';
import { moveTimes } from './transcripts.ts';
import { findUnheard, measureCoverage } from './unheard-speech.ts';
import type { Coverage } from './unheard-speech.ts';

/** The operator's choice. */
export interface HearingOptions {
  /** Whether sound with facts is heard twice. */
  readonly twice?: boolean | undefined;
  /** The doubt from which on a person is asked, from 0 to 1. */
  readonly doubt?: number | undefined;
}

/** The hearing of one dictation. */
export interface Run<Context> {
  readonly context: Context;
  readonly signal: AbortSignal;
  /** The engine failed when it heard facts again, after its own retries: the rest is heard once. */
  isGivenUp: boolean;
}

/** A piece whose words are certain; its times are those of the whole sound. */
export interface CheckedPiece extends HeardPiece {
  readonly coverage: Coverage;
  /** Sound with facts that was heard only once, since the engine failed. */
  readonly once: readonly SoundSpan[];
  /** Sound in another language. */
  readonly foreign: readonly ForeignSpeech[];
  readonly language?: string | undefined;
}

export interface PieceHearing<Context> {
  /** The words of the piece; times are those of the piece. `known`: the engine's answer, if it has heard the piece. */
  hear(piece: SoundPiece, run: Run<Context>, known?: Promise<Answer>): Promise<Answer>;
  /** Hears again what is doubtful. The words stay; some get other readings. */
  check(piece: SoundPiece, heard: Answer, run: Run<Context>): Promise<CheckedPiece>;
}

const noWords: Transcript = { words: [], suppressed: [] };

/** The doubt from which on a person is asked by default: two hearings differ. */
const defaultDoubt = 0.3;

export function createPieceHearing<Context extends HearingContext>(
  {
    hear,
    hearSecond: hearByOther,
    withoutPrompt = (context) => context,
  }: Pick<Ear<Context>, 'hear' | 'hearSecond' | 'withoutPrompt'>,
  { twice = true, doubt = defaultDoubt }: HearingOptions = {},
): PieceHearing<Context> {
  const hearAgain = (stretch: Stretch, again: Context, signal: AbortSignal): Promise<Answer> =>
    hear(stretch, { ...again, isRepeated: true }, signal);
  const hearHole = (stretch: Stretch, { context, signal }: Run<Context>): Promise<Transcript> =>
    hearAgain(stretch, context, signal).catch((error: unknown) => {
      // The engine refuses this stretch, which is then reported to have no words.
      if (isRefusal(error)) return noWords;
      throw error;
    });
  const languageCheck = createLanguageCheck(hearAgain);
  /** The words of the first hearing are there: a failure does not take them away. */
  const attempt = async <T>(run: Run<Context>, work: () => Promise<T>): Promise<T | undefined> => {
    if (run.isGivenUp) return undefined;
    try {
      return await work();
    } catch (error) {
      if (run.signal.aborted || !(isRefusal(error) || isUnavailable(error))) throw error;
      run.isGivenUp ||= !isRefusal(error);
      return undefined;
    }
  };
  return {
    async hear(piece, run, known) {
      const { language, ...first } = await (known ?? hear(piece, run.context, run.signal));
      const filled = await fillHoles(piece, first, (stretch) => hearHole(stretch, run));
      return { ...filled, ...(language !== undefined && { language }) };
    },
    async check(piece, { language, ...filled }, run) {
      const { context, signal } = run;
      const again = withoutPrompt(context);
      /** An engine that names no language where it is held to one names none where it may choose. */
      let isLanguageKnown = language === undefined;
      const hearSecond = (stretch: Stretch): Promise<CheckedTranscript> => {
        if (hearByOther) return hearByOther(stretch, { ...again, isRepeated: true }, signal);
        if (language === undefined) return hearAgain(stretch, again, signal);
        isLanguageKnown = true;
        return languageCheck.hear(stretch, again, signal);
      };
      const { once, foreign, ...whole } = twice
        ? await hearFactsAgain(piece, filled, {
            language: context.language,
            doubt,
            hear: (stretch) => attempt(run, () => hearSecond(stretch)),
            hearThird: (stretch) => attempt(run, () => hearAgain(stretch, context, signal)),
          })
        : { ...filled, once: [], foreign: [] };
      const suspected = [
        ...(isLanguageKnown ? [] : [{ from: 0, to: piece.samples.length / soundRate }]),
        ...(language === undefined ? [] : findUnsureSpans(filled.words)),
      ];
      const found = [...foreign];
      for (const span of suspected) {
        if (found.some((each) => each.from < span.to && span.from < each.to)) continue;
        const probed = await attempt(run, () => languageCheck.probe(piece, span, again, signal));
        if (probed) found.push(probed);
      }
      const toSound = (at: number): number => originalTime(piece, at);
      const { voices, words } = measureCoverage(piece.voices, whole, piece.samples.length / soundRate);
      const move = ({ from, to }: SoundSpan): SoundSpan => ({ from: toSound(Math.max(0, from)), to: toSound(to) });
      return {
        ...moveTimes(whole, toSound),
        once: once.map(move),
        foreign: found.map((each) => ({ ...each, ...move(each) })),
        coverage: { voices: voices.map(move), words: words.map(move) },
        ...(piece.overlap && { overlap: piece.overlap }),
        language,
      };
    },
  };
}

/** The facts about the sound of the pieces so far. */
export function describeSound(
  pieces: readonly Pick<CheckedPiece, 'coverage' | 'once' | 'foreign' | 'language' | 'words'>[],
  known: HeardSound,
): HeardSound {
  const language = findLanguage(pieces);
  const unheard = findUnheard(pieces.map(({ coverage }) => coverage));
  const once = pieces.flatMap((piece) => piece.once);
  const foreign = keepCertain(pieces.flatMap((piece) => piece.foreign));
  return {
    ...known,
    ...(unheard.length > 0 && { unheard }),
    ...(once.length > 0 && { once }),
    ...(foreign.length > 0 && { foreign }),
    ...(language !== undefined && { language }),
  };
}

const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof AppError && error.code === code;
/** The engine takes no such sound. */
const isRefusal = (error: unknown): boolean => hasCode(error, 'VALIDATION_FAILED');
const isUnavailable = (error: unknown): boolean => hasCode(error, 'ENGINE_UNAVAILABLE');

/** The language of most words; `undefined` if the engine reports none. */
export function findLanguage(pieces: readonly Pick<CheckedPiece, 'language' | 'words'>[]): string | undefined {
  const words = new Map<string, number>();
  for (const { language, words: own } of pieces) {
    if (language !== undefined) words.set(language, (words.get(language) ?? 0) + own.length);
  }
  return [...words].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
