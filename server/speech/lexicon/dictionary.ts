/** General dictionaries of Hunspell, which are MPL or MIT licensed (decision 59). Loaded when first used. */
import type { Language } from '../../../src/contract/shared.ts';
import { loadOptional } from '../../../src/node/optional-packages.ts';
import { keepRecent } from '../../../src/domain/oldest.ts';

export interface Dictionary {
  /** Whether it is a word, in this case or in another one. */
  has(word: string): boolean;
  /** Words that are near, the nearest first. */
  suggest(word: string): readonly string[];
}

const packages: Readonly<Record<Language, () => Promise<{ default: { aff: Uint8Array; dic: Uint8Array } }>>> = {
  'pt-BR': () => import('dictionary-pt'),
  'en-US': () => import('dictionary-en'),
  'es-ES': () => import('dictionary-es'),
};

/** The most words whose suggestions are kept: each takes up to half a second. */
const maxKept = 1000;

/** Takes up to a second, and 30 to 50 MB. */
export async function openDictionary(language: Language): Promise<Dictionary> {
  const [{ createHunspellFromStrings }, { default: files }] = await loadOptional('lexicon', () =>
    Promise.all([import('hunspell-wasm'), packages[language]()]),
  );
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const hunspell = await createHunspellFromStrings(text(files.aff), text(files.dic));
  const withCapital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  return {
    has: (word) =>
      [word, word.toLowerCase(), withCapital(word.toLowerCase())].some((each) => hunspell.testSpelling(each)),
    suggest: keepRecent(maxKept, (word: string) => hunspell.getSpellingSuggestions(word)),
  };
}
