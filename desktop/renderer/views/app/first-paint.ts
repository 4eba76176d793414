/** Loads code that the first screen does not need after that screen is painted, or after a timeout. */
import { computed, effect, signal } from '@preact/signals';
import { isAppAway, session } from '../../state/session.ts';
import { items } from '../../state/worklist/worklist.ts';

/** The first screen: the list, or the login. */
const isThere = computed(() => {
  const phase = session.value?.phase;
  if (phase === undefined) return isAppAway.value;
  return phase === 'logged-out' || phase === 'locked' || items.value !== undefined;
});

/** Time for a rendered screen to be painted, and the timeout for a screen that does not appear, in ms. */
const paintMs = 300;
const longMs = 3000;

/** Whether the first screen is painted. */
export const isFirstPaintDone = signal(false);

export function followFirstPaint(): void {
  const end = (): void => void (isFirstPaintDone.value = true);
  setTimeout(end, longMs);
  effect(() => {
    if (isThere.value) setTimeout(end, paintMs);
  });
}
