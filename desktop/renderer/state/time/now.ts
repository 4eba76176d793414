/** The current time, for everything that shows a relative time. */
import { computed, signal } from '@preact/signals';

/** In ms; updated every 10 s while `startClock` runs. */
export const now = signal(Date.now());

/** The start of the current minute and hour, in ms: views that need no more precision are not redrawn every 10 s. */
const since = (step: number) => computed(() => Math.floor(now.value / step) * step);
export const minute = since(60_000);
export const hour = since(3_600_000);

export function startClock(): () => void {
  const timer = setInterval(() => (now.value = Date.now()), 10_000);
  return () => clearInterval(timer);
}
