/** Which words of the vocabulary are the same. */
import { phraseWords } from '../words/phrases.ts';

/** The words as they are compared: two terms of one owner and language may not write the same, nor be written for the same. */
export const termKey = (words: string): string => phraseWords(words).join(' ');
