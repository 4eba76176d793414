/**
 * The last stretch of speech: the part that one undo removes. A stretch goes from pause to pause, as people speak, and
 * is never longer than ten seconds, so that an undo costs a phrase and not a dictation.
 */

/** Length of the frames in which the level is measured, in ms. */
const frameMs = 20;
/** Speech is quieter for a moment in every plosive; a pause between phrases lasts longer, in ms. */
const pauseMs = 350;
/** A cough or a click before a pause is no phrase, in ms. */
const minVoiceMs = 200;
/** In ms. */
const maxStretch = 10_000;
/** If nobody pauses within the longest stretch, it begins in the quietest moment after this many ms. */
const minStretch = 5000;
/** Seconds at the end of a take that hold its last stretch and the pause after it. */
export const stretchSeconds = 30;
/** Between the noise of the room (0) and the loudest words (1), in dB: above it somebody speaks. */
const voiceAt = 0.3;
/** dB. If the loudest frames are hardly louder than the quietest, there are no pauses to find. */
const minRange = 6;

/**
 * How many samples at the end belong to the last stretch and the silence after it; all of them where they hold no more.
 * `samples`: the end of the take, -1 to 1, at most `stretchSeconds`; `rate`: samples a second.
 */
export function lastStretch(samples: Float32Array, rate: number): number {
  const size = Math.max(1, Math.round((rate * frameMs) / 1000));
  // The frames end where the sound does, so that none is cut at the end.
  const frames = Math.floor(samples.length / size);
  const first = samples.length - frames * size;
  const levels = Array.from({ length: frames }, (_, frame) => measureLevel(samples, first + frame * size, size));
  const begins = findBeginning(levels);
  return begins === 0 ? samples.length : (frames - begins) * size;
}

/** RMS in dBFS, -90 at least. */
function measureLevel(samples: Float32Array, from: number, size: number): number {
  let squares = 0;
  for (const sample of samples.subarray(from, from + size)) squares += sample * sample;
  return Math.max(-90, 10 * Math.log10(squares / size));
}

/**
 * The frame with which the last stretch begins, half the shortest pause before its first sound, which may be soft; 0:
 * it begins earlier.
 */
function findBeginning(levels: readonly number[]): number {
  const isVoice = voicesIn(levels);
  const pause = Math.ceil(pauseMs / frameMs);
  let end = levels.length - 1;
  while (end >= 0 && !isVoice[end]) end--;
  if (end < 0) return 0;
  const earliest = Math.max(0, end + 1 - maxStretch / frameMs);
  let voiced = 0;
  let silent = 0;
  for (let frame = end; frame >= earliest; frame--) {
    silent = isVoice[frame] ? 0 : silent + 1;
    if (isVoice[frame]) voiced++;
    if (silent >= pause && voiced * frameMs >= minVoiceMs) return frame + Math.floor(silent / 2);
  }
  return earliest === 0 ? 0 : quietest(levels, earliest, end + 1 - minStretch / frameMs);
}

function voicesIn(levels: readonly number[]): boolean[] {
  const sorted = levels.toSorted((a, b) => a - b);
  const share = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  const [floor, loud] = [share(0.05), share(0.95)];
  if (loud - floor < minRange) return levels.map(() => true);
  const threshold = floor + (loud - floor) * voiceAt;
  return levels.map((level) => level >= threshold);
}

/** The quietest 100 ms between two frames. */
function quietest(levels: readonly number[], from: number, to: number): number {
  const width = 100 / frameMs;
  let best = from;
  let min = Infinity;
  for (let at = from; at + width <= to; at++) {
    const level = Math.max(...levels.slice(at, at + width));
    if (level < min) [best, min] = [at, level];
  }
  return best + Math.floor(width / 2);
}
