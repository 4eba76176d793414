/**
 * The dictionaries of the languages that have one under a licence that Laudio ships (docs/licences). A language without one is
 * left to the browser's own check: where no dictionary knows the words, nobody is told that they are wrong. The build of the
 * page puts a dictionary in binary in the place of the text (vite.config.ts).
 */
import type { Language } from '../../../../src/contract/shared.ts';

const files: Readonly<Record<Language, (() => URL) | null>> = {
  'en-US': () => new URL('../../../../node_modules/@cspell/dict-en_us/en_US.trie.gz', import.meta.url),
  // What there is of Portuguese and Spanish is under the GPL, the LGPL or the MPL.
  'pt-BR': null,
  'es-ES': null,
};

/** Address of the dictionary; `null`: the language has none. */
export const dictionaryOf = (language: Language): string | null => files[language]?.().href ?? null;
