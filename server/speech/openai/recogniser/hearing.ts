/** Transcribes audio piece by piece: retries if the server is busy, splits pieces that are too long. */
import { AppError } from '../../../../src/contract/errors.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { backoffDelay } from '../../../../src/domain/backoff.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { HeardText } from '../../../../src/domain/heard-text.ts';
import { pause } from '../../../../src/domain/pause.ts';
import { within } from '../within.ts';
import type { Known, Segment } from './answers.ts';
import { reasonFor } from './doubts.ts';
import type { Endpoint } from './endpoint.ts';
import { failure, reasonOf } from './failures.ts';
import { joined } from './joining.ts';
import type { HeardPiece } from './joining.ts';
import { soundRate } from '../../sound/rate.ts';
import { originalTime, piecesOf } from '../../sound/pieces.ts';
import type { SoundPiece } from '../../sound/pieces.ts';
import type { SoundNotes } from '../../sound/notes.ts';
import type { FairPlaces } from '../../../runtime/queue/fair-places.ts';
import { coverageOf, unheardIn } from './unheard.ts';
import type { Coverage } from './unheard.ts';
import { valueAt } from '../../../../src/domain/elements.ts';

export interface HearingOptions {
  readonly endpoint: Endpoint;
  /** Limits concurrent requests. */
  readonly places: FairPlaces;
  readonly clock: Clock;
  /** From 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Timeout of a request. */
  readonly timeoutMs: number;
  /** Length of a piece. */
  readonly seconds: number;
}

/** Shared by all pieces of a dictation. */
export interface Dictated {
  readonly language: Language;
  readonly terms: readonly string[];
  readonly notes: SoundNotes;
}

type CoveredPiece = HeardPiece & { readonly coverage: Coverage };

export type Hear = (sound: AsyncIterable<Float32Array>, dictated: Dictated, signal: AbortSignal) => Promise<HeardText>;

/** Requests per piece, including the first. */
const mostAttempts = 4;
const backoff = { base: 500, factor: 3, max: 30_000 };
/** Seconds to wait at most before a retry. Callers get a longer Retry-After. */
const longestWait = 60;
/** Failures that may pass within seconds. */
const passing = new Set<string>(['busy', 'failed', 'unreachable']);
/** Seconds of a piece that is never too long; if a server says so, the reason is another. */
const shortest = 8;

export function createHear({ endpoint, places, clock, random, timeoutMs, seconds }: HearingOptions): Hear {
  let most = seconds;
  const deadline = { ms: timeoutMs, clock, late: () => failure('slow') };

  const patiently = async (work: () => Promise<Segment[]>, signal: AbortSignal): Promise<Segment[]> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const wait = error instanceof AppError ? error.retryAfter : undefined;
        if (attempt >= mostAttempts || !passing.has(reasonOf(error) ?? '') || (wait ?? 0) > longestWait) throw error;
        await pause(clock, Math.max(backoffDelay(attempt, { ...backoff, random }), (wait ?? 0) * 1000), signal);
      }
    }
  };

  /** `toWhole` converts times of the piece to times of the audio. */
  const hearPiece = async (
    piece: SoundPiece,
    dictated: Dictated,
    signal: AbortSignal,
    toWhole: (at: number) => number,
  ): Promise<CoveredPiece[]> => {
    const { samples, voiced } = piece;
    const length = samples.length / soundRate;
    try {
      const sound = { ...dictated, samples, voiced };
      const ask = (): Promise<Segment[]> => within(deadline, signal, (soon) => endpoint.hear(sound, soon));
      const segments = await patiently(ask, signal);
      return [
        {
          ...heardPiece(segments, { terms: dictated.terms, seconds: length, voiced }, piece.overlap, toWhole),
          coverage: coverageOf(piece, segments, soundRate, toWhole),
        },
      ];
    } catch (error) {
      if (reasonOf(error) !== 'too_long' || length <= shortest) throw error;
      most = Math.min(most, Math.max(shortest, length / 2));
      const parts: CoveredPiece[] = [];
      for await (const part of piecesOf([samples], () => Math.max(shortest / 2, length / 2))) {
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
      for await (const piece of dictated.notes.of(piecesOf(sound, () => most))) {
        const leave = await places.enter('pieces', signal);
        const hearing = hearPiece(piece, dictated, signal, (at) => originalTime(piece, at)).finally(leave);
        hearing.catch(fail);
        heard.push(hearing);
      }
      const pieces = (await Promise.all(heard)).flat();
      const language = languageOf(pieces);
      const unheard = unheardIn(pieces.map(({ coverage }) => coverage));
      const known = {
        ...dictated.notes.known,
        ...(unheard.length > 0 && { unheard }),
        ...(language !== undefined && { language }),
      };
      return { ...joined(pieces), sound: known };
    } catch (error) {
      fail(error);
      await Promise.allSettled(heard);
      // The first failure aborted the others.
      throw caller.aborted ? error : failed.signal.reason;
    }
  };
}

function heardPiece(
  segments: readonly Segment[],
  sent: Parameters<typeof reasonFor>[1],
  overlap: SoundPiece['overlap'],
  toWhole: (at: number) => number,
): HeardPiece {
  const words: HeardPiece['words'][number][] = [];
  const language = segments.find((segment) => segment.language !== undefined)?.language;
  const suppressed: HeardPiece['suppressed'][number][] = [];
  const moved = new Map<Known, Known>();
  const inWhole = <T extends Known>({ from, to, ...rest }: T): Omit<T, 'from' | 'to'> & Pick<Known, 'from' | 'to'> =>
    from === undefined || to === undefined
      ? rest
      : { ...rest, from: toWhole(from), to: toWhole(Math.min(to, sent.seconds)) };
  for (const segment of segments) {
    const reason = reasonFor(segment, sent);
    if (reason) {
      const { from, to } = inWhole({ from: segment.from, to: segment.to } as Known);
      const text = segment.words.map((word) => word.text).join(' ');
      suppressed.push({
        text,
        reason,
        after: words.length,
        ...(from !== undefined && to !== undefined && { from, to }),
      });
      continue;
    }
    for (const { text, known } of segment.words) {
      if (known && !moved.has(known)) moved.set(known, inWhole(known));
      words.push({ text, ...(known && { known: valueAt(moved, known) }) });
    }
  }
  return { words, suppressed, ...(overlap && { overlap }), ...(language !== undefined && { language }) };
}

/** The language of most words; `undefined` if the server reports none. */
function languageOf(pieces: readonly HeardPiece[]): string | undefined {
  const words = new Map<string, number>();
  for (const { language, words: own } of pieces) {
    if (language !== undefined) words.set(language, (words.get(language) ?? 0) + own.length);
  }
  return [...words].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
