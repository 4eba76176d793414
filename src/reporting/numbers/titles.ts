/** Titles of physicians before their names: "called to doctor patel" → "called to Dr. Patel". */
import { wordSet } from '../../domain/fold.ts';
import type { TermTables } from '../languages/tables.ts';
import type { Token } from '../words/token.ts';
import type { Conversion } from './conversion.ts';

export interface TitleWords {
  readonly titles: ReadonlyMap<string, string>;
  /** Words before a title whose holder is named. */
  readonly before: ReadonlySet<string>;
  readonly notNames: ReadonlySet<string>;
}

export const readTitles = ({ titles: { written, before, notNames } }: TermTables): TitleWords => ({
  titles: new Map(Object.entries(written)),
  before: wordSet(before),
  notNames: wordSet(notNames),
});

/** Only where somebody is addressed: not in "the doctor on call". */
export function titleAt(tokens: readonly Token[], at: number, words: TitleWords): Conversion | undefined {
  const title = words.titles.get(tokens[at]?.folded ?? '');
  const name = tokens[at + 1];
  if (title === undefined || !words.before.has(tokens[at - 1]?.folded ?? '')) return undefined;
  if (name?.kind !== 'word' || !/^\p{L}{3}/u.test(name.text) || words.notNames.has(name.folded)) return undefined;
  const written = name.text.charAt(0).toUpperCase() + name.text.slice(1);
  return {
    rule: 'term',
    to: at + 2,
    pieces: [
      { from: at, to: at + 1, text: title },
      { from: at + 1, to: at + 2, text: written },
    ],
  };
}
