/** The present time, for everything that says how long ago something was. */
import { computed, signal } from '@preact/signals';

/** In ms; moves on every 10 s while `startClock` runs. */
export const now = signal(Date.now());

/** The minute and the hour that have begun, in ms: what says no more than that need not be drawn anew every 10 s. */
const since = (step: number) => computed(() => Math.floor(now.value / step) * step);
export const minute = since(60_000);
export const hour = since(3_600_000);

export function startClock(): () => void {
  const timer = setInterval(() => (now.value = Date.now()), 10_000);
  return () => clearInterval(timer);
}
