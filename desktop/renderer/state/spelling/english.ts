/** The English speller: the dictionary, the words of our tables and templates, and those of radiology. */
import { buildITrieFromWords, decodeTrie } from 'cspell-trie-lib';
import { tables } from '../../../../src/reporting/languages/index.ts';
import { shippedTemplates } from '../../../../src/reporting/templates/shipped/index.ts';
import { prefixes, words } from './english-radiology.ts';
import { createSpeller, wordsOf } from './speller.ts';
import type { Dictionary, Speller } from './speller.ts';

type Trie = ReturnType<typeof decodeTrie>;

/** Limits of suggestions: distance in the library's unit, time in ms. */
const limits = { numSuggestions: 5, changeLimit: 3, timeout: 400, ignoreCase: true } as const;

const inTrie = (trie: Trie): Dictionary => ({
  has: (word) => trie.hasWord(word, true),
  near: (word) => trie.suggestWithCost(word, limits),
});

/** Building a trie is slow, and only suggestions need it. */
function inSet(words: ReadonlySet<string>): Dictionary {
  let trie: Trie | undefined;
  return {
    has: (word) => words.has(word),
    near: (word) => (trie ??= buildITrieFromWords(words)).suggestWithCost(word, limits),
  };
}

/** All texts in data, including its keys. */
function* textsIn(data: unknown): Generator<string> {
  if (typeof data === 'string') yield data;
  else if (typeof data === 'object' && data !== null)
    for (const [key, value] of Object.entries(data)) {
      yield key;
      yield* textsIn(value);
    }
}

/** `dictionary`: a trie of cspell, unpacked. */
export function createEnglishSpeller(dictionary: Uint8Array<ArrayBuffer>): Speller {
  const templates = Object.values(shippedTemplates).map(({ name, title, sections, macros }) => [
    name,
    title,
    sections,
    macros,
  ]);
  const own = wordsOf([...textsIn(tables['en-US']), ...textsIn(templates), words]);
  return createSpeller([inTrie(decodeTrie(dictionary)), inSet(own)], prefixes.trim().split(/\s+/));
}
