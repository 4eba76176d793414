/** Transcribes audio piece by piece: retries if the server is busy, splits pieces that are too long. */
import { AppError } from '../../../../src/contract/errors.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { backoffDelay } from '../../../../src/domain/backoff.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { HeardText } from '../../../../src/domain/heard-text.ts';
import { pause } from '../../../../src/domain/pause.ts';
import { withDeadline } from '../deadline.ts';
import type { WordData, Segment } from './answers.ts';
import { findSuppressionReason } from './hallucinations.ts';
import type { Endpoint } from './endpoint.ts';
import { failure, reasonOf } from './failures.ts';
import { joinPieces } from './join-pieces.ts';
import type { HeardPiece } from './join-pieces.ts';
import { soundRate } from '../../sound/samples.ts';
import { originalTime, cutPieces } from '../../sound/pieces.ts';
import type { SoundPiece } from '../../sound/pieces.ts';
import type { SoundNotes } from '../../sound/sound-notes.ts';
import type { FairPlaces } from '../../../runtime/queue/fair-places.ts';
import { measureCoverage, findUnheard } from './unheard-speech.ts';
import type { Coverage } from './unheard-speech.ts';
import { valueAt } from '../../../../src/domain/elements.ts';

export interface TranscriptionOptions {
  readonly endpoint: Endpoint;
  /** Limits concurrent requests. */
  readonly places: FairPlaces;
  readonly clock: Clock;
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Timeout of a request. */
  readonly timeoutMs: number;
  /** Length of a piece. */
  readonly seconds: number;
}

/** Shared by all pieces of a dictation. */
export interface DictationContext {
  readonly language: Language;
  readonly terms: readonly string[];
  readonly notes: SoundNotes;
}

type CoveredPiece = HeardPiece & { readonly coverage: Coverage };

export type TranscribeSound = (
  sound: AsyncIterable<Float32Array>,
  dictated: DictationContext,
  signal: AbortSignal,
) => Promise<HeardText>;

/** Requests per piece, including the first. */
const maxAttempts = 4;
const backoff = { base: 500, factor: 3, max: 30_000 };
/** Seconds to wait at most before a retry. Callers get a longer Retry-After. */
const maxWaitSeconds = 60;
/** Failures that may pass within seconds. */
const transientReasons = new Set<string>(['busy', 'failed', 'unreachable']);
/** Seconds of a piece that is never too long; if a server says so, the reason is another. */
const minPieceSeconds = 8;

export function createTranscription({
  endpoint,
  places,
  clock,
  random,
  timeoutMs,
  seconds,
}: TranscriptionOptions): TranscribeSound {
  let maxSeconds = seconds;
  const deadline = { ms: timeoutMs, clock, createError: () => failure('slow') };

  const retry = async (work: () => Promise<Segment[]>, signal: AbortSignal): Promise<Segment[]> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const wait = error instanceof AppError ? error.retryAfter : undefined;
        if (attempt >= maxAttempts || !transientReasons.has(reasonOf(error) ?? '') || (wait ?? 0) > maxWaitSeconds)
          throw error;
        await pause(clock, Math.max(backoffDelay(attempt, { ...backoff, random }), (wait ?? 0) * 1000), signal);
      }
    }
  };

  /** `toWhole` converts times of the piece to times of the audio. */
  const hearPiece = async (
    piece: SoundPiece,
    dictated: DictationContext,
    signal: AbortSignal,
    toWhole: (at: number) => number,
  ): Promise<CoveredPiece[]> => {
    const { samples, voiced } = piece;
    const length = samples.length / soundRate;
    try {
      const sound = { ...dictated, samples, voiced };
      const ask = (): Promise<Segment[]> => withDeadline(deadline, signal, (soon) => endpoint.hear(sound, soon));
      const segments = await retry(ask, signal);
      return [
        {
          ...toHeardPiece(segments, { terms: dictated.terms, seconds: length, voiced }, piece.overlap, toWhole),
          coverage: measureCoverage(piece, segments, soundRate, toWhole),
        },
      ];
    } catch (error) {
      if (reasonOf(error) !== 'too_long' || length <= minPieceSeconds) throw error;
      maxSeconds = Math.min(maxSeconds, Math.max(minPieceSeconds, length / 2));
      const parts: CoveredPiece[] = [];
      for await (const part of cutPieces([samples], () => Math.max(minPieceSeconds / 2, length / 2))) {
        const whole = (at: number): number => toWhole(originalTime(part, at));
        const overlap = part.overlap && { from: toWhole(part.overlap.from), to: toWhole(part.overlap.to) };
        const own = overlap ?? (parts.length === 0 ? piece.overlap : undefined);
        const cut = { ...part, overlap: own };
        parts.push(...(await hearPiece(cut as SoundPiece, dictated, signal, whole)));
      }
      return parts;
    }
  };

  return async (sound, dictated, caller) => {
    const failed = new AbortController();
    const signal = AbortSignal.any([caller, failed.signal]);
    const heard: Promise<CoveredPiece[]>[] = [];
    const fail = (error: unknown): void => failed.abort(error);
    try {
      for await (const piece of dictated.notes.watch(cutPieces(sound, () => maxSeconds))) {
        const leave = await places.enter('pieces', signal);
        const hearing = hearPiece(piece, dictated, signal, (at) => originalTime(piece, at)).finally(leave);
        hearing.catch(fail);
        heard.push(hearing);
      }
      const pieces = (await Promise.all(heard)).flat();
      const language = findLanguage(pieces);
      const unheard = findUnheard(pieces.map(({ coverage }) => coverage));
      const known = {
        ...dictated.notes.facts,
        ...(unheard.length > 0 && { unheard }),
        ...(language !== undefined && { language }),
      };
      return { ...joinPieces(pieces), sound: known };
    } catch (error) {
      fail(error);
      await Promise.allSettled(heard);
      // The first failure aborted the others.
      throw caller.aborted ? error : failed.signal.reason;
    }
  };
}

function toHeardPiece(
  segments: readonly Segment[],
  sent: Parameters<typeof findSuppressionReason>[1],
  overlap: SoundPiece['overlap'],
  toWhole: (at: number) => number,
): HeardPiece {
  const words: HeardPiece['words'][number][] = [];
  const language = segments.find((segment) => segment.language !== undefined)?.language;
  const suppressed: HeardPiece['suppressed'][number][] = [];
  const moved = new Map<WordData, WordData>();
  const inWholeSound = <T extends WordData>({
    from,
    to,
    ...rest
  }: T): Omit<T, 'from' | 'to'> & Pick<WordData, 'from' | 'to'> =>
    from === undefined || to === undefined
      ? rest
      : { ...rest, from: toWhole(from), to: toWhole(Math.min(to, sent.seconds)) };
  for (const segment of segments) {
    const reason = findSuppressionReason(segment, sent);
    if (reason) {
      const { from, to } = inWholeSound({ from: segment.from, to: segment.to } as WordData);
      const text = segment.words.map((word) => word.text).join(' ');
      suppressed.push({
        text,
        reason,
        after: words.length,
        ...(from !== undefined && to !== undefined && { from, to }),
      });
      continue;
    }
    for (const { text, data: known } of segment.words) {
      if (known && !moved.has(known)) moved.set(known, inWholeSound(known));
      words.push({ text, ...(known && { data: valueAt(moved, known) }) });
    }
  }
  return { words, suppressed, ...(overlap && { overlap }), ...(language !== undefined && { language }) };
}

/** The language of most words; `undefined` if the server reports none. */
function findLanguage(pieces: readonly HeardPiece[]): string | undefined {
  const words = new Map<string, number>();
  for (const { language, words: own } of pieces) {
    if (language !== undefined) words.set(language, (words.get(language) ?? 0) + own.length);
  }
  return [...words].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
