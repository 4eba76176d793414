/** A dictation into another program, as the small window shows it. Nothing of it outlives the window. */
import { batch, computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Language } from '../../../src/contract/shared.ts';
import type { InsertionWay } from '../../bridge/anywhere.ts';
import type { Bridge, BridgeError } from '../../bridge/bridge.ts';
import type { OpenMicrophone } from '../audio/microphone.ts';
import { asBridgeError } from './bridge.ts';
import { createClipRecorder } from './recorder/spoken-clip.ts';
import type { ClipStep } from './recorder/spoken-clip.ts';

export interface AnywhereDeps {
  readonly bridge: () => Pick<Bridge, 'call'>;
  readonly open: OpenMicrophone;
  readonly clock: Clock;
  readonly device: () => string | null;
  readonly language: () => Language;
  /** Whether Laudio itself records a dictation: there is only one microphone. */
  readonly isTaken: () => boolean;
}

/** `taken`: Laudio itself records a dictation; `unheard`: there were no words; `failed`: `error` says why. */
export type AnywhereStep = ClipStep | InsertionWay | 'taken' | 'unheard' | 'failed';

export interface AnywhereDictation {
  readonly step: ReadonlySignal<AnywhereStep>;
  /** The level of the microphone, 0 to 1. */
  readonly level: ReadonlySignal<number>;
  /** The text that was inserted or copied last. */
  readonly text: ReadonlySignal<string>;
  readonly error: ReadonlySignal<BridgeError | null>;
  /** Records, or ends the recording and inserts its text. */
  press(): void;
  /** Ends the recording, and inserts what was said, because a dictation needs the microphone. */
  giveWay(): void;
  /** Writes again what could not be written. */
  retry(): void;
  /** Closes the window; a recording is discarded. */
  close(): void;
}

/** Milliseconds that the window stays after its work, unless the key is pressed again. */
const staysFor: Partial<Record<AnywhereStep, number>> = {
  // The other program needs a moment to fetch the text from the clipboard.
  inserted: 2000,
  copied: 60_000,
  unheard: 6000,
  taken: 6000,
};

export function createAnywhereDictation(deps: AnywhereDeps): AnywhereDictation {
  const outcome = signal<Exclude<AnywhereStep, ClipStep> | null>(null);
  const text = signal('');
  const error = signal<BridgeError | null>(null);
  /** Speech that could not be written yet. */
  let unwritten: ArrayBuffer | null = null;
  let callOff = (): void => undefined;
  const close = (): void => {
    clip.cancel();
    void deps
      .bridge()
      .call('anywhere.close', {})
      .catch(() => undefined);
  };
  const end = (step: Exclude<AnywhereStep, ClipStep>, why: BridgeError | null = null): void => {
    batch(() => {
      outcome.value = step;
      error.value = why;
    });
    const stay = staysFor[step];
    if (stay !== undefined) callOff = deps.clock.schedule(deps.clock.now() + stay, close);
  };
  const begin = (): void => {
    callOff();
    callOff = () => undefined;
    batch(() => {
      outcome.value = null;
      error.value = null;
      text.value = '';
    });
  };
  const write = async (wav: ArrayBuffer): Promise<void> => {
    unwritten = wav;
    try {
      const app = deps.bridge();
      const said = await app.call('speech.write', { item_id: null, language: deps.language() }, wav);
      text.value = said.text;
      if (said.text === '') end('unheard');
      else end((await app.call('anywhere.insert', { text: said.text })).way);
      unwritten = null;
    } catch (thrown) {
      end('failed', asBridgeError(thrown));
    }
  };
  const clip = createClipRecorder({ open: deps.open, device: deps.device, isTaken: deps.isTaken, take: write });
  return {
    step: computed(() => outcome.value ?? clip.step.value),
    level: clip.level,
    text,
    error,
    press() {
      if (clip.step.peek() === 'recording') return void clip.stop();
      if (clip.step.peek() === 'working' || clip.step.peek() === 'opening') return;
      begin();
      if (deps.isTaken()) end('taken');
      else void clip.toggle();
    },
    giveWay: () => void clip.stop(),
    retry() {
      if (unwritten === null) return;
      begin();
      void write(unwritten);
    },
    close,
  };
}
