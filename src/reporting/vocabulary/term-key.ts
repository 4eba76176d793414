/** The identity of vocabulary words. */
import { phraseWords } from '../words/phrases.ts';

/** The words for comparison: two terms of one owner and language may not write the same, nor replace the same. */
export const termKey = (words: string): string => phraseWords(words).join(' ');
