/**
 * Streams to a live transcription of the service: sends sound during its recording, resumes after an outage, and passes
 * on the words. The caller keeps the sound; this module holds none.
 */
import type { Client } from '../client.ts';
import { isTransient } from '../transient.ts';
import { AppError } from '../../contract/errors.ts';
import { liveBytesPerSecond, TranscriptionEvent } from '../../contract/transcription.ts';
import type { TranscriptionInput } from '../../contract/transcription.ts';
import { backoffDelay } from '../../domain/backoff.ts';
import type { Clock } from '../../domain/clock.ts';
import { createBell } from '../../domain/bell.ts';
import { pause } from '../../domain/pause.ts';
import { followEvents } from './event-feed.ts';

/** Recorded sound: PCM, 16-bit signed little-endian, 16,000 samples a second, one channel. */
export interface RecordedSound {
  /** Bytes recorded so far. */
  readonly size: number;
  /** The bytes from `from` up to `to` (not included). */
  read(from: number, to: number): Promise<Uint8Array>;
}

export interface LiveDictationDeps {
  readonly transcriptions: Client['transcriptions'];
  readonly clock: Clock;
  /** Numbers from 0 to 1 (1 excluded), for the jitter of retries. */
  readonly random: () => number;
  readonly sound: RecordedSound;
  /** Gets each final phrase once and in order, whatever happens to the connection. */
  readonly onEvent: (event: TranscriptionEvent) => void;
  /** The service accepts no more of this sound, or no longer knows the transcription. Called at most once. */
  readonly onRefused?: (error: AppError) => void;
}

export interface LiveDictation {
  readonly id: string;
  /** Bytes of sound that the service has. */
  readonly stored: number;
  /** Announces new sound. */
  more(): void;
  /** Tries again now, for example after an outage. */
  hurry(): void;
  /** Sends the rest, and ends the transcription. Rejects as `onRefused` reports, and with INTERRUPTED after `close`. */
  end(): Promise<void>;
  /** Stops sending and following. The transcription stays as it is. */
  close(): Promise<void>;
}

/** Bytes of a request, at most. */
const mouthful = 8 * liveBytesPerSecond;
const waits = { base: 250, factor: 2, max: 10_000 };

/** Begins a transcription. Rejects as the service does: ENGINE_UNAVAILABLE without a live recogniser. */
export async function beginLiveDictation(deps: LiveDictationDeps, input: TranscriptionInput): Promise<LiveDictation> {
  const { data } = await deps.transcriptions.create({ body: input });
  return goOnWithLiveDictation(deps, data.id);
}

/** Continues a transcription that was begun before, with the same sound. */
export function goOnWithLiveDictation(deps: LiveDictationDeps, id: string): LiveDictation {
  const { transcriptions, clock, random, sound, onEvent, onRefused } = deps;
  const closing = new AbortController();
  let stored = 0;
  let phrases = 0;
  let refused: AppError | undefined;
  let waiting: AbortController | undefined;
  let wake = (): void => {};

  const feed = followEvents<TranscriptionEvent>({
    clock,
    random,
    schema: TranscriptionEvent,
    open: (signal, lastSeen) =>
      transcriptions.events(
        { params: { id } },
        { signal, ...(lastSeen !== undefined && { headers: { 'Last-Event-ID': lastSeen } }) },
      ),
    onEvent(event) {
      if (event.type === 'final' && event.phrase.n <= phrases) return;
      if (event.type === 'final') phrases = event.phrase.n;
      if (event.type === 'ended') void feed.close();
      onEvent(event);
    },
    onOpen: () => {},
    onLost: (error) => void (error && !isTransient(error) && refuse(error)),
  });

  function refuse(error: AppError): void {
    if (refused || closing.signal.aborted) return;
    refused = error;
    void feed.close();
    wake();
    onRefused?.(error);
  }

  /** Repeats the call until the service has judged it. */
  async function patiently<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call();
      } catch (error) {
        if (closing.signal.aborted) throw new AppError('INTERRUPTED');
        if (!isTransient(error)) throw error;
        const delay = Math.max(backoffDelay(attempt, { ...waits, random }), (error.retryAfter ?? 0) * 1000);
        waiting = new AbortController();
        await pause(clock, delay, AbortSignal.any([waiting.signal, closing.signal])).catch(() => undefined);
      }
    }
  }

  async function send(): Promise<void> {
    const body = await sound.read(stored, Math.min(sound.size, stored + mouthful));
    const request = { params: { id }, query: { offset: stored }, body };
    try {
      const { data } = await patiently(() => transcriptions.append(request, { retries: 0, signal: closing.signal }));
      stored = data.offset;
    } catch (error) {
      const offset =
        error instanceof AppError && error.code === 'OFFSET_CONFLICT' ? error.details?.['offset'] : undefined;
      if (typeof offset !== 'number') throw error;
      stored = offset;
    }
  }

  async function sendAll(): Promise<void> {
    while (!closing.signal.aborted && !refused) {
      if (stored < sound.size) await send();
      else await new Promise<void>((resolve) => (wake = resolve));
      settle();
    }
  }

  /** Rings when all sound is stored, or none is stored any more. */
  const bell = createBell();
  function settle(): void {
    if (stored < sound.size && !refused && !closing.signal.aborted) return;
    bell.ring();
  }

  const sending = sendAll()
    .catch((error: unknown) => {
      if (error instanceof AppError) refuse(error);
      else throw error;
    })
    .finally(settle);

  return {
    id,
    get stored() {
      return stored;
    },
    more: () => wake(),
    hurry() {
      waiting?.abort();
      feed.hurry();
    },
    async end() {
      wake();
      if (stored < sound.size && !refused) await bell.rung();
      if (refused) throw refused;
      if (closing.signal.aborted) throw new AppError('INTERRUPTED');
      await patiently(() => transcriptions.end({ params: { id } }, { retries: 0, signal: closing.signal }));
    },
    async close() {
      closing.abort();
      waiting?.abort();
      wake();
      await Promise.all([feed.close(), sending]);
    },
  };
}
