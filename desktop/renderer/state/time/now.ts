/** The present time, for everything that says how long ago something was. */
import { signal } from '@preact/signals';

/** In ms; moves on every 10 s while `startClock` runs. */
export const now = signal(Date.now());

export function startClock(): () => void {
  const timer = setInterval(() => (now.value = Date.now()), 10_000);
  return () => clearInterval(timer);
}
