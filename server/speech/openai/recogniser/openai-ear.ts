/** Hears stretches of sound at a server: retries if the server is busy, splits what is too long for it. */
import { AppError } from '../../../../src/contract/errors.ts';
import { backoffDelay } from '../../../../src/domain/backoff.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { pause } from '../../../../src/domain/pause.ts';
import type { Stretch } from '../../hearing/hear-again.ts';
import { joinPieces } from '../../hearing/join-pieces.ts';
import type { HeardPiece } from '../../hearing/join-pieces.ts';
import type { Answer, Ear, HearingContext } from '../../hearing/ear.ts';
import { moveTimes, toTranscript } from '../../hearing/transcripts.ts';
import type { Segment } from '../../hearing/words.ts';
import { originalTime, cutPieces } from '../../sound/pieces.ts';
import { soundRate } from '../../sound/samples.ts';
import { withDeadline } from '../deadline.ts';
import type { Endpoint } from './endpoint.ts';
import { failure, reasonOf } from './failures.ts';

export interface OpenaiEarOptions extends Pick<Ear<DictationContext>, 'places'> {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Timeout of a request. */
  readonly timeoutMs: number;
  /** Length of a piece. */
  readonly seconds: number;
}

/** Shared by all pieces of a dictation. */
export interface DictationContext extends HearingContext {
  readonly terms: readonly string[];
}

/** Requests per piece, including the first. */
const maxAttempts = 4;
const backoff = { base: 500, factor: 3, max: 30_000 };
/** Seconds to wait at most before a retry. Callers get a longer Retry-After. */
const maxWaitSeconds = 60;
/** Failures that may pass within seconds. */
const transientReasons = new Set<string>(['busy', 'failed', 'unreachable']);
/** Seconds of a piece that is never too long; if a server says so, the reason is another. */
const minPieceSeconds = 8;

export function createOpenaiEar({
  endpoint,
  places,
  clock,
  random,
  timeoutMs,
  seconds,
}: OpenaiEarOptions): Ear<DictationContext> {
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

  const hear = async (stretch: Stretch, dictated: DictationContext, signal: AbortSignal): Promise<Answer> => {
    const { samples, voiced } = stretch;
    const length = samples.length / soundRate;
    try {
      const sound = { ...dictated, samples, voiced };
      const ask = (): Promise<Segment[]> => withDeadline(deadline, signal, (soon) => endpoint.hear(sound, soon));
      const segments = await retry(ask, signal);
      const language = segments.find((segment) => segment.language !== undefined)?.language;
      return {
        ...toTranscript(segments, { terms: dictated.terms, seconds: length, voiced }),
        ...(language !== undefined && { language }),
      };
    } catch (error) {
      if (reasonOf(error) !== 'too_long' || length <= minPieceSeconds) throw error;
      maxSeconds = Math.min(maxSeconds, Math.max(minPieceSeconds, length / 2));
      return hearInParts(samples, Math.max(minPieceSeconds / 2, length / 2), dictated, signal);
    }
  };

  async function hearInParts(
    samples: Float32Array,
    partSeconds: number,
    dictated: DictationContext,
    signal: AbortSignal,
  ): Promise<Answer> {
    const parts: HeardPiece[] = [];
    let language: string | undefined;
    for await (const part of cutPieces([samples], () => partSeconds)) {
      const heard = await hear(part, dictated, signal);
      language ??= heard.language;
      const { words, suppressed } = moveTimes(heard, (at) => originalTime(part, at));
      parts.push({ words, suppressed, ...(part.overlap && { overlap: part.overlap }) });
    }
    return { ...joinPieces(parts), ...(language !== undefined && { language }) };
  }

  return { places, seconds: () => maxSeconds, hear, withoutPrompt: (context) => ({ ...context, terms: [] }) };
}
