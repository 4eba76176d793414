/** Tells voice from silence by loudness: above what a recording always has, such as the noise of a room. */
import { soundRate } from './rate.ts';

/** Samples that are judged together: 20 ms. */
export const frameSamples = soundRate / 50;
export const frameSeconds = frameSamples / soundRate;

/** Decibels below full scale. Nobody's voice is weaker; the noise of a room may be. */
const faintest = -62;
/** Decibels by which a voice is louder than what always sounds. */
const margin = 7;
/** Decibels by which what always sounds may grow in a frame: 3 in a second, so that a held vowel stays a voice. */
const rise = 3 * frameSeconds;

export interface Frame {
  readonly samples: Float32Array;
  readonly isVoice: boolean;
  /** In decibels below full scale. */
  readonly level: number;
}

/** Judges frame after frame of one sound. */
export function createVoice(): (samples: Float32Array) => Frame {
  let ground = faintest - margin;
  return (samples) => {
    const level = levelOf(samples);
    ground = Math.max(faintest - margin, Math.min(level, ground + rise));
    return { samples, level, isVoice: level > ground + margin };
  };
}

/** Without the constant part, which a cheap sound card adds. */
function levelOf(samples: Float32Array): number {
  let [sum, squares] = [0, 0];
  for (let at = 0; at < samples.length; at += 1) {
    const sample = samples[at]!;
    sum += sample;
    squares += sample * sample;
  }
  const energy = squares / samples.length - (sum / samples.length) ** 2;
  return energy > 1e-12 ? 10 * Math.log10(energy) : -120;
}
