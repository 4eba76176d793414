/** The live microphone of this page, for indicators that are visible at any page size: top bar, title and favicon. */
import { computed, signal } from '@preact/signals';

export interface LiveMicrophone {
  /** The exam that is dictated; `null`: the microphone records something else, such as a spoken correction. */
  readonly itemId: string | null;
  /** The cause of the recorder's alarm; `null`: none. */
  readonly fault: 'microphone' | 'disk' | null;
}

/** Set by the recorders; `null`: none of them records. */
export const dictatedExam = signal<LiveMicrophone | null>(null);
const otherUses = signal(0);
const other: LiveMicrophone = { itemId: null, fault: null };

/** `null`: the microphone is off. */
export const liveMicrophone = computed(() => dictatedExam.value ?? (otherUses.value > 0 ? other : null));

/** Shows the microphone as live, other than for a dictation, until the returned function is called. */
export function showMicrophone(): () => void {
  otherUses.value += 1;
  let isShown = true;
  return () => {
    if (isShown) otherUses.value -= 1;
    isShown = false;
  };
}
