/** The waveform of a dictation while audio is added: the earlier audio and the running take. */
import type { Take } from './recorder-state.ts';

/** Peaks (0 to 1), evenly spaced over `seconds`. */
export interface Waveform {
  readonly peaks: readonly number[];
  readonly seconds: number;
}

export const noOutline: Waveform = { peaks: [], seconds: 0 };

/** Largest peak between two times in seconds; `null` outside the waveform. */
function peakIn({ peaks, seconds }: Waveform, from: number, to: number): number | null {
  if (seconds <= 0 || peaks.length === 0 || from >= seconds || to <= 0) return null;
  const perSecond = peaks.length / seconds;
  const first = Math.max(0, Math.floor(from * perSecond));
  const last = Math.min(peaks.length, Math.max(first + 1, Math.ceil(to * perSecond)));
  let peak = 0;
  for (let at = first; at < last; at++) peak = Math.max(peak, peaks[at] ?? 0);
  return peak;
}

/** Largest peak between two times of the dictation as it would be sent; `null` after its end. */
export function peakBetween(
  before: Waveform,
  live: Waveform,
  take: Take | null,
  from: number,
  to: number,
): number | null {
  if (!take) return peakIn(before, from, to);
  if (from < take.at) return peakIn(before, from, Math.min(to, take.at));
  if (from < take.at + take.captured) return peakIn(live, from - take.at, to - take.at);
  // Inserted audio shifts the rest; overwriting does not.
  const moved = take.mode === 'overwrite' ? 0 : take.captured;
  return peakIn(before, from - moved, to - moved);
}

/**
 * Seconds that the waveform shows for a dictation of `seconds`: with some room at the end, in coarse steps, so that the
 * scale rarely changes while the dictation grows.
 */
export function getShownSeconds(seconds: number): number {
  let shown = 20;
  while (shown * 0.88 < seconds) shown *= 1.5;
  return shown;
}
