/** The words of a test dictation as a recogniser tells them: each with its place and its time. */
import type { HeardText, HeardWord } from '../../../src/domain/heard-text.ts';

/** `secondAfter` tells when so many words have been said; it never goes back. */
export function said(
  text: string,
  secondAfter: (words: number) => number,
): Required<Pick<HeardText, 'text' | 'words'>> {
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index: start }, at): HeardWord => {
    const end = start + (word.replace(/(?<![.,:;?!])[.,:;?!]+$/, '').length || word.length);
    return { start, end, from: secondAfter(at), to: secondAfter(at + 1) };
  });
  return { text, words };
}

/** Over so many seconds of sound, each word as long as the others. */
export function evenlySaid(text: string, seconds: number): Required<Pick<HeardText, 'text' | 'words'>> {
  const count = text.match(/\S+/g)?.length ?? 0;
  return said(text, (words) => Math.round((seconds * words * 1000) / count) / 1000);
}
