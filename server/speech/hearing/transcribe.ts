/**
 * Turns sound into text with any engine: pieces are heard within the engine's limits and joined, speech without words
 * is heard again, and what remains without words is reported.
 */
import type { Language } from '../../../src/contract/shared.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import type { HeardText, SoundSpan } from '../../../src/domain/heard-text.ts';
import type { FairPlaces } from '../../runtime/queue/fair-places.ts';
import { cutPieces, originalTime } from '../sound/pieces.ts';
import type { SoundPiece } from '../sound/pieces.ts';
import { soundRate } from '../sound/samples.ts';
import type { SoundNotes } from '../sound/sound-notes.ts';
import { fillHoles } from './hear-again.ts';
import type { Stretch } from './hear-again.ts';
import { joinPieces, toHeardText } from './join-pieces.ts';
import type { HeardPiece, Transcript } from './join-pieces.ts';
import { hearFactsAgain } from './second-hearing.ts';
import { moveTimes } from './transcripts.ts';
import { findUnheard, measureCoverage } from './unheard-speech.ts';
import type { Coverage } from './unheard-speech.ts';

/** The answer of an engine; times count from the beginning of the stretch. */
export interface Answer extends Transcript {
  /** The detected language (ISO 639-1), if the engine reports one. */
  readonly language?: string;
}

/** Shared by all pieces of a dictation. */
export interface HearingContext {
  readonly language: Language;
  /** Whether its words are known already: a failure is no verdict on the sound. */
  readonly isRepeated?: boolean;
}

/** The operator's choice. */
export interface HearingOptions {
  /** Whether sound with facts is heard twice. */
  readonly twice?: boolean | undefined;
  /** The doubt from which on a person is asked, from 0 to 1. */
  readonly doubt?: number | undefined;
}

/** How an engine hears. */
export interface Ear<Context extends HearingContext> {
  /** Limits the pieces that are heard at the same time. */
  readonly places: FairPlaces;
  /** The longest piece in seconds; may shrink meanwhile. */
  readonly seconds: () => number;
  hear(stretch: Stretch, context: Context, signal: AbortSignal): Promise<Answer>;
  /** The context without a prompt. Absent if the engine takes none. */
  readonly withoutPrompt?: (context: Context) => Context;
}

export type TranscribeSound<Context extends HearingContext> = (
  sound: AsyncIterable<Float32Array>,
  notes: SoundNotes,
  context: Context,
  signal: AbortSignal,
) => Promise<HeardText>;

/** The hearing of one dictation. */
interface Run<Context> {
  readonly context: Context;
  readonly signal: AbortSignal;
  /** The engine failed when it heard facts again, after its own retries: the rest is heard once. */
  isGivenUp: boolean;
}

interface CoveredPiece extends HeardPiece {
  readonly coverage: Coverage;
  /** Sound with facts that was heard only once, since the engine failed. */
  readonly once: readonly SoundSpan[];
  readonly language?: string | undefined;
}

const noWords: Transcript = { words: [], suppressed: [] };

/** The doubt from which on a person is asked by default: two hearings differ. */
const defaultDoubt = 0.3;

export function createTranscription<Context extends HearingContext>(
  { places, seconds, hear, withoutPrompt = (context) => context }: Ear<Context>,
  { twice = true, doubt = defaultDoubt }: HearingOptions = {},
): TranscribeSound<Context> {
  const hearAgain = (stretch: Stretch, again: Context, signal: AbortSignal): Promise<Transcript> =>
    hear(stretch, { ...again, isRepeated: true }, signal);
  const hearHole = (stretch: Stretch, { context, signal }: Run<Context>): Promise<Transcript> =>
    hearAgain(stretch, context, signal).catch((error: unknown) => {
      // The engine refuses this stretch, which is then reported to have no words.
      if (isRefusal(error)) return noWords;
      throw error;
    });
  /** The words of the first hearing are there: a failure does not take them away. */
  const hearFacts = async (stretch: Stretch, again: Context, run: Run<Context>): Promise<Transcript | undefined> => {
    if (run.isGivenUp) return undefined;
    try {
      return await hearAgain(stretch, again, run.signal);
    } catch (error) {
      if (run.signal.aborted || !(isRefusal(error) || isUnavailable(error))) throw error;
      run.isGivenUp ||= !isRefusal(error);
      return undefined;
    }
  };
  const hearPiece = async (piece: SoundPiece, run: Run<Context>): Promise<CoveredPiece> => {
    const { context, signal } = run;
    const { language, ...first } = await hear(piece, context, signal);
    const filled = await fillHoles(piece, first, (stretch) => hearHole(stretch, run));
    const { once, ...whole } = twice
      ? await hearFactsAgain(piece, filled, {
          language: context.language,
          doubt,
          hear: (stretch) => hearFacts(stretch, withoutPrompt(context), run),
          hearThird: (stretch) => hearFacts(stretch, context, run),
        })
      : { ...filled, once: [] };
    const toSound = (at: number): number => originalTime(piece, at);
    const { voices, words } = measureCoverage(piece.voices, whole, piece.samples.length / soundRate);
    const move = ({ from, to }: { from: number; to: number }) => ({
      from: toSound(Math.max(0, from)),
      to: toSound(to),
    });
    return {
      ...moveTimes(whole, toSound),
      once: once.map(move),
      coverage: { voices: voices.map(move), words: words.map(move) },
      ...(piece.overlap && { overlap: piece.overlap }),
      language,
    };
  };

  return async (sound, notes, context, caller) => {
    const failed = new AbortController();
    const signal = AbortSignal.any([caller, failed.signal]);
    const run: Run<Context> = { context, signal, isGivenUp: false };
    const heard: Promise<CoveredPiece>[] = [];
    const fail = (error: unknown): void => failed.abort(error);
    try {
      for await (const piece of notes.watch(cutPieces(sound, seconds))) {
        const leave = await places.enter('pieces', signal);
        const hearing = hearPiece(piece, run).finally(leave);
        hearing.catch(fail);
        heard.push(hearing);
      }
      const pieces = await Promise.all(heard);
      const language = findLanguage(pieces);
      const unheard = findUnheard(pieces.map(({ coverage }) => coverage));
      const once = pieces.flatMap((piece) => piece.once);
      const known = {
        ...notes.facts,
        ...(unheard.length > 0 && { unheard }),
        ...(once.length > 0 && { once }),
        ...(language !== undefined && { language }),
      };
      return { ...toHeardText(joinPieces(pieces)), sound: known };
    } catch (error) {
      fail(error);
      await Promise.allSettled(heard);
      // The first failure aborted the others.
      throw caller.aborted ? error : failed.signal.reason;
    }
  };
}

const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof AppError && error.code === code;
/** The engine takes no such sound. */
const isRefusal = (error: unknown): boolean => hasCode(error, 'VALIDATION_FAILED');
const isUnavailable = (error: unknown): boolean => hasCode(error, 'ENGINE_UNAVAILABLE');

/** The language of most words; `undefined` if the engine reports none. */
function findLanguage(pieces: readonly CoveredPiece[]): string | undefined {
  const words = new Map<string, number>();
  for (const { language, words: own } of pieces) {
    if (language !== undefined) words.set(language, (words.get(language) ?? 0) + own.length);
  }
  return [...words].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
