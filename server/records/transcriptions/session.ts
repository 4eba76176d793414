/**
 * A transcription in progress: stores its audio, has it transcribed, and stores final words. After a failure of server
 * or recogniser, transcription resumes from the stored audio after the last final word, so nothing is lost or repeated.
 */
import { AppError } from '../../../src/contract/errors.ts';
import {
  liveBytesPerSecond,
  maxTranscriptionBytes,
  soundAhead,
  soundPace,
} from '../../../src/contract/transcription.ts';
import { createBell } from '../../../src/domain/bell.ts';
import { isoNow, machineClockOf } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { RecordDeps } from '../deps.ts';
import type { SteadyTime } from '../../runtime/clock/steady-time.ts';
import { followSession } from './follow-session.ts';
import { openSound } from './sound.ts';
import { alreadyEnded, computeExpiry, endedStatus, isSettled, toTranscription } from './stored-transcription.ts';
import type { StoredTranscription } from './stored-transcription.ts';
import { Transcriber } from './transcriber.ts';
import type { LiveState, SessionChange, TranscriberDeps } from './transcriber.ts';
import type { Session } from './transcriptions.ts';

export type SessionDeps = TranscriberDeps &
  Pick<RecordDeps, 'blobs' | 'ids' | 'members'> & {
    /** Whether the rate of audio is limited. */
    readonly isMetered: boolean;
    /** How long nothing is removed yet. By default, old transcriptions are removed at once. */
    readonly steady?: Pick<SteadyTime, 'wait'>;
  };

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
  const { store, clock, recognition } = deps;
  const machine = machineClockOf(clock);
  const { id } = opened;
  const sound = await openSound(deps, id);
  const phrases = (await store.find('phrases', { is: { transcription: id } })).toReversed();
  const bell = createBell();
  const closing = new AbortController();
  /** Posts and changes run one at a time. */
  const inOrder = createOrder();
  const state: LiveState = { stored: opened, phrases, sound, partial: '', bell, closing: closing.signal };
  let quietSince = clock.now();
  const meter = deps.isMetered ? createMeter(() => machine.elapsed()) : undefined;
  let callOff = (): void => {};

  async function change(to: SessionChange): Promise<void> {
    state.stored = await store.transact(async (tx) => {
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
      if (state.stored.status === 'open') await change({ status: endedStatus(state.stored) });
    });

  function scheduleExpiry(): void {
    callOff();
    if (closing.signal.aborted) return;
    // Nothing is removed while the clock is uncertain: if it is ahead, transcriptions look old.
    const distrusted = (): number => (state.stored.status === 'open' ? 0 : (deps.steady?.wait() ?? 0));
    const task =
      state.stored.status === 'open'
        ? () => end().catch(scheduleExpiry)
        : () => (distrusted() > 0 ? scheduleExpiry() : expire());
    callOff = clock.schedule(
      Math.max(computeExpiry(state.stored, quietSince), clock.now() + Math.max(1, distrusted())),
      task,
    );
  }

  const running = new Transcriber(deps, state, { change, inOrder }).run();
  scheduleExpiry();
  return {
    get stored() {
      return state.stored;
    },
    phrases,
    sound,
    show: () =>
      toTranscription(state.stored, {
        phrases,
        offset: sound.size,
        chunkMs: getChunkMs(recognition, state.stored),
        quietSince,
      }),
    append: (offset, bytes) =>
      inOrder(async () => {
        const known = sound.size - offset;
        if (known < 0) throw missingAudio(sound.size);
        const fresh = bytes.subarray(known);
        if (fresh.length > 0 && state.stored.status !== 'open') throw alreadyEnded(state.stored.status);
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
    notice: (stored) =>
      inOrder(async () => {
        if (state.stored.status !== 'open' || stored.status === 'open') return;
        state.stored = stored;
        bell.ring();
        scheduleExpiry();
      }),
    async settled(signal) {
      while (!isSettled(state.stored)) {
        if (signal.aborted || closing.signal.aborted) throw new AppError('INTERRUPTED');
        await bell.rung(signal);
      }
    },
    follow: (seen, signal) => followSession(machine, state, seen, signal),
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

const tooLong = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', {
    message: 'The transcription is as long as the audio of a record may be.',
    details: { limit_bytes: maxTranscriptionBytes },
    hint: 'Generate the record of what was said so far.',
  });
