/** Writes the medical terms that misheard words stand for, as a lexicon found them in the transcript. */
import type { UnknownWords } from '../../domain/heard-text.ts';
import type { Change } from '../operation.ts';
import { buildFates, findHull } from '../operation.ts';
import { elementAt } from '../../domain/elements.ts';
import { writtenTokens } from '../words/token.ts';
import type { HeardToken, Token } from '../words/token.ts';

/** Leaves words that a step before has changed: the user's vocabulary knows better. */
export function writeMedicalTerms(
  tokens: readonly Token[],
  heard: readonly HeardToken[],
  unknown: readonly UnknownWords[],
): Change[] {
  const startOf = ({ from }: Token): number => elementAt(heard, from).start;
  const places = new Map(unknown.map((words) => [words.start, words]));
  const changes: Change[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const first = elementAt(tokens, at);
    const { term, end } = (first.origin === 'said' && places.get(startOf(first))) || {};
    if (term === undefined || end === undefined) continue;
    let to = at;
    while (to < tokens.length && elementAt(tokens, to).origin === 'said' && startOf(elementAt(tokens, to)) < end)
      to += 1;
    const said = tokens.slice(at, to);
    const last = said.at(-1);
    if (!last || elementAt(heard, last.to - 1).end !== end) continue;
    const hull = findHull(said);
    const out = writtenTokens(term, hull.from, hull.to, first.spaced);
    changes.push({ rule: 'medical', from: at, to, out, fates: buildFates(said, 'converted') });
    at = to - 1;
  }
  return changes;
}
