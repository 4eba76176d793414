/** Converts a model's tokens to words. */
import type { HeardText, HeardWord } from '../../../src/domain/heard-text.ts';
import type { DecodedTokens } from './model-messages.ts';

export interface Word {
  readonly text: string;
  /** Seconds from the beginning of the audio. */
  readonly from: number;
  readonly to: number;
}

/** Length of a token whose end is unknown, in seconds. */
const defaultSeconds = 0.4;
/** The mark of a token that begins a word, as SentencePiece writes it or the addon rewrites it. */
const wordStart = /^[▁ ]/;

export function joinTokens({ tokens, times, durations }: DecodedTokens): Word[] {
  const words: { text: string; from: number; to: number }[] = [];
  let open = false;
  for (const [place, token] of tokens.entries()) {
    const text = token.replace(/^[▁ ]+/, '');
    if (wordStart.test(token)) open = false;
    if (text === '') continue;
    const from = times[place] ?? 0;
    const to = Math.min(times[place + 1] ?? Infinity, from + (durations[place] || defaultSeconds));
    const last = words.at(-1);
    if (open && last) {
      last.text += text;
      last.to = Math.max(last.to, to);
    } else words.push({ text, from, to: Math.max(from, to) });
    open = true;
  }
  return words;
}

/** The words as text, with positions and times. The model reports no confidence. */
export function toHeardText(words: readonly Word[]): Required<Pick<HeardText, 'text' | 'words'>> {
  let text = '';
  const places: HeardWord[] = [];
  for (const word of words) {
    if (text !== '') text += ' ';
    places.push({ start: text.length, end: text.length + word.text.length, from: word.from, to: word.to });
    text += word.text;
  }
  return { text, words: places };
}
