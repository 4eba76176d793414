/** A signature that somebody asked for aloud, in the dictation of the report that it will sign. */
import { signal } from '@preact/signals';

export interface WantedSignature {
  readonly itemId: string;
  /** Id of the dictation. */
  readonly dictation: string;
}

/** `null`: none, or the report has come. The page that is loaded again has forgotten it. */
export const wantedSignature = signal<WantedSignature | null>(null);
