/** The recorder of one exam: microphone to disk, and all that can be done with a dictation until its document is there. */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { files } from '../../bridge.ts';
import type { AppSettings, Bridge, Dictation, InsertMode } from '../../bridge.ts';
import type { EncodedSound } from '../audio/encode.ts';
import { isMicrophoneFailure } from '../audio/microphone.ts';
import type { Player } from '../audio/player.ts';
import { asBridgeError } from './bridge.ts';
import { dictationOf, putDictation, removeDictation } from './dictations.ts';
import { freshRecorder, hasEnded, isLive, isOpen, lengthOf, nextPlace, reduce } from './recorder-state.ts';
import type { RecorderEvent, RecorderState } from './recorder-state.ts';
import { runTake } from './take.ts';
import type { RunningTake } from './take.ts';
import type { WarmMicrophone } from './warm-microphone.ts';
import { noOutline } from './wave.ts';
import type { Outline } from './wave.ts';

export interface RecorderDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  readonly microphone: WarmMicrophone;
  readonly player: Player;
  readonly settings: () => Pick<AppSettings, 'microphone' | 'document_language' | 'template_id' | 'upload_format'>;
  /** Takes the exam for this person; `false`: somebody else has it. */
  readonly takeExam: () => Promise<boolean>;
  /** `undefined`: this browser cannot. */
  readonly encode: (address: string) => Promise<EncodedSound | undefined>;
}

/** How loud it is now (0 to 1) and the outline of the running take; read at each frame, so no signals. */
export interface LiveSound {
  level: number;
  peaks: number[];
  seconds: number;
}

export interface Recorder {
  readonly itemId: string;
  readonly state: ReadonlySignal<RecorderState>;
  readonly outline: ReadonlySignal<Outline>;
  readonly sound: LiveSound;
  readonly language: Signal<Language>;
  readonly template: Signal<string | null>;
  /** Sent as WAV, though Opus was chosen: this browser can't make it. */
  readonly cannotEncode: ReadonlySignal<boolean>;
  record(): Promise<void>;
  pause(): Promise<void>;
  /** Records, or pauses. */
  toggle(): Promise<void>;
  /** Back by so many seconds; pauses first. */
  back(seconds: number): Promise<void>;
  play(): Promise<void>;
  stopPlaying(): void;
  undo(): Promise<void>;
  discard(): Promise<void>;
  restore(): Promise<void>;
  send(): Promise<void>;
  retry(): Promise<void>;
  cancel(): Promise<void>;
  moveTo(seconds: number): void;
  setMode(mode: InsertMode): void;
  close(): void;
}

const outlinePoints = 1200;

export function createRecorder(itemId: string, deps: RecorderDeps): Recorder {
  const { bridge } = deps;
  const state = signal<RecorderState>(freshRecorder);
  const dispatch = (event: RecorderEvent): void => {
    state.value = reduce(state.peek(), event);
  };
  const outline = signal<Outline>(noOutline);
  const cannotEncode = signal(false);
  const sound: LiveSound = { level: 0, peaks: [], seconds: 0 };
  const settings = deps.settings();
  const language = signal<Language>(settings.document_language);
  const template = signal<string | null>(settings.template_id);
  let running: RunningTake | null = null;

  const follow = effect(() => {
    const dictation = dictationOf(itemId);
    if (dictation?.id !== state.peek().discarded?.id) dispatch({ type: 'dictation', dictation });
  });
  const shape = computed(() => {
    const { dictation } = state.value;
    return state.value.take ? null : `${dictation?.id} ${dictation?.seconds} ${dictation?.saved_at}`;
  });
  const draw = effect(() => {
    if (shape.value !== null) void readOutline(state.peek().dictation);
  });
  async function readOutline(dictation: Dictation | null): Promise<void> {
    if (!dictation || dictation.seconds === 0) {
      outline.value = noOutline;
      return;
    }
    const read = await bridge.call('dictation.peaks', { id: dictation.id, points: outlinePoints }).catch(() => null);
    if (read && state.peek().dictation?.id === dictation.id) outline.value = read;
  }

  /** Runs a call on the dictation; what it answers is shown, and so is a refusal. */
  const change = async (act: (dictation: Dictation) => Promise<Dictation | void>): Promise<void> => {
    const { dictation } = state.peek();
    if (!dictation) return;
    try {
      const after = await act(dictation);
      if (after) putDictation(after);
    } catch (error) {
      dispatch({ type: 'refused', error: asBridgeError(error) });
    }
  };

  const stopPlaying = (): void => {
    deps.player.stop();
    dispatch({ type: 'playing', isPlaying: false });
  };

  async function record(): Promise<void> {
    if (isLive(state.peek())) return;
    const { dictation } = state.peek();
    // What is on its way to the service has to come back first.
    if (dictation !== null && !isOpen(dictation) && !hasEnded(dictation)) return;
    stopPlaying();
    dispatch({ type: 'asked' });
    try {
      if (!(await deps.takeExam())) return dispatch({ type: 'microphone_closed' });
      sound.peaks = [];
      sound.seconds = 0;
      running = await runTake({
        ...deps,
        sound,
        state,
        dispatch,
        device: deps.settings().microphone,
        start: (sampleRate) => begin(sampleRate),
        place: () => nextPlace(state.peek()),
        lost: () => void pause(),
      });
      // The device went away while the disk was made ready.
      if (state.peek().isLost) await pause();
    } catch (error) {
      if (isMicrophoneFailure(error)) dispatch({ type: 'microphone_failed', problem: error.microphone });
      else dispatch({ type: 'refused', error: asBridgeError(error) });
    }
  }
  async function begin(sampleRate: number): Promise<Dictation> {
    const { dictation } = state.peek();
    if (isOpen(dictation)) return dictation;
    const begun = await bridge.call('dictation.start', {
      item_id: itemId,
      sample_rate: sampleRate,
      language: language.peek(),
      template_id: template.peek(),
    });
    putDictation(begun);
    return begun;
  }
  async function pause(): Promise<void> {
    const take = running;
    running = null;
    if (!take) return;
    dispatch({ type: 'pausing' });
    const dictation = await take.end();
    // Put first: the recorder takes its length from what is known of the dictation.
    dispatch({ type: 'paused', dictation });
    putDictation(dictation);
  }

  async function play(): Promise<void> {
    const { dictation, cursor } = state.peek();
    if (!dictation || isLive(state.peek())) return;
    const from = cursor >= dictation.seconds - 0.05 ? 0 : cursor;
    dispatch({ type: 'playing', isPlaying: true });
    const listener = {
      time: (at: number) => dispatch({ type: 'cursor', at }),
      ended: () => dispatch({ type: 'playing', isPlaying: false }),
    };
    await deps.player.play(bridge.address(files.dictation(dictation.id)), from, listener).catch(stopPlaying);
  }

  async function compress(sealed: Dictation): Promise<void> {
    if (deps.settings().upload_format !== 'opus') return;
    const encoded = await deps.encode(bridge.address(files.dictation(sealed.id))).catch(() => undefined);
    cannotEncode.value = encoded === undefined;
    if (!encoded) return;
    const input = { id: sealed.id, content_type: encoded.contentType };
    // Too late (it is on its way as WAV already) is no fault.
    const after = await bridge.call('dictation.encoded', input, encoded.bytes).catch(() => undefined);
    if (after) putDictation(after);
  }

  return {
    itemId,
    state,
    outline,
    sound,
    language,
    template,
    cannotEncode,
    record,
    pause,
    toggle: () => (running ? pause() : record()),
    async back(seconds) {
      await pause();
      const { isPlaying, cursor } = state.peek();
      dispatch({ type: 'cursor', at: cursor - seconds });
      if (isPlaying) await play();
    },
    play,
    stopPlaying,
    async undo() {
      stopPlaying();
      await pause();
      await change(({ id }) => bridge.call('dictation.undo', { id }));
    },
    async discard() {
      stopPlaying();
      await pause();
      await change(async (dictation) => {
        await bridge.call('dictation.discard', { id: dictation.id });
        dispatch({ type: 'discarded', dictation });
        removeDictation(dictation.id);
      });
    },
    async restore() {
      const { discarded } = state.peek();
      if (!discarded) return;
      try {
        const dictation = await bridge.call('dictation.restore', { id: discarded.id });
        dispatch({ type: 'restored', dictation });
        putDictation(dictation);
      } catch (error) {
        dispatch({ type: 'refused', error: asBridgeError(error) });
      }
    },
    async send() {
      stopPlaying();
      await pause();
      const { dictation } = state.peek();
      if (!isOpen(dictation) || lengthOf(state.peek()) === 0) return;
      await change(async ({ id }) => {
        const sealed = await bridge.call('dictation.send', {
          id,
          language: language.peek(),
          template_id: template.peek(),
        });
        void compress(sealed);
        return sealed;
      });
    },
    retry: () => change(({ id }) => bridge.call('dictation.retry', { id })),
    cancel: () => change(({ id }) => bridge.call('dictation.cancel', { id })),
    moveTo(at) {
      const { isPlaying } = state.peek();
      dispatch({ type: 'cursor', at });
      if (isPlaying) void play();
    },
    setMode: (mode) => dispatch({ type: 'mode', mode }),
    close() {
      follow();
      draw();
      stopPlaying();
    },
  };
}
