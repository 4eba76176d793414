/**
 * The recorder of one exam: from the microphone to the disk, and all other actions on a dictation until its report
 * exists.
 */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { changedElsewhere } from '../../../bridge/dictation.ts';
import { files } from '../../../bridge/files.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { Dictation, InsertMode } from '../../../bridge/dictation.ts';
import { isMicrophoneFailure } from '../../audio/microphone.ts';
import { asBridgeError, isElsewhere, reasonOf } from '../bridge.ts';
import { findDictation, continueDictation, putDictation, readDictations, removeDictation } from './dictations.ts';
import { createLatestRequest } from '../time/latest-request.ts';
import { createAfterActions } from './after-actions.ts';
import type { RecorderDeps, RecorderParts } from './recorder-parts.ts';
import { freshRecorder, hasEnded, isLive, isOpen, nextPlace, reduce } from './recorder-state.ts';
import type { RecorderEvent, RecorderState, Rest } from './recorder-state.ts';
import { reportChoices } from './report-choices.ts';
import type { ReportChoices } from './report-choices.ts';
import { runTake } from './take.ts';
import type { LiveSound, RunningTake } from './take.ts';
import { waitUntilSent, waitingSound } from './waiting-sound.ts';
import type { WaitingSound } from './waiting-sound.ts';
import { noOutline } from './waveform.ts';
import type { Waveform } from './waveform.ts';

export interface Recorder extends ReportChoices {
  readonly itemId: string;
  readonly state: ReadonlySignal<RecorderState>;
  readonly outline: ReadonlySignal<Waveform>;
  readonly sound: LiveSound;
  /** The dictation was sent as WAV although Opus was chosen: this browser can't encode Opus. */
  readonly cannotEncode: ReadonlySignal<boolean>;
  record(): Promise<void>;
  pause(): Promise<void>;
  /** Records, or pauses. */
  toggle(): Promise<void>;
  /** Jumps back this many seconds; pauses first. */
  back(seconds: number): Promise<void>;
  play(): Promise<void>;
  stopPlaying(): void;
  /** Undoes the last spoken stretch. */
  undo(): Promise<void>;
  redo(): Promise<void>;
  discard(): Promise<void>;
  restore(): Promise<void>;
  /** Requests the report. Resolves when the app has the request. */
  send(): Promise<void>;
  /** Compresses the audio of a sealed dictation, if this browser can. */
  compress(dictation: Dictation): Promise<void>;
  retry(): Promise<void>;
  cancel(): Promise<void>;
  moveTo(seconds: number): void;
  setMode(mode: InsertMode): void;
  /** The person has read why recording ended or failed to start. */
  seen(): void;
  close(): void;
}

/** Thrown if another person has the exam. */
const notTaken = Symbol('not taken');

const outlinePoints = 1200;
/** Seconds of audio: with less free disk space the page warns before the disk is full. */
const enoughSeconds = 3600;

export function createRecorder(itemId: string, deps: RecorderDeps): Recorder {
  const state = signal<RecorderState>(freshRecorder);
  const dispatch = (event: RecorderEvent): void => {
    state.value = reduce(state.peek(), event);
  };
  const sound: LiveSound = { level: 0, peaks: [], seconds: 0 };
  const openDictation = computed(() => {
    const { dictation } = state.value;
    return isOpen(dictation) ? dictation : null;
  });
  const chosen = reportChoices({ ...deps, open: () => openDictation.value });
  const follow = effect(() => {
    const dictation = findDictation(itemId);
    if (dictation?.id !== state.peek().discarded?.id) dispatch({ type: 'dictation', dictation });
  });
  const followRest = effect(() => {
    const { dictation, take, rest: before } = state.value;
    const rest = combineRest(
      waitingSound.value.filter((sound) => sound.take !== take?.id && sound.dictation === dictation?.id),
    );
    if (!isSameRest(rest, before)) dispatch({ type: 'rest', rest });
  });
  const outline = followWaveform(deps.bridge, state);
  const takes = createTakes(itemId, deps, { state, dispatch, sound, chosen });
  const playing = createPlayback(deps, state, dispatch);
  const { undo, redo, discard, restore, send, compress, retry, cancel, cannotEncode } = createAfterActions(deps, {
    state,
    dispatch,
    chosen,
  });
  /** Ends the running take first, so that all of its audio is on disk. */
  const atRest = (act: () => Promise<void>) => async (): Promise<void> => {
    playing.stopPlaying();
    await takes.pause();
    const { dictation } = state.peek();
    if (dictation) await waitUntilSent(dictation.id);
    await act();
  };
  const record = async (): Promise<void> => {
    playing.stopPlaying();
    await takes.record();
  };

  return {
    itemId,
    state,
    outline: outline.value,
    sound,
    ...chosen,
    cannotEncode,
    record,
    pause: takes.pause,
    toggle: () => (['starting', 'recording'].includes(state.peek().phase) ? takes.pause() : record()),
    async back(seconds) {
      await takes.pause();
      playing.moveTo(state.peek().cursor - seconds);
    },
    ...playing,
    undo: atRest(undo),
    redo: atRest(redo),
    discard: atRest(discard),
    restore,
    async send() {
      playing.stopPlaying();
      await takes.pause();
      await send();
    },
    compress,
    retry,
    cancel,
    setMode: (mode) => dispatch({ type: 'mode', mode }),
    seen: () => dispatch({ type: 'seen' }),
    close() {
      follow();
      followRest();
      outline.close();
      playing.stopPlaying();
    },
  };
}

/** The waiting audio of all takes of a dictation. */
function combineRest(parts: readonly WaitingSound[]): Rest | null {
  const worst = parts.find(({ isRefused }) => isRefused) ?? parts.find(({ trouble }) => trouble) ?? parts[0];
  if (!worst) return null;
  const { trouble, isRefused } = worst;
  return { seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0), trouble, isRefused };
}

const isSameRest = (one: Rest | null, other: Rest | null): boolean =>
  one?.seconds === other?.seconds && one?.trouble === other?.trouble && one?.isRefused === other?.isRefused;

/** Reads the waveform of the audio on disk after each change. */
function followWaveform(bridge: Bridge, state: ReadonlySignal<RecorderState>) {
  const value = signal<Waveform>(noOutline);
  const shape = computed(() => {
    const { dictation, take } = state.value;
    return take ? null : `${dictation?.id} ${dictation?.seconds} ${dictation?.saved_at}`;
  });
  const last = createLatestRequest();
  const readWaveform = async (dictation: Dictation | null): Promise<Waveform | null> =>
    !dictation || dictation.seconds === 0
      ? noOutline
      : bridge.call('dictation.peaks', { id: dictation.id, points: outlinePoints }).catch(() => null);
  const read = async (dictation: Dictation | null): Promise<void> => {
    const outline = await last(readWaveform(dictation));
    if (outline) value.value = outline;
  };
  const close = effect(() => {
    if (shape.value !== null) void read(state.peek().dictation);
  });
  return { value, close };
}

/** Recording: one take after another. */
function createTakes(itemId: string, deps: RecorderDeps, parts: RecorderParts & { readonly sound: LiveSound }) {
  const { state, dispatch, sound, chosen } = parts;
  let starting: { readonly ended: Promise<void>; readonly hush: AbortController } | null = null;
  let running: RunningTake | null = null;
  let ending: Promise<void> | null = null;

  const begin = async (sampleRate: number): Promise<Dictation> => {
    const { dictation } = state.peek();
    const begun = isOpen(dictation)
      ? dictation
      : await deps.bridge.call('dictation.start', {
          item_id: itemId,
          sample_rate: sampleRate,
          ...chosen.choices.peek(),
        });
    continueDictation(begun.id);
    putDictation(begun);
    return begun;
  };
  const end = async (take: RunningTake): Promise<void> => {
    dispatch({ type: 'pausing' });
    const previous = state.peek().dictation;
    const dictation = await take.end();
    dispatch({ type: 'paused', dictation });
    // The person has logged out or changed since.
    if (deps.desk() === null) return;
    if (dictation) putDictation(dictation);
    else if (previous) removeDictation(previous.id, previous.revision);
  };
  /** Resolves when all audio is on disk, even if another caller already paused. */
  const pause = async (): Promise<void> => {
    // If the person ends the take while it starts, nothing may be recorded afterwards.
    starting?.hush.abort();
    await starting?.ended;
    if (running) {
      ending = end(running).finally(() => (ending = null));
      running = null;
    }
    await ending;
  };
  const record = async (takeOver = false): Promise<void> => {
    const { dictation } = state.peek();
    // A dictation that is being sent must be withdrawn first.
    if (isLive(state.peek()) || (dictation !== null && !isOpen(dictation) && !hasEnded(dictation))) return;
    dispatch({ type: 'asked' });
    const hush = new AbortController();
    try {
      if (!deps.mayTake()) return dispatch({ type: 'microphone_closed' });
      sound.peaks = [];
      sound.seconds = 0;
      const device = deps.settings().microphone;
      const place = (): number | null => nextPlace(state.peek());
      const begun = runTake({
        ...deps,
        sound,
        state,
        dispatch,
        device,
        place,
        hush: hush.signal,
        async start(rate) {
          // Only now: without a microphone the exam stays free for others.
          if (!(await deps.takeExam())) throw notTaken;
          return begin(rate);
        },
        stop: () => void pause(),
        takeOver,
        elsewhere() {
          deps.elsewhere(undefined);
          void pause();
        },
        moved(dictation) {
          continueDictation(dictation.id);
          putDictation(dictation);
          dispatch({ type: 'moved', dictation });
          deps.moved();
        },
      });
      const ended = begun.then(
        (take) => void (running = take),
        () => undefined,
      );
      starting = { ended, hush };
      await begun;
      starting = null;
      void lookForRoom();
      // The device was unplugged while the disk was being prepared.
      if (state.peek().isLost) await pause();
    } catch (thrown) {
      starting = null;
      if (thrown === notTaken) return dispatch({ type: 'microphone_closed' });
      if (isMicrophoneFailure(thrown)) return dispatch({ type: 'microphone_failed', problem: thrown.microphone });
      const error = asBridgeError(thrown);
      if (isElsewhere(error)) {
        dispatch({ type: 'microphone_closed' });
        deps.elsewhere(() => void record(true));
      } else dispatch({ type: 'refused', error });
      // The position belonged to a dictation that no longer exists.
      if (reasonOf(error) === changedElsewhere) await readDictations().catch(() => undefined);
    }
  };
  const lookForRoom = async (): Promise<void> => {
    const { dictation } = state.peek();
    const room = dictation && (await deps.bridge.call('dictation.room', { id: dictation.id }).catch(() => null));
    if (room && room.seconds < enoughSeconds) deps.littleRoom(Math.floor(room.seconds / 60));
  };
  return { record: () => record(), pause };
}

function createPlayback(
  { player, bridge }: RecorderDeps,
  state: ReadonlySignal<RecorderState>,
  dispatch: RecorderParts['dispatch'],
) {
  const listener = {
    time: (at: number) => dispatch({ type: 'cursor', at }),
    ended: () => dispatch({ type: 'playing', isPlaying: false }),
  };
  const stopPlaying = (): void => {
    player.stop();
    listener.ended();
  };
  const play = async (): Promise<void> => {
    const { dictation, cursor } = state.peek();
    if (!dictation || isLive(state.peek())) return;
    const from = cursor >= dictation.seconds - 0.05 ? 0 : cursor;
    dispatch({ type: 'playing', isPlaying: true });
    await player.play(bridge.address(files.dictation(dictation.id)), from, listener);
  };
  const moveTo = (at: number): void => {
    dispatch({ type: 'cursor', at });
    if (state.peek().isPlaying) void play();
  };
  return { play, stopPlaying, moveTo };
}
