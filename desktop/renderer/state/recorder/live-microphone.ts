/** The live microphone of this page, for indicators that are visible at any page size: top bar, title and favicon. */
import { signal } from '@preact/signals';

export interface LiveMicrophone {
  readonly itemId: string;
  /** The cause of the recorder's alarm; `null`: none. */
  readonly fault: 'microphone' | 'disk' | null;
}

/** `null`: the microphone is off. Set by the recorders. */
export const liveMicrophone = signal<LiveMicrophone | null>(null);
