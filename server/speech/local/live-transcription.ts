/** Transcribes live with a streaming model. */
import type { Language } from '../../../src/contract/shared.ts';
import type { SuppressedText } from '../../../src/domain/heard-text.ts';
import { abortable } from '../../runtime/processes/abortable.ts';
import { soundRate, toFloats } from '../sound/samples.ts';
import { createVoiceDetector, frameSamples, frameSeconds } from '../sound/voice.ts';
import type { LiveRecogniser } from '../recogniser.ts';
import type { DecodedTokens } from './model-messages.ts';
import type { ModelProcess } from './model-process.ts';
import { toHeardText, joinTokens } from './words.ts';
import type { Word } from './words.ts';

/** Seconds around a word that must contain a voice. */
const margin = 0.4;

export const createLiveTranscription =
  (process: ModelProcess, check: (language: Language) => void): LiveRecogniser['listen'] =>
  async ({ sound, language }, onHeard, signal) => {
    signal.throwIfAborted();
    check(language);
    const stream = await abortable(process.open(language), signal);
    const voices = createVoiceTimeline();
    let seconds = 0;
    const emit = (decoded: readonly DecodedTokens[]): void => {
      for (const each of decoded) {
        const words = joinTokens(each);
        if (each.until === undefined) onHeard({ kind: 'partial', text: toHeardText(words).text });
        else {
          const until = Math.min(each.until, seconds);
          onHeard({ kind: 'final', heard: separateInvented(words, voices), until });
          voices.forget(until);
        }
      }
    };
    try {
      const pieces = sound[Symbol.asyncIterator]();
      for (;;) {
        const piece = await abortable(pieces.next(), signal);
        if (piece.done) break;
        const samples = toFloats(piece.value);
        seconds += samples.length / soundRate;
        voices.hear(samples);
        emit(await abortable(stream.hear(samples), signal));
      }
      emit(await abortable(stream.finish(), signal));
    } finally {
      stream.drop();
    }
  };

interface VoiceTimeline {
  hear(samples: Float32Array): void;
  /** Whether there is a voice between these seconds. */
  between(from: number, to: number): boolean;
  /** Forgets what is before this second. */
  forget(until: number): void;
}

function createVoiceTimeline(): VoiceTimeline {
  const classify = createVoiceDetector();
  let frames: boolean[] = [];
  let first = 0;
  let rest: Float32Array = new Float32Array();
  return {
    hear(samples) {
      const all = new Float32Array(rest.length + samples.length);
      all.set(rest);
      all.set(samples, rest.length);
      let at = 0;
      for (; at + frameSamples <= all.length; at += frameSamples) {
        frames.push(classify(all.subarray(at, at + frameSamples)).isVoice);
      }
      rest = all.slice(at);
    },
    between(from, to) {
      const start = Math.max(0, Math.floor(from / frameSeconds) - first);
      return frames.slice(start, Math.ceil(to / frameSeconds) - first).includes(true);
    },
    forget(until) {
      const gone = Math.min(frames.length, Math.floor((until - 2 * margin) / frameSeconds) - first);
      if (gone <= 0) return;
      frames = frames.slice(gone);
      first += gone;
    },
  };
}

/** Moves words without a voice to `suppressed`: the model made them up. */
function separateInvented(words: readonly Word[], voices: VoiceTimeline) {
  const said: Word[] = [];
  const suppressed: SuppressedText[] = [];
  for (const word of words) {
    if (voices.between(word.from - margin, word.to + margin)) said.push(word);
    else suppressed.push({ ...word, at: toHeardText(said).text.length, reason: 'silence' });
  }
  return { ...toHeardText(said), ...(suppressed.length > 0 && { suppressed }) };
}
