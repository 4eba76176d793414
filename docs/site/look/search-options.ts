/** How passages are searched, in the build and in the browser alike. */
import type { Options } from 'minisearch';
import { foldLetters } from '../../../src/domain/search-text.ts';
import type { Passage } from '../site.ts';

export const searchOptions: Options<Passage & { id: number }> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['url', 'page', 'heading', 'text'],
  processTerm: (term) => foldLetters(term) || null,
  searchOptions: {
    boost: { heading: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
};
