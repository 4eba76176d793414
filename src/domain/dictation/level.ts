/** How loud a microphone is, and whether it hears anything at all. */

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

/** `dead`: digital silence; `faint`: no voice since the take began; `quiet`: no voice for a long while. */
export type Hearing = 'good' | 'dead' | 'faint' | 'quiet';

/** What the microphone has heard in a take so far; times in ms. */
export interface Listening {
  readonly deadMs: number;
  readonly voicelessMs: number;
  readonly hasVoice: boolean;
}

export const freshListening: Listening = { deadMs: 0, voicelessMs: 0, hasVoice: false };

/** Adds a block of `ms` with its peak (0 to 1). */
export function listen(before: Listening, peak: number, ms: number): Listening {
  const isVoice = peak > faintPeak;
  return {
    deadMs: peak <= deadPeak ? before.deadMs + ms : 0,
    voicelessMs: isVoice ? 0 : before.voicelessMs + ms,
    hasVoice: before.hasVoice || isVoice,
  };
}

export function hearing({ deadMs, voicelessMs, hasVoice }: Listening): Hearing {
  if (deadMs >= alarmAfterMs) return 'dead';
  if (!hasVoice && voicelessMs >= alarmAfterMs) return 'faint';
  return hasVoice && voicelessMs >= quietAfterMs ? 'quiet' : 'good';
}

/** Position of a level (0 to 1) on the meter (0 to 1), which goes from -60 dBFS to full scale. */
export const meterPosition = (level: number): number => Math.min(1, Math.max(0, 1 + decibels(level) / 60));
