/** One take: from opening the microphone until all of its audio is stored. */
import type { ReadonlySignal } from '@preact/signals';
import type { Clock } from '../../../../src/domain/clock.ts';
import { createCaptureGaps } from '../../../../src/domain/dictation/capture-gaps.ts';
import type { CaptureBlock } from '../../../../src/domain/dictation/capture-gaps.ts';
import { bytesPerSample } from '../../../bridge/sound.ts';
import type { Bridge, BridgeError } from '../../../bridge/bridge.ts';
import type { CallInput } from '../../../bridge/calls.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import type { Backlog, SpokenTake } from '../../backlog/backlog.ts';
import { asBridgeError, isElsewhere } from '../bridge.ts';
import { alarmOf, isUnkept, savedLength } from './recorder-state.ts';
import type { Alarm, RecorderEvent, RecorderState, WhyStopped } from './recorder-state.ts';
import { pause } from '../time/pause.ts';
import { createSoundQueue } from './sound-queue.ts';
import type { SoundQueue, SoundStore } from './sound-queue.ts';
import { callBytes, takeCalls } from './take-calls.ts';
import type { TakeCalls } from './take-calls.ts';
import type { WarmMicrophone } from './warm-microphone.ts';
import { withTimeout } from '../time/with-timeout.ts';
import type { CapturedBlock } from '../../audio/capture-processor.ts';
import { isMicrophoneFailure } from '../../audio/microphone.ts';
import type { Microphone } from '../../audio/microphone.ts';

export interface RunningTake {
  /**
   * Stops listening. Resolves when all audio is on disk, or stored in the browser for later. `null`: the dictation no
   * longer exists.
   */
  end(): Promise<Dictation | null>;
}

/** The current level (0 to 1) and the waveform of the running take. Read at each frame, so these are no signals. */
export interface LiveSound {
  level: number;
  peaks: number[];
  seconds: number;
}

export interface TakeDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  readonly microphone: WarmMicrophone;
  readonly backlog: Backlog;
  readonly device: string | null;
  readonly sound: LiveSound;
  readonly state: ReadonlySignal<RecorderState>;
  dispatch(event: RecorderEvent): void;
  /** Aborted when the person ends the take while it starts: nothing is recorded after that. */
  readonly hush: AbortSignal;
  /** The dictation of the take, created if needed. */
  start(sampleRate: number): Promise<Dictation>;
  /** Position of the take, in seconds; `null`: at the end. */
  place(): number | null;
  /** Ends the take: the device is gone, or the audio can't be stored. */
  stop(): void;
  /** Another window has taken over the dictation. */
  elsewhere(): void;
  /** The dictation was sealed or discarded elsewhere: the take continues in this one. */
  moved(dictation: Dictation): void;
  /** Records even if another window is recording the dictation. */
  readonly takeOver: boolean;
  /** Identifies this page among the windows of one person. */
  readonly page: string;
  /** The desk of the person who is logged in; `null`: nobody. */
  readonly desk: () => string | null;
}

const tickMs = 250;
/** Interval between alarm tones in ms; longer if late audio is stored in the browser. */
const alarmEveryMs = 5000;
const alarmOfKeptEveryMs = 30_000;
/** Maximum bytes of audio in memory: more than two hours at 16 kHz, 46 minutes at 48 kHz. */
const maxWaitingBytes = 256 * 1024 * 1024;
/** Milliseconds within which a take must be on disk. */
const patienceMs = 10_000;
/** Milliseconds for which audio may exist only in this page. After that the recorder stops, to limit the loss. */
const unkeptMs = 30_000;
/** Faults without a tone: seeing them is enough. */
const silentAlarms: readonly Alarm[] = ['quiet'];

/**
 * Checks the take several times a second and sounds the alarm during a fault. Calls `stop` if the audio is stored
 * nowhere.
 */
function watch({ clock, state, dispatch }: TakeDeps, microphone: Microphone, stop: () => void): () => void {
  let callOff: () => void;
  let soundedAt = 0;
  let last: Alarm | null = null;
  let keptAt = clock.now();
  const look = (): void => {
    const now = clock.now();
    dispatch({ type: 'tick', now });
    const alarm = alarmOf(state.peek());
    const isDue = alarm !== last || now - soundedAt >= (alarm === 'unsaved' ? alarmOfKeptEveryMs : alarmEveryMs);
    if (alarm && !silentAlarms.includes(alarm) && isDue) {
      microphone.beep();
      soundedAt = now;
    }
    last = alarm;
    if (!isUnkept(state.peek())) keptAt = now;
    else if (now - keptAt >= unkeptMs) stop();
    callOff = clock.schedule(now + tickMs, look);
  };
  callOff = clock.schedule(clock.now() + tickMs, look);
  return () => callOff();
}

/** Puts the audio into the queue, with the position and length of gaps. */
function gatherSound({ sound, dispatch, clock }: TakeDeps, microphone: Microphone, queue: SoundQueue) {
  const gaps = createCaptureGaps<CapturedBlock & CaptureBlock>();
  const take = ({ block, missing }: ReturnType<typeof gaps.end>[number]): void => {
    const { samples, peak, rms, speech } = block;
    const seconds = block.ms / 1000;
    if (missing > 0) {
      dispatch({ type: 'gap', seconds: missing / 1000 });
      microphone.beep();
    }
    sound.level = rms;
    sound.peaks.push(peak);
    sound.seconds += seconds;
    dispatch({ type: 'block', seconds, peak, speech, now: clock.now() });
    queue.add(samples, Math.round((missing / 1000) * microphone.sampleRate));
  };
  return {
    add(block: CapturedBlock): void {
      const ms = (block.samples.byteLength / bytesPerSample / microphone.sampleRate) * 1000;
      for (const each of gaps.add({ ...block, ms })) take(each);
    },
    /** The microphone has stopped. */
    end: () => gaps.end().forEach(take),
  };
}

async function listenTo(
  deps: TakeDeps,
  microphone: Microphone,
  { add }: ReturnType<typeof gatherSound>,
): Promise<void> {
  const { dispatch, hush } = deps;
  if (hush.aborted) return;
  const listening = microphone.start({
    block: add,
    ended() {
      dispatch({ type: 'lost' });
      microphone.beep();
      deps.stop();
    },
    muted: (isMuted) => dispatch({ type: 'muted', isMuted }),
  });
  const hushed = Promise.withResolvers<void>();
  hush.addEventListener('abort', () => {
    void microphone.stop();
    hushed.resolve();
  });
  await Promise.race([listening, hushed.promise]);
}

/** Opens the microphone and sounds an alarm if that fails: a person who looks at images would go on speaking. */
async function openMicrophone({ dispatch, state, clock, device, ...deps }: TakeDeps): Promise<Microphone> {
  const known = state.peek().dictation;
  const sampleRate = known && known.state !== 'done' ? known.sample_rate : null;
  const allowed = (): void => dispatch({ type: 'microphone_allowed' });
  try {
    const microphone = await deps.microphone.open({ device, sampleRate, allowed });
    dispatch({ type: 'microphone_open', device: microphone.label, now: clock.now() });
    return microphone;
  } catch (error) {
    deps.microphone.alarm();
    throw error;
  }
}

/**
 * Opens the microphone, starts a take and runs it. The page listens before any other call, so that audio before the
 * disk is ready isn't lost.
 */
export async function runTake(deps: TakeDeps): Promise<RunningTake> {
  const { dispatch, state, backlog } = deps;
  const microphone = await openMicrophone(deps);
  const bytesPerSecond = microphone.sampleRate * bytesPerSample;
  const over = Promise.withResolvers<void>();
  let isListening = true;
  let isLeft = false;
  const stop = (why: WhyStopped): void => {
    if (!isListening) return;
    dispatch({ type: 'stopped', why });
    microphone.beep();
    deps.stop();
  };
  const createStore = ({ spoken, calls }: AnnouncedTake): SoundStore => {
    const requireOwner = (): void => {
      if (deps.desk() === spoken.desk) return;
      throw { code: 'UNAUTHORIZED', message: '' } satisfies BridgeError;
    };
    /** The app ended the take: the page starts it again, unless another window took it over. */
    const resume = async (from: number, signal: AbortSignal): Promise<number> => {
      requireOwner();
      try {
        return await calls.resume(from, signal);
      } catch (thrown) {
        if (isListening && !isLeft && isElsewhere(asBridgeError(thrown))) {
          isLeft = true;
          deps.elsewhere();
        }
        throw thrown;
      }
    };
    return {
      async send(piece, signal) {
        requireOwner();
        const { stored, isCurrent } = await calls.send(piece, signal);
        // The audio up to here is safe in any case.
        if (!isCurrent && isListening) await resume(stored, signal).catch(() => undefined);
        return stored;
      },
      resume,
      keep: (piece) => backlog.keep(spoken, piece),
      forget: (before) => backlog.forget(spoken.take, before),
    };
  };
  const queue = createSoundQueue({
    clock: deps.clock,
    callBytes: callBytes(microphone.sampleRate),
    maxBytes: maxWaitingBytes,
    saved: (bytes) => dispatch({ type: 'saved', seconds: bytes / bytesPerSecond }),
    kept: (to) => dispatch({ type: 'kept', seconds: to / bytesPerSecond }),
    trouble: (error) => dispatch({ type: 'trouble', error }),
    full: () => stop('full'),
    refused(error) {
      dispatch({ type: 'trouble', error });
      stop('refused');
    },
  });
  const heard = gatherSound(deps, microphone, queue);
  const unwatch = watch(deps, microphone, () => stop('unkept'));
  let begun: AnnouncedTake;
  try {
    await listenTo(deps, microphone, heard);
    begun = await announce(deps, microphone.sampleRate);
    void backlog.hold(begun.spoken.take, new AbortController().signal, () => over.promise).catch(() => undefined);
    queue.open(createStore(begun));
  } catch (error) {
    unwatch();
    queue.close();
    await microphone.stop();
    microphone.beep();
    deps.microphone.release(microphone, isMicrophoneFailure(error));
    throw error;
  }
  const { calls, spoken } = begun;
  return {
    async end() {
      isListening = false;
      await microphone.stop();
      heard.end();
      deps.sound.level = 0;
      const how = await queue.settled();
      unwatch();
      deps.microphone.release(microphone, state.peek().isLost);
      if (how === 'kept') await backlog.end(spoken.take).catch(() => undefined);
      queue.close();
      over.resolve();
      return how === 'saved' ? endTake(deps, calls) : asSaved(state.peek());
    },
  };
}

interface AnnouncedTake {
  readonly spoken: SpokenTake;
  readonly calls: TakeCalls;
}

/** Creates the take on disk. */
async function announce(deps: TakeDeps, sampleRate: number): Promise<AnnouncedTake> {
  const { bridge, clock, dispatch, state, sound, page } = deps;
  const desk = deps.desk();
  if (desk === null) throw { code: 'UNAUTHORIZED', message: '' } satisfies BridgeError;
  const dictation = await withTimeout(clock, patienceMs, () => deps.start(sampleRate));
  const take = crypto.randomUUID();
  const { takeOver } = deps;
  const mode = takeOver ? 'insert' : state.peek().mode;
  const place = takeOver ? null : deps.place();
  const input = {
    id: dictation.id,
    take,
    mode,
    at: place,
    page,
    ...(place !== null && { of: dictation.seconds }),
    ...(takeOver && { take_over: true }),
  } satisfies CallInput<'dictation.take'>;
  const begun = await withTimeout(clock, patienceMs, (signal) =>
    bridge.call('dictation.take', input, undefined, signal),
  );
  const { at } = begun;
  const { item_id, sample_rate, language, template_id, seconds: base } = begun.dictation;
  dispatch({
    type: 'take_begun',
    dictation: begun.dictation,
    begun: { id: take, mode, at, base, captured: sound.seconds },
  });
  const beginning = { item_id, sample_rate, language, template_id };
  const spoken: SpokenTake = { take, desk, dictation: dictation.id, mode, at: place, beginning };
  return { spoken, calls: takeCalls(bridge, spoken, { page, moved: (other) => deps.moved(other) }) };
}

/** The dictation up to the audio known to be on disk, without asking the app. */
const asSaved = (state: RecorderState): Dictation | null =>
  state.dictation && { ...state.dictation, state: 'paused', seconds: savedLength(state) };

/** Ends the take in the app, with retries; the caller waits only briefly. */
async function endTake({ clock, state, dispatch }: TakeDeps, calls: TakeCalls): Promise<Dictation | null> {
  const said = (async (): Promise<Dictation | null> => {
    for (;;) {
      try {
        return await withTimeout(clock, patienceMs, () => calls.end(false));
      } catch (thrown) {
        const error = asBridgeError(thrown);
        if (error.code === 'NOT_FOUND') return null;
        dispatch({ type: 'trouble', error });
        await pause(clock, 1000);
      }
    }
  })();
  return Promise.race([said, pause(clock, patienceMs).then(() => asSaved(state.peek()))]);
}
