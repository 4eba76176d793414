/** Records a short spoken text that belongs to no dictation, such as an instruction. It exists only in this page. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { wavHead } from '../../../../src/domain/dictation/wav.ts';
import { joinBytes } from '../../audio/join-bytes.ts';
import type { OpenMicrophone } from '../../audio/microphone.ts';
import { showMicrophone } from './live-microphone.ts';

interface SpokenClip {
  /** Resolves to the audio as WAV, once. */
  stop(): Promise<ArrayBuffer>;
  /** Releases the microphone; nothing is kept. */
  cancel(): void;
}

interface ClipListener {
  /** The device is gone. */
  ended(): void;
  /** The level of the next block, 0 to 1. */
  level(peak: number): void;
}

/** Rejects if there is no microphone. */
async function recordClip(
  open: OpenMicrophone,
  device: string | null,
  { ended, level }: ClipListener,
): Promise<SpokenClip> {
  const microphone = await open({ device, sampleRate: null });
  const blocks: Uint8Array[] = [];
  try {
    await microphone.start({
      block({ samples, peak }) {
        blocks.push(new Uint8Array(samples));
        level(peak);
      },
      ended,
      muted: () => undefined,
    });
  } catch (error) {
    void microphone.close();
    throw error;
  }
  const hide = showMicrophone();
  return {
    async stop() {
      try {
        await microphone.stop();
      } finally {
        hide();
        await microphone.close();
      }
      const sound = joinBytes(blocks);
      return joinBytes([wavHead({ rate: microphone.sampleRate, bytes: sound.length }), sound]).buffer;
    },
    cancel() {
      hide();
      void microphone.close();
    },
  };
}

export type ClipStep = 'rest' | 'opening' | 'recording' | 'working' | 'no-microphone';

export interface ClipDeps {
  readonly open: OpenMicrophone;
  /** The chosen microphone; `null`: that of the system. */
  readonly device: () => string | null;
  /** Whether a dictation uses the microphone: there is only one. */
  readonly isTaken: () => boolean;
  /** Gets the audio as WAV. Handles its own errors. */
  readonly take: (wav: ArrayBuffer) => Promise<void>;
}

/** One spoken text at a time, whatever is pressed and however often. */
export interface ClipRecorder {
  readonly step: ReadonlySignal<ClipStep>;
  /** The current level, 0 to 1; 0 unless it records. */
  readonly level: ReadonlySignal<number>;
  /** Records, or ends the recording and passes it on. Does nothing while the microphone opens or a text is passed on. */
  toggle(): Promise<void>;
  /** Ends the recording, if there is one, and passes it on. */
  stop(): Promise<void>;
  /** Releases the microphone, even one that is still opening; nothing is passed on. */
  cancel(): void;
}

export function createClipRecorder({ open, device, isTaken, take }: ClipDeps): ClipRecorder {
  const step = signal<ClipStep>('rest');
  const level = signal(0);
  let clip: SpokenClip | null = null;
  /** Changes when the present clip is cancelled: what was begun before has no effect. */
  let turn = 0;
  const stop = async (): Promise<void> => {
    const [spoken, mine] = [clip, turn];
    clip = null;
    level.value = 0;
    if (!spoken) return;
    step.value = 'working';
    const wav = await spoken.stop().catch(() => null);
    if (wav) await take(wav);
    if (turn === mine) step.value = wav ? 'rest' : 'no-microphone';
  };
  const record = async (): Promise<void> => {
    if (isTaken()) return;
    const mine = turn;
    step.value = 'opening';
    try {
      const begun = await recordClip(open, device(), {
        ended: () => void stop(),
        level: (peak) => (level.value = peak),
      });
      if (turn !== mine) return begun.cancel();
      clip = begun;
      step.value = 'recording';
      // A dictation may have begun in the meantime.
      if (isTaken()) await stop();
    } catch {
      if (turn === mine) step.value = 'no-microphone';
    }
  };
  return {
    step,
    level,
    async toggle() {
      if (step.peek() === 'recording') await stop();
      else if (step.peek() === 'rest' || step.peek() === 'no-microphone') await record();
    },
    stop,
    cancel() {
      turn += 1;
      clip?.cancel();
      clip = null;
      level.value = 0;
      step.value = 'rest';
    },
  };
}
