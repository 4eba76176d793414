/**
 * A transcription in progress: stores its audio, has it transcribed, and stores final words. After a failure of server
 * or recogniser, transcription resumes from the stored audio after the last final word, so nothing is lost or repeated.
 */
import { AppError, errors } from '../../../src/contract/errors.ts';
import {
  liveBytesPerSecond,
  liveSampleBytes,
  maxTranscriptionBytes,
  soundAhead,
  soundPace,
} from '../../../src/contract/transcription.ts';
import type { TranscriptionEvent } from '../../../src/contract/transcription.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';
import { isoNow, machineClockOf } from '../../../src/domain/clock.ts';
import { joinHeard } from '../../../src/domain/heard-text.ts';
import type { LiveHeard } from '../../../src/domain/heard-text.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { createBell } from '../../../src/domain/bell.ts';
import { pause } from '../../../src/domain/pause.ts';
import { comment, eventText } from '../../../src/client/events/server-sent-events.ts';
import { findExam, toExamContext } from '../exam.ts';
import type { RecordDeps } from '../deps.ts';
import type { SteadyTime } from '../../runtime/clock/steady-time.ts';
import { openSound } from './sound.ts';
import { computeExpiry, phraseId, secondsOf, toPhrase, toTranscription } from './stored-transcription.ts';
import type { StoredPhrase, StoredTranscription } from './stored-transcription.ts';
import type { Session } from './transcriptions.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export type SessionDeps = Pick<
  RecordDeps,
  'store' | 'blobs' | 'recognition' | 'templates' | 'clock' | 'ids' | 'log'
> & {
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Whether the rate of audio is limited. */
  readonly isMetered: boolean;
  /** How long nothing is removed yet. By default, old transcriptions are removed at once. */
  readonly steady?: Pick<SteadyTime, 'wait'>;
};

/** Attempts without progress after which transcription fails. */
const maxAttempts = 8;
const backoff = { base: 250, factor: 2, max: 30_000 };
/** Bytes that the recogniser gets at a time: two seconds. */
const maxChunkBytes = 2 * liveBytesPerSecond;
const heartbeatMs = 15_000;
/** Bytes that each request counts for at least: a fiftieth of a second. */
const minCounted = liveBytesPerSecond / 50;

/** The recogniser's chunk length; any value if it is gone. */
export const getChunkMs = (recognition: RecordDeps['recognition'], { test_mode }: StoredTranscription): number =>
  recognition.findRecogniser({ test_mode })?.live?.chunkMs ?? 1000;

/** Opens a stored transcription and continues it. Calls `expire` when it has ended and wasn't used for long. */
export async function openSession(
  deps: SessionDeps,
  opened: StoredTranscription,
  expire: () => void,
): Promise<Session> {
  const { store, clock, recognition, templates, log, random } = deps;
  const machine = machineClockOf(clock);
  const { id } = opened;
  const sound = await openSound(deps, id);
  const phrases = (await store.find('phrases', { is: { transcription: id } })).toReversed();
  const bell = createBell();
  const closing = new AbortController();
  /** Posts and status changes run one at a time. */
  const inOrder = createOrder();
  /** Transcripts are stored one at a time. */
  const asHeard = createOrder();
  let stored = opened;
  let partial = '';
  /** Bytes of audio up to which all words are final. */
  let final = bytesAt(phrases.at(-1)?.to ?? 0);
  let quietSince = clock.now();
  const meter = deps.isMetered ? createMeter(() => machine.elapsed()) : undefined;
  let callOff = (): void => {};

  async function change(to: Partial<Pick<StoredTranscription, 'status' | 'error'>>): Promise<void> {
    stored = await store.transact(async (tx) => {
      const present = await tx.get('transcriptions', id);
      if (!present) throw new AppError('NOT_FOUND');
      const changed = { ...present, ...to, updated_at: isoNow(clock) };
      tx.put('transcriptions', changed);
      return changed;
    });
    bell.ring();
    scheduleExpiry();
  }

  const end = (): Promise<void> =>
    inOrder(async () => {
      if (stored.status === 'open') await change({ status: stored.error ? 'ended' : 'settling' });
    });

  function scheduleExpiry(): void {
    callOff();
    if (closing.signal.aborted) return;
    // Nothing is removed while the clock is uncertain: if it is ahead, transcriptions look old.
    const distrusted = (): number => (stored.status === 'open' ? 0 : (deps.steady?.wait() ?? 0));
    const task =
      stored.status === 'open'
        ? () => end().catch(scheduleExpiry)
        : () => (distrusted() > 0 ? scheduleExpiry() : expire());
    callOff = clock.schedule(
      Math.max(computeExpiry(stored, quietSince), clock.now() + Math.max(1, distrusted())),
      task,
    );
  }

  /** Yields the stored audio from there on, as it arrives. */
  async function* soundFrom(from: number, signal: AbortSignal): AsyncGenerator<Int16Array, void> {
    for (let at = from; !signal.aborted;) {
      if (at < sound.size) {
        const to = Math.min(sound.size, at + maxChunkBytes);
        for await (const bytes of sound.read(at, to)) yield toSamples(bytes);
        at = to;
      } else if (stored.status === 'open') await bell.rung(signal);
      else return;
    }
  }

  async function storePhrase({ heard, until }: Extract<LiveHeard, { kind: 'final' }>, base: number): Promise<void> {
    const to = Math.min(sound.size, Math.max(final, base + bytesAt(until)));
    if (heard.text.trim() !== '') {
      const n = phrases.length + 1;
      const said = joinHeard([{ heard, by: secondsOf(base) }]);
      const phrase: StoredPhrase = {
        id: phraseId(id, n),
        transcription_id: id,
        n,
        text: said.text,
        from: secondsOf(final),
        to: secondsOf(to),
        ...(said.words && { words: [...said.words] }),
        ...(said.suppressed && { suppressed: [...said.suppressed] }),
      };
      await store.transact(async (tx) => {
        if (!(await tx.get('transcriptions', id))) throw new AppError('NOT_FOUND');
        tx.put('phrases', phrase);
      });
      phrases.push(phrase);
    }
    final = to;
    partial = '';
    bell.ring();
  }

  /** Runs the recogniser once, from the last final word to the end of the audio. */
  async function listen(): Promise<void> {
    const base = final;
    const attempt = new AbortController();
    const signal = AbortSignal.any([closing.signal, attempt.signal]);
    const item = await findExam(store, stored.space, stored.worklist_item_id ?? undefined);
    const exam = item ? toExamContext(item) : null;
    const { language, template_id: template } = stored;
    const chosen = await templates.choose(stored, { id: template ?? undefined, language, exam });
    let refused: unknown;
    let newest = 0;
    const hear = (heard: LiveHeard): void => {
      const mine = ++newest;
      void asHeard(async () => {
        if (refused !== undefined || closing.signal.aborted) return;
        if (heard.kind === 'final') return storePhrase(heard, base);
        // Outdated partials are skipped.
        if (mine !== newest) return;
        partial = heard.text;
        bell.ring();
      }).catch((error: unknown) => {
        refused = error;
        attempt.abort();
      });
    };
    const input = {
      sound: soundFrom(base, signal),
      language,
      template: chosen,
      exam,
      before: phrases.map(({ text }) => text).join(' '),
    };
    try {
      await recognition.listen(stored, input, hear, signal);
    } finally {
      await asHeard.idle();
    }
    if (refused !== undefined) throw refused;
  }

  async function transcribeAll(): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      const before = final;
      try {
        await listen();
        if (stored.status !== 'open') return;
        throw new AppError('ENGINE_UNAVAILABLE', { message: 'The recogniser stopped before the sound ended.' });
      } catch (error) {
        if (closing.signal.aborted) return;
        partial = '';
        bell.ring();
        const { code, details } = error instanceof AppError ? error : new AppError('INTERNAL_ERROR');
        if (final > before) attempts = 1;
        const isOver = attempts >= maxAttempts || details?.['reason'] !== undefined;
        log({
          level: 'warn',
          event: 'live_hearing_failed',
          transcription_id: id,
          code,
          attempt: attempts,
          ...(!(error instanceof AppError) && { name: error instanceof Error ? error.name : typeof error }),
        });
        if (isOver) return change({ error: { code, message: errors[code].title } });
        // After a crash it retries at once, then with growing delays.
        if (attempts > 1) {
          const delay = backoffDelay(attempts - 1, { ...backoff, random });
          await pause(machine, delay, closing.signal).catch(() => undefined);
        }
      }
    }
  }

  /** Transcribes to the end and stores that status. A full disk delays it. */
  async function run(): Promise<void> {
    for (let attempt = 1; !closing.signal.aborted; attempt++) {
      try {
        if (!stored.error && stored.status !== 'ended') await transcribeAll();
        if (closing.signal.aborted) return;
        await inOrder(async () => {
          if (stored.status === 'settling') await change({ status: 'ended' });
        });
        return;
      } catch (error) {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return;
        const delay = backoffDelay(attempt, { ...backoff, random });
        await pause(machine, delay, closing.signal).catch(() => undefined);
      }
    }
  }

  const isSettled = (): boolean => stored.status === 'ended' || stored.error !== null;

  const running = run();
  scheduleExpiry();
  return {
    get stored() {
      return stored;
    },
    phrases,
    sound,
    show: () =>
      toTranscription(stored, {
        phrases,
        offset: sound.size,
        chunkMs: getChunkMs(recognition, stored),
        quietSince,
      }),
    append: (offset, bytes) =>
      inOrder(async () => {
        const known = sound.size - offset;
        if (known < 0) throw missingAudio(sound.size);
        const fresh = bytes.subarray(known);
        if (fresh.length > 0 && stored.status !== 'open') throw alreadyEnded(stored.status);
        if (sound.size + fresh.length > maxTranscriptionBytes) throw tooLong();
        meter?.(Math.max(fresh.length, minCounted));
        if (fresh.length === 0) return sound.size;
        await sound.append(fresh);
        quietSince = clock.now();
        scheduleExpiry();
        bell.ring();
        return sound.size;
      }),
    end,
    async settled(signal) {
      while (!isSettled()) {
        if (signal.aborted || closing.signal.aborted) throw new AppError('INTERRUPTED');
        await bell.rung(signal);
      }
    },
    async *follow(seen, signal) {
      const either = AbortSignal.any([signal, closing.signal]);
      let sent = Math.min(seen, phrases.length);
      let shown = '';
      let failed = false;
      yield Buffer.from(comment);
      while (!either.aborted) {
        const events: TranscriptionEvent[] = [];
        for (; sent < phrases.length; sent++, shown = '')
          events.push({ type: 'final', phrase: toPhrase(elementAt(phrases, sent)) });
        if (partial !== shown) events.push({ type: 'partial', text: (shown = partial) });
        if (stored.error && !failed) events.push({ type: 'failed' });
        failed = stored.error !== null;
        const isOver = stored.status === 'ended';
        if (isOver) events.push({ type: 'ended' });
        if (events.length > 0) yield Buffer.from(events.map(textOf).join(''));
        if (isOver) return;
        if (events.length > 0) continue;
        const beat = new AbortController();
        const calm = machine.schedule(machine.now() + heartbeatMs, () => beat.abort());
        await bell.rung(AbortSignal.any([either, beat.signal]));
        calm();
        if (beat.signal.aborted) yield Buffer.from(comment);
      }
    },
    async close() {
      closing.abort();
      callOff();
      bell.ring();
      await running;
      await inOrder.idle();
      await sound.idle();
      sound.forget();
    },
  };
}

const textOf = (event: TranscriptionEvent): string =>
  eventText({
    name: event.type,
    ...(event.type === 'final' && { id: String(event.phrase.n) }),
    data: event,
  });

/** Bytes of whole samples. */
const bytesAt = (seconds: number): number =>
  Math.round((seconds * liveBytesPerSecond) / liveSampleBytes) * liveSampleBytes;

function toSamples(bytes: Buffer): Int16Array {
  const aligned = bytes.byteOffset % liveSampleBytes === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.length / liveSampleBytes);
}

/** Limits the rate of audio since the session was opened. Throws RATE_LIMIT_EXCEEDED. */
function createMeter(elapsed: () => number): (bytes: number) => void {
  const opened = elapsed();
  let counted = 0;
  return (bytes) => {
    const allowed = soundAhead + ((elapsed() - opened) / 1000) * liveBytesPerSecond * soundPace;
    const excess = counted + bytes - allowed;
    if (excess > 0) {
      const retryAfter = Math.max(1, Math.ceil(excess / (liveBytesPerSecond * soundPace)));
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        message: `The audio arrives too fast: ${soundPace} times as fast as it is spoken is allowed.`,
        details: { limit: soundPace, window: 'seconds of sound a second', retry_after: retryAfter },
        retryAfter,
      });
    }
    counted += bytes;
  };
}

const missingAudio = (offset: number): AppError =>
  new AppError('OFFSET_CONFLICT', {
    message: 'Audio before this offset is missing.',
    details: { offset },
    hint: 'Send the audio from details.offset on.',
  });

const alreadyEnded = (status: string): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: 'The transcription has ended and accepts no more audio.',
    details: { status },
    hint: 'Begin another one and generate the record from both.',
  });

const tooLong = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', {
    message: 'The transcription is as long as the audio of a record may be.',
    details: { limit_bytes: maxTranscriptionBytes },
    hint: 'Generate the record of what was said so far.',
  });
