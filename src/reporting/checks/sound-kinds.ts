/** Findings that come from the sound: whoever has the transcript alone cannot find them, nor see that they are gone. */
import type { FindingKind } from '../../contract/finding.ts';

/** By what the recogniser left out, and what is known of the sound as a whole. */
export const ofSound: readonly FindingKind[] = ['suppressed', 'sound_cut', 'language_differs', 'little_understood'];

/** By how sure the recogniser was of each word. */
export const ofWords: readonly FindingKind[] = ['low_confidence'];
