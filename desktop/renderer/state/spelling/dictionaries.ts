/**
 * The dictionaries of the languages that have one under a licence that Laudio ships (docs/licences). Other languages
 * use the browser's own check: without a dictionary no word is marked as misspelt. The page's build replaces the text
 * dictionary with a binary one (vite.config.ts).
 */
import type { Language } from '../../../../src/contract/shared.ts';

const files: Readonly<Record<Language, (() => URL) | null>> = {
  'en-US': () => new URL('../../../../node_modules/@cspell/dict-en_us/en_US.trie.gz', import.meta.url),
  // The dictionaries of Portuguese and Spanish are under the GPL, the LGPL or the MPL.
  'pt-BR': null,
  'es-ES': null,
};

/** Address of the dictionary; `null`: there is none. */
export const dictionaryOf = (language: Language): string | null => files[language]?.().href ?? null;
