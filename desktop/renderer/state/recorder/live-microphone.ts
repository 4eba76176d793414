/** The live microphone of this page, for the signs that stand at every size of the page: top bar, title and icon of the tab. */
import { signal } from '@preact/signals';

export interface LiveMicrophone {
  readonly itemId: string;
  /** What the recorder sounds its alarm about; `null`: nothing. */
  readonly fault: 'microphone' | 'disk' | null;
}

/** `null`: the microphone is off. The recorders set it. */
export const liveMicrophone = signal<LiveMicrophone | null>(null);
