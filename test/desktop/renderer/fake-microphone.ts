/** A microphone that hears what a test says. */
import type { CapturedBlock } from '../../../desktop/renderer/audio/capture-processor.ts';
import type {
  Microphone,
  MicrophoneListener,
  MicrophoneProblem,
  OpenMicrophone,
} from '../../../desktop/renderer/audio/microphone.ts';

/** `rate`: samples a second. */
export function fakeMicrophone(rate: number) {
  let listener: MicrophoneListener | undefined;
  let problem: MicrophoneProblem | undefined;
  let spoken = 0;
  /** Of the audio thread, in ms since 1970. */
  let hour = 1_000_000;
  let hanging: 'answer' | 'open' | 'start' | 'nothing' = 'nothing';
  const never = new Promise<never>(() => undefined);
  const seen = { opened: 0, closed: 0, beeps: 0, heard: 0 };
  const microphone: Microphone = {
    label: 'SpeechMike',
    sampleRate: rate,
    start: async (to) => {
      listener = to;
      if (hanging === 'start') return never;
    },
    stop: async () => void (listener = undefined),
    close: async () => void (seen.closed += 1),
    beep: () => void (seen.beeps += 1),
  };
  return {
    seen,
    fail: (with_: MicrophoneProblem) => (problem = with_),
    alarm: () => void (seen.beeps += 1),
    /** A step that the browser leaves unanswered from now on. */
    hang: (step: 'answer' | 'open' | 'start' | 'nothing') => (hanging = step),
    open: async ({ allowed }: Parameters<OpenMicrophone>[0]) => {
      if (hanging === 'answer') return never;
      allowed?.();
      if (hanging === 'open') return never;
      if (problem) throw { microphone: problem };
      seen.opened += 1;
      return microphone;
    },
    /** So many blocks of 100 ms: two of a syllable, and two between syllables. */
    speak: (blocks: number, change: Partial<CapturedBlock> = {}) => {
      for (let n = 0; n < blocks; n++) {
        const speech = change.rms ?? (spoken++ % 4 < 2 ? 0.1 : 0.01);
        hour += 100;
        listener?.block({
          samples: new Int16Array(rate / 10).buffer,
          peak: 0.4,
          rms: 0.1,
          at: hour,
          speech,
          ...change,
        });
        if (listener) seen.heard += rate / 10;
      }
    },
    /** So many ms go by in which nothing is captured: the computer sleeps. */
    sleep: (ms: number) => void (hour += ms),
    tell: () => listener,
  };
}
