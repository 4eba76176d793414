/** The first screen comes first; what nobody needs for it is fetched once it stands, or when that takes long. */
import { computed, effect, signal } from '@preact/signals';
import { isAppAway, session } from '../../state/session.ts';
import { items } from '../../state/worklist/worklist.ts';

/** The list, or the screen of whoever has yet to log in. */
const isThere = computed(() => {
  const phase = session.value?.phase;
  if (phase === undefined) return isAppAway.value;
  return phase === 'logged-out' || phase === 'locked' || items.value !== undefined;
});

/** In ms: until a screen that stands is painted, and how long is waited for one that does not come. */
const paintMs = 300;
const longMs = 3000;

/** True from then on. */
export const isFirstLookOver = signal(false);

export function followFirstLook(): void {
  const end = (): void => void (isFirstLookOver.value = true);
  setTimeout(end, longMs);
  effect(() => {
    if (isThere.value) setTimeout(end, paintMs);
  });
}
