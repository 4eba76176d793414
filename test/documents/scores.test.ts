/** The rules on the sets of documents, held at what is reached. */
import { expect, it } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import { readDocuments } from './cases.ts';
import { score } from './scores.ts';
import type { ScoreName } from './scores.ts';

/** Least share of hits; for what is bad, the greatest. */
const least: Partial<Record<ScoreName, number>> = {
  dictationsExact: 0.99,
  factsKept: 0.99,
  reportsSignable: 0.97,
  warningsFound: 0.98,
  editsAsked: 0.95,
  instructionsExact: 0.98,
};
const most: Partial<Record<ScoreName, number>> = { falseAlarms: 0.01, cleanAsked: 0.01, corrupting: 0 };

it.each(languages)('keeps its scores in %s', async (language) => {
  const { scores, misses } = score(await readDocuments(language));
  const shareOf = (name: string): number => {
    const { hits, of } = scores[name as ScoreName];
    return of === 0 ? Number.NaN : hits / of;
  };
  const below = Object.entries(least).filter(([name, share]) => shareOf(name) < share);
  const above = Object.entries(most).filter(([name, share]) => shareOf(name) > share);
  expect([...below, ...above], misses.map(({ id }) => id).join(' ')).toEqual([]);
});
