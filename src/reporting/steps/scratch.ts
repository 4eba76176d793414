/** Commands that delete the last sentence: "scratch that". */
import { buildFates } from '../operation.ts';
import type { Change, HeardFate } from '../operation.ts';
import { phraseAt } from '../words/phrases.ts';
import type { FoundPhrase, PhraseIndex } from '../words/phrases.ts';
import { endsSentence } from '../words/sentences.ts';
import type { Token } from '../words/token.ts';
import { elementAt, lastElement } from '../../domain/elements.ts';

/** "Scratch that": deletes the last sentence, wherever it is, and the next word begins a new one. */
export function scratch(
  tokens: readonly Token[],
  commands: PhraseIndex<true>,
  headings: ReadonlySet<number>,
): Change[] {
  /** Beginnings of the remaining sentences. */
  const starts: number[] = [0];
  const changes: Change[] = [];
  let at = 0;
  while (at < tokens.length) {
    const found = scratchAt(tokens, at, commands);
    if (!found) {
      at += 1;
      if (endsSentence(tokens, at - 1) || headings.has(at)) starts.push(at);
      continue;
    }
    while (starts.length > 1 && !hasWords(tokens, lastElement(starts), at, changes)) starts.pop();
    const start = starts.pop() ?? 0;
    changes.push(deleteSentence(tokens, start, at, found, changes));
    starts.push(found);
    at = found;
  }
  return changes;
}

/** The phrase at the token `at`, if it was spoken: the text of a vocabulary term or a spelled name deletes nothing. */
export function commandAt<T>(
  tokens: readonly Token[],
  at: number,
  phrases: PhraseIndex<T>,
): FoundPhrase<T> | undefined {
  const found = phraseAt(tokens, at, phrases);
  return found && tokens.slice(at, found.to).every(({ origin }) => origin === 'said') ? found : undefined;
}

/** The token after a delete command and its marks. */
export function scratchAt(tokens: readonly Token[], at: number, commands: PhraseIndex<true>): number | undefined {
  if (tokens[at]?.kind !== 'word') return undefined;
  const found = commandAt(tokens, at, commands);
  if (!found) return undefined;
  let { to } = found;
  while (tokens[to]?.kind === 'mark' && /^[.,;:!?…]$/.test(elementAt(tokens, to).text)) to += 1;
  return to;
}

/** Whether words remain between two places: the last change deleted all that it covers. */
const hasWords = (tokens: readonly Token[], from: number, to: number, changes: readonly Change[]): boolean => {
  const taken = changes.at(-1);
  for (let at = from; at < to; at += 1) {
    if (taken && at >= taken.from && at < taken.to) continue;
    if (elementAt(tokens, at).kind !== 'mark' && elementAt(tokens, at).kind !== 'break') return true;
  }
  return false;
};

/** Commands in a row are one change: the later one covers what the earlier ones deleted. */
function deleteSentence(tokens: readonly Token[], start: number, at: number, to: number, changes: Change[]): Change {
  const earlier: Change[] = [];
  for (let last = changes.at(-1); last && last.to > start; last = changes.at(-1)) {
    earlier.unshift(last);
    changes.pop();
  }
  const from = Math.min(start, earlier[0]?.from ?? start);
  const fates: HeardFate[] = [];
  let next = from;
  for (const change of earlier) {
    fates.push(...buildFates(tokens.slice(next, change.from), 'taken_back'), ...change.fates);
    next = change.to;
  }
  fates.push(...buildFates(tokens.slice(next, at), 'taken_back'), ...buildFates(tokens.slice(at, to), 'command'));
  return { rule: 'scratch', from, to, out: [], fates };
}
