/** Converts a model's tokens to words. */
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
