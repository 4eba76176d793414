/** How loud a microphone is, and whether it hears anybody at all. */
import { elementAt } from '../elements.ts';

/** dBFS of a level from 0 to 1; digital silence is -Infinity. */
const decibels = (level: number): number => 20 * Math.log10(level);

/** Below this level there is only the noise of the converter: two steps of 16 bits. */
const deadPeak = 2 / 0x8000;
/** Peaks of speech at a microphone that works lie well above this. */
const faintPeak = 10 ** (-46 / 20);
/** Silence for so many ms counts as a dead microphone. */
export const alarmAfterMs = 2000;
/** After so many ms without a word the page mentions it; a shorter pause for thought is no fault. */
const quietAfterMs = 20_000;

/** Hz. Below are hum, rumble and handling, whose level wavers by itself. */
const speechFrom = 300;
/**
 * Syllables raise and lower the level of a microphone, noise doesn't: in 2 s the level of white, pink and brown noise
 * and of hum rises and falls by 1.8 dB at most, that of speech by 3.2 dB and more even if it is only 3 dB louder than
 * the noise (test/domain/dictation/level.test.ts measures both).
 */
const minSyllable = 3;
/**
 * The level at which a syllable begins, between the softest and the loudest of the last 2 s; below it is the room
 * between words.
 */
const syllableShare = 0.4;
/** In ms. A pause within a sentence is shorter. */
export const sentencePauseMs = 700;
/** A microphone that is being opened may crack, for so many ms. */
const crackMs = 200;
/** A noise this many dB above the level between the words before is no pause. */
const aboveFloor = 15;
/** dBFS. No room is so quiet that a fan could not be heard in it. */
const minFloor = -55;

/** `dead`: digital silence; `noise`: a steady noise without a voice; `faint`: no voice since the take began; `quiet`: no voice for a long while. */
export type Hearing = 'good' | 'dead' | 'noise' | 'faint' | 'quiet';

/** A block of sound as `listen` takes it. */
export interface BlockLevel {
  /** Largest amplitude, 0 to 1. */
  readonly peak: number;
  /** RMS above 300 Hz, 0 to 1 (`measureSpeechLevel`). */
  readonly speech: number;
  readonly ms: number;
}

/** The RMS of samples from -1 to 1 above 300 Hz; `rate`: samples a second. */
export function measureSpeechLevel(samples: Float32Array, rate: number): number {
  const keep = 1 / (1 + (2 * Math.PI * speechFrom) / rate);
  let before = samples[0] ?? 0;
  let passed = 0;
  let squares = 0;
  for (const sample of samples) {
    passed = keep * (passed + sample - before);
    before = sample;
    squares += passed * passed;
  }
  return samples.length === 0 ? 0 : Math.sqrt(squares / samples.length);
}

/** Facts about the microphone, from the take so far; times in ms, levels in dBFS. */
export interface Listening {
  readonly sinceMs: number;
  readonly deadMs: number;
  readonly voicelessMs: number;
  /** Since the last syllable: the length of the pause. */
  readonly pauseMs: number;
  readonly hasVoice: boolean;
  /** The last three blocks. */
  readonly latest: readonly number[];
  /** The last 2 s, without single blocks that stand out: a click is no syllable. */
  readonly levels: readonly { readonly level: number; readonly ms: number }[];
  /** The lowest of them in this take. */
  readonly floor: number;
  /** Since the last sound as loud as speech. */
  readonly softMs: number;
}

export const freshListening: Listening = {
  sinceMs: 0,
  deadMs: 0,
  voicelessMs: 0,
  pauseMs: 0,
  hasVoice: false,
  latest: [],
  levels: [],
  floor: 0,
  softMs: 0,
};

/** Adds a block. */
export function listen(before: Listening, { peak, speech, ms }: BlockLevel): Listening {
  const sinceMs = before.sinceMs + ms;
  const latest = [...before.latest, Math.max(-90, decibels(speech))].slice(-3);
  const level = elementAt(
    latest.toSorted((a, b) => a - b),
    Math.floor(latest.length / 2),
  );
  const isOpen = sinceMs > crackMs && latest.length === 3;
  const levels = isOpen ? keepRecent([...before.levels, { level, ms }]) : before.levels;
  const isLoud = peak > faintPeak;
  const isVoice = isLoud && syllable(levels) >= minSyllable;
  const softest = Math.min(...levels.map((each) => each.level));
  const loudest = Math.max(...levels.map((each) => each.level));
  const isSyllable = isVoice && level >= softest + syllableShare * (loudest - softest);
  return {
    sinceMs,
    deadMs: peak <= deadPeak ? before.deadMs + ms : 0,
    voicelessMs: isVoice ? 0 : before.voicelessMs + ms,
    pauseMs: isSyllable ? 0 : before.pauseMs + ms,
    hasVoice: before.hasVoice || isVoice,
    latest,
    levels,
    floor: isOpen ? Math.min(before.floor, level) : before.floor,
    softMs: isLoud ? 0 : before.softMs + ms,
  };
}

/** The levels of the last 2 s. */
function keepRecent(levels: Listening['levels']): Listening['levels'] {
  let ms = 0;
  const first = levels.findLastIndex((each) => (ms += each.ms) >= alarmAfterMs);
  return first < 0 ? levels : levels.slice(first);
}

/** The dB by which the level both rose and fell. A gain that is being adjusted moves in one direction only. */
function syllable(levels: Listening['levels']): number {
  let [lowest, highest, rise, fall] = [Infinity, -Infinity, 0, 0];
  for (const { level } of levels) {
    lowest = Math.min(lowest, level);
    highest = Math.max(highest, level);
    rise = Math.max(rise, level - lowest);
    fall = Math.max(fall, highest - level);
  }
  return Math.min(rise, fall);
}

/** Noise in mid-speech that is far louder than the room between the words: a loose plug, not a pause. */
function isBroken({ levels, floor }: Listening): boolean {
  const isWhole = levels.reduce((sum, { ms }) => sum + ms, 0) >= alarmAfterMs;
  const min = Math.min(...levels.map(({ level }) => level));
  return isWhole && syllable(levels) < minSyllable && min >= Math.max(floor, minFloor) + aboveFloor;
}

export function hearing(listening: Listening): Hearing {
  const { deadMs, voicelessMs, hasVoice, softMs } = listening;
  if (deadMs >= alarmAfterMs) return 'dead';
  if (!hasVoice && voicelessMs >= alarmAfterMs) return softMs < alarmAfterMs / 2 ? 'noise' : 'faint';
  if (isBroken(listening)) return 'noise';
  return hasVoice && voicelessMs >= quietAfterMs ? 'quiet' : 'good';
}

/** Position of a level (0 to 1) on the meter (0 to 1), which goes from -60 dBFS to full scale. */
export const meterPosition = (level: number): number => Math.min(1, Math.max(0, 1 + decibels(level) / 60));
