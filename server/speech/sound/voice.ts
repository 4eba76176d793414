/** Detects voice by loudness relative to the background noise. */
import { silence, soundRate } from './samples.ts';

/** Samples per decision: 20 ms. */
export const frameSamples = soundRate / 50;
export const frameSeconds = frameSamples / soundRate;

/** Decibels below full scale. Voices are louder; the noise of a room may be. */
const minLevel = -62;
/** Decibels by which a voice exceeds the background. */
const margin = 7;
/** Decibels by which the background may rise per frame: 3 a second, so that a held vowel stays a voice. */
const rise = 3 * frameSeconds;

export interface Frame {
  readonly samples: Float32Array;
  readonly isVoice: boolean;
  /** In decibels relative to full scale. */
  readonly level: number;
}

/** Classifies consecutive frames of one recording. */
export function createVoiceDetector(): (samples: Float32Array) => Frame {
  let background = minLevel - margin;
  return (samples) => {
    const level = measureLevel(samples);
    background = Math.max(minLevel - margin, Math.min(level, background + rise));
    return { samples, level, isVoice: level > background + margin };
  };
}

/** Ignores the DC offset, which cheap sound cards add. */
function measureLevel(samples: Float32Array): number {
  let [sum, squares] = [0, 0];
  for (let at = 0; at < samples.length; at += 1) {
    const sample = samples[at] ?? silence;
    sum += sample;
    squares += sample * sample;
  }
  const energy = squares / samples.length - (sum / samples.length) ** 2;
  return energy > 1e-12 ? 10 * Math.log10(energy) : -120;
}
