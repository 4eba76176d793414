/** Hesitations ("uh", "ã", "mmm"): they were heard, and a report does not have them. */
import { wordList } from '../../domain/fold.ts';
import type { Change } from '../operation.ts';
import { beginsSentence } from '../words/phrases.ts';
import { isComma } from '../words/token.ts';
import type { Token } from '../words/token.ts';

/** The hesitations of a language, in lower case with their accents: "ã" is one, and "a" is a word. */
export const readHesitations = (words: string): ReadonlySet<string> => new Set(wordList(words));

/** Removes hesitations, with the marks that a recogniser puts around them. */
export function leaveOutHesitations(tokens: readonly Token[], hesitations: ReadonlySet<string>): Change[] {
  const isHesitation = (token: Token | undefined): boolean =>
    token?.kind === 'word' && !isAbbreviation(token.text) && hesitations.has(token.text.toLowerCase());
  const changes: Change[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (!isHesitation(tokens[at])) continue;
    let to = at + 1;
    // "uh, um, the lungs"
    for (let next = afterPause(tokens, to); isHesitation(tokens[next]); next = afterPause(tokens, to)) to = next + 1;
    const isFirst = beginsSentence(tokens, at);
    const from = !isFirst && isComma(tokens[at - 1]) && isComma(tokens[to]) ? at - 1 : at;
    if (isFirst || from < at) to = afterPause(tokens, to);
    const fates = tokens
      .slice(from, to)
      .map((token) => ({ from: token.from, to: token.to, fate: 'left_out' as const }));
    changes.push({ rule: 'hesitation', from, to, out: [], fates });
    at = to - 1;
  }
  return changes;
}

/** "UH" is no hesitation. */
const isAbbreviation = (text: string): boolean => text.length > 1 && text === text.toUpperCase();

/** Skips a comma, a full stop, or an ellipsis. */
function afterPause(tokens: readonly Token[], at: number): number {
  let to = at;
  while (to < at + 3 && tokens[to]?.kind === 'mark' && /^[,.…]$/.test(tokens[to]?.text ?? '')) to += 1;
  return to;
}
