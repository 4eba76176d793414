/** How passages are searched, in the build and in the browser alike. */
import type { Options, Query } from 'minisearch';
import { foldLetters } from '../../../src/domain/search-text.ts';
import type { Passage } from '../site.ts';
import { listSynonyms } from './synonyms.ts';

/** Letters that may be wrong: one or two of a word, by its length; two neighbours that changed places are two. */
const fuzziness = (term: string): number | false => (term.length > 4 ? 0.3 : false);

export const searchOptions: Options<Passage & { id: number }> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['url', 'page', 'heading', 'text'],
  processTerm: (term) => foldLetters(term) || null,
  searchOptions: {
    boost: { heading: 4, page: 2 },
    prefix: true,
    fuzzy: fuzziness,
    maxFuzzy: 2,
    weights: { fuzzy: 0.1, prefix: 0.4 },
    combineWith: 'AND',
  },
};

/** Each word as it was typed, or, with less weight, one that means the same. */
export function readQuestion(text: string): Query {
  const words = text.split(/[\s,;:?!()"“”]+/).filter(Boolean);
  return {
    combineWith: 'AND',
    queries: words.map((word): Query => {
      const synonyms = listSynonyms(foldLetters(word));
      if (synonyms.length === 0) return word;
      const alike: Query = {
        combineWith: 'OR',
        queries: [...synonyms],
        fuzzy: false,
        prefix: false,
        boost: { heading: 2 },
      };
      return { combineWith: 'OR', queries: [word, alike] };
    }),
  };
}
