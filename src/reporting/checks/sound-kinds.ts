/** Findings that need the sound: the transcript alone can neither produce them nor show that they are gone. */
import type { FindingKind } from '../../contract/finding.ts';

/** Findings from suppressed text, and from facts about the sound as a whole. */
export const ofSound: readonly FindingKind[] = [
  'suppressed',
  'sound_cut',
  'language_differs',
  'little_understood',
  'heard_differently',
  'unchecked',
  'unknown_word',
];

/** Findings from the recogniser's confidence in each word. */
export const ofWords: readonly FindingKind[] = ['low_confidence'];
