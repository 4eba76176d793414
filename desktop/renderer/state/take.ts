/** One take: the microphone is open and what it hears goes to the disk, until it is ended. */
import type { ReadonlySignal } from '@preact/signals';
import type { Clock } from '../../../src/domain/clock.ts';
import { bytesPerSample } from '../../bridge.ts';
import type { Bridge, Dictation } from '../../bridge.ts';
import { createBlockQueue } from './block-queue.ts';
import type { BlockQueue } from './block-queue.ts';
import type { LiveSound } from './recorder.ts';
import { alarmOf } from './recorder-state.ts';
import type { Alarm, RecorderEvent, RecorderState } from './recorder-state.ts';
import type { WarmMicrophone } from './warm-microphone.ts';
import type { Microphone } from '../audio/microphone.ts';

export interface RunningTake {
  /** Stops listening; returns when all of it is on disk. */
  end(): Promise<Dictation>;
}

export interface TakeDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  readonly microphone: WarmMicrophone;
  readonly device: string | null;
  readonly sound: LiveSound;
  readonly state: ReadonlySignal<RecorderState>;
  dispatch(event: RecorderEvent): void;
  /** The dictation that the take is added to, begun if there is none. */
  start(sampleRate: number): Promise<Dictation>;
  place(): number;
  /** The device is gone. */
  lost(): void;
  /** Another window has taken it over. */
  elsewhere(): void;
  /** Also where another window records it now. */
  readonly takeOver: boolean;
  /** Tells this page from other windows. */
  readonly page: string;
}

const tickMs = 250;
const alarmEveryMs = 5000;
/** In one call at most, so that one call stays short. */
const maxSecondsPerCall = 2;
/** Not worth a tone: seen in passing. */
const silentAlarms: readonly Alarm[] = ['quiet'];

/** Looks at the take several times a second, and sounds the alarm while there is one. */
function watch({ clock, state, dispatch }: TakeDeps, microphone: Microphone): () => void {
  let callOff: () => void;
  let soundedAt = 0;
  let last: Alarm | null = null;
  const look = (): void => {
    const now = clock.now();
    dispatch({ type: 'tick', now });
    const alarm = alarmOf(state.peek());
    const isDue = alarm !== last || now - soundedAt >= alarmEveryMs;
    if (alarm && !silentAlarms.includes(alarm) && isDue) {
      microphone.beep();
      soundedAt = now;
    }
    last = alarm;
    callOff = clock.schedule(now + tickMs, look);
  };
  callOff = clock.schedule(clock.now() + tickMs, look);
  return () => callOff();
}

function listenTo(deps: TakeDeps, microphone: Microphone, queue: BlockQueue): Promise<void> {
  const { sound, dispatch, clock } = deps;
  return microphone.start({
    block({ samples, peak, rms }) {
      const seconds = samples.byteLength / bytesPerSample / microphone.sampleRate;
      sound.level = rms;
      sound.peaks.push(peak);
      sound.seconds += seconds;
      dispatch({ type: 'block', seconds, peak, now: clock.now() });
      queue.add(samples);
    },
    ended() {
      dispatch({ type: 'lost' });
      microphone.beep();
      deps.lost();
    },
    muted: (isMuted) => dispatch({ type: 'muted', isMuted }),
  });
}

/** Opens the microphone, begins a take and runs it. What is heard while the disk is made ready is kept. */
export async function runTake(deps: TakeDeps): Promise<RunningTake> {
  const { bridge, clock, dispatch, state, sound, page } = deps;
  const known = state.peek().dictation;
  const rate = known && known.state !== 'done' ? known.sample_rate : null;
  const microphone = await deps.microphone.open({ device: deps.device, sampleRate: rate });
  dispatch({ type: 'microphone_open', device: microphone.label });
  const bytesPerSecond = microphone.sampleRate * bytesPerSample;
  let id = '';
  let base = 0;
  const { mode } = state.peek();
  let at = 0;
  const queue = createBlockQueue({
    clock,
    maxBytes: maxSecondsPerCall * bytesPerSecond,
    async send(samples, sequence) {
      await bridge.call('dictation.block', { id, sequence, page }, samples);
    },
    async reopen(savedBytes) {
      const savedSeconds = savedBytes / bytesPerSecond;
      at += savedSeconds;
      const dictation = await bridge.call('dictation.take', { id, mode, at, page });
      // Of an overwritten stretch the length does not tell how much of it is new.
      const more = mode === 'overwrite' ? 0 : dictation.seconds - base - savedSeconds;
      const stored = Math.max(0, Math.round(more * microphone.sampleRate));
      base = dictation.seconds;
      at += stored / microphone.sampleRate;
      return stored * bytesPerSample;
    },
    saved: (bytes) => dispatch({ type: 'saved', seconds: bytes / bytesPerSecond }),
    elsewhere: () => deps.elsewhere(),
    trouble: (error) => dispatch({ type: 'trouble', error }),
  });
  let unwatch = (): void => undefined;
  try {
    await listenTo(deps, microphone, queue);
    const begun = await deps.start(microphone.sampleRate);
    ({ id, seconds: base } = begun);
    at = deps.place();
    const over = deps.takeOver && { take_over: true };
    const dictation = await bridge.call('dictation.take', { id, mode, at, page, ...over });
    dispatch({ type: 'take_begun', dictation, begun: { mode, at, base, captured: sound.seconds }, now: clock.now() });
    queue.open();
    unwatch = watch(deps, microphone);
  } catch (error) {
    queue.close();
    await microphone.stop();
    deps.microphone.release(microphone, false);
    throw error;
  }
  return {
    async end() {
      await microphone.stop();
      sound.level = 0;
      await queue.drained();
      unwatch();
      deps.microphone.release(microphone, state.peek().isLost);
      return endTake(deps, id);
    },
  };
}

/** Says that the take is over, as often as it needs: the sound is on disk already. */
async function endTake({ bridge, clock, dispatch, page }: TakeDeps, id: string): Promise<Dictation> {
  for (;;) {
    try {
      return await bridge.call('dictation.pause', { id, page });
    } catch (thrown) {
      const error = thrown as { code?: string };
      // It was started again meanwhile, and has ended the take itself.
      if (error.code === 'INVALID_TRANSITION') {
        const { items } = await bridge.call('dictation.list', {});
        const found = items.find((dictation) => dictation.id === id);
        if (found) return found;
      }
      dispatch({ type: 'trouble', error: { code: error.code ?? 'INTERNAL_ERROR', message: String(thrown) } });
      await new Promise<void>((resolve) => void clock.schedule(clock.now() + 1000, resolve));
    }
  }
}
