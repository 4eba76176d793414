/**
 * Forms of verbs that a dictionary has and no report: the past subjunctive, and the familiar second person. Recognisers
 * make them of other words: "abilhasse" of "biliar sem".
 */
import type { Language } from '../../../src/contract/shared.ts';
import { wordSet } from '../../../src/domain/fold.ts';

/** Folded endings, and the words that end so and are written. */
const forms: Readonly<Record<Language, { readonly ending: RegExp; readonly written: ReadonlySet<string> }>> = {
  'pt-BR': {
    ending: /(?:[aei]sse(?:s|m|mos)?|(?<!contr|desg|eng)astes?)$/,
    written: wordSet(`
      houvesse houvessem pudesse pudessem tivesse tivessem estivesse estivessem fizesse fizessem existisse existissem interesse interesses estresse
      estresses classe classes impasse impasses repasse trespasse
    `),
  },
  'es-ES': {
    ending: /(?:[ai]semos|ieses?|iesen|asen|[ai]steis|(?<!contr|desg|eng)astes?)$/,
    written: wordSet(
      'hubiese hubiesen pudiese pudiesen tuviese tuviesen estuviese estuviesen hiciese hiciesen existiese existiesen',
    ),
  },
  'en-US': { ending: /$^/, written: wordSet('') },
};

/** Shorter words that end so are others: "esse", "haste". */
const minLetters = 7;

/** `word`: folded, and in the dictionary. */
export const isUnwrittenForm = (word: string, language: Language): boolean =>
  word.length >= minLetters && forms[language].ending.test(word) && !forms[language].written.has(word);
