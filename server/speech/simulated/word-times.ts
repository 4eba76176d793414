/** Words of a test dictation with their positions and times. */
import type { HeardText, HeardWord } from '../../../src/domain/heard-text.ts';

/** `secondAfter` returns when this many words have been said; it never decreases. */
export function timeWords(
  text: string,
  secondAfter: (words: number) => number,
): Required<Pick<HeardText, 'text' | 'words'>> {
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index: start }, at): HeardWord => {
    const end = start + (word.replace(/(?<![.,:;?!])[.,:;?!]+$/, '').length || word.length);
    return { start, end, from: secondAfter(at), to: secondAfter(at + 1) };
  });
  return { text, words };
}

/** Distributes the words evenly over the audio. */
export function timeWordsEvenly(text: string, seconds: number): Required<Pick<HeardText, 'text' | 'words'>> {
  const count = text.match(/\S+/g)?.length ?? 0;
  return timeWords(text, (words) => Math.round((seconds * words * 1000) / count) / 1000);
}
