/** The medical terms of a language: which words it has, and which terms sound like given words. */
import type { Language } from '../../../src/contract/shared.ts';
import { fold, phraseList, wordList } from '../../../src/domain/fold.ts';
import { freeWords } from '../../../src/reporting/languages/free-words.ts';
import { tables } from '../../../src/reporting/languages/index.ts';
import { rads } from '../../../src/reporting/languages/rads.ts';
import { findSound, indexVocabulary } from '../../../src/reporting/vocabulary/vocabulary.ts';
import { phraseWords } from '../../../src/reporting/words/phrases.ts';
import { stem } from '../../../src/reporting/words/stem.ts';
import { english } from './terms/en-US/index.ts';
import { names } from './terms/names.ts';
import { portuguese } from './terms/pt-BR/index.ts';
import { spanish } from './terms/es-ES/index.ts';
import { wordParts } from './word-parts.ts';

export interface MedicalTerm {
  readonly write: string;
  /** Its words joined, without accents. */
  readonly letters: string;
  readonly sound: string;
  /** The number of its words. */
  readonly words: number;
}

export interface MedicalTerms {
  readonly terms: readonly MedicalTerm[];
  readonly bySound: ReadonlyMap<string, readonly MedicalTerm[]>;
  /** Whether a word (folded) is one of a term or of the language's tables. */
  has(word: string): boolean;
  /** Whether a word (folded) is of medicine: of a term, a part of the body, or built of medical parts alone. */
  isMedical(word: string): boolean;
  /** Whether a word (folded) is built of medical parts, and of a word if `isWord` knows the rest. */
  isBuilt(word: string, isWord: (rest: string) => boolean): boolean;
}

const lists: Readonly<Record<Language, readonly string[]>> = {
  'pt-BR': portuguese,
  'en-US': english,
  'es-ES': spanish,
};

/** All terms of the lists, each once. */
export const listTerms = (language: Language): string[] => [...new Set(lists[language].flatMap(phraseList))];

export function readTerms(language: Language): MedicalTerms {
  const findings = Object.values<string>(tables[language].lexicon.findings).flatMap(phraseList);
  const written = new Set([...listTerms(language), ...phraseList(names)]);
  const terms = [...written]
    .flatMap((term) => [term, ...inflect(term, language)])
    .map((write): MedicalTerm => ({
      write,
      letters: phraseWords(write).join(''),
      sound: findSound(write, language),
      words: phraseWords(write).length,
    }));
  const scores = rads.flatMap(({ name, phrases }) => [name, ...phraseList(phrases)]);
  const words = new Set(
    [...terms.map(({ write }) => write), ...findings, ...scores].flatMap((term) => phraseWords(term)),
  );
  const known = new Set([...words].map(stem));
  const small = new Set([...freeWords[language]].map(fold));
  const named = [...namedParts(language), ...[...words].filter(({ length }) => length >= minTerm)];
  const parts = new Set(named.filter((word) => !small.has(word)).map(stem));
  const roots = new Set([...words].flatMap(rootsIn));
  const { ordinary } = indexVocabulary([], language);
  const { forms, endings, derivations } = wordParts(language);
  const has = (word: string): boolean => known.has(stem(word)) || ordinary.has(stem(word));
  const isDerived = (word: string): boolean =>
    derivations.some((ending) => word.endsWith(ending) && roots.has(word.slice(0, -ending.length)));
  const isBuilt = (word: string, isWord: (rest: string) => boolean, depth = 0): boolean => {
    if (depth > 0 && (endings.includes(word) || (word.length >= minRest && (has(word) || isWord(word))))) return true;
    if (depth === 0 && isDerived(word)) return true;
    // Double letters where parts meet: "retrosseptal", "autorregulação".
    const rest = /^([rs])\1/.test(word) ? word.slice(1) : word;
    return (
      depth < maxForms &&
      forms.some((form) => rest.startsWith(form) && isBuilt(rest.slice(form.length), isWord, depth + 1))
    );
  };
  const isMedical = (word: string): boolean =>
    parts.has(stem(word)) || (word.length >= minBuilt && isBuilt(word, () => false));
  return { terms, bySound: Map.groupBy(terms, ({ sound }) => sound), has, isMedical, isBuilt };
}

/** Words of the body, its regions and places, and what is measured. */
function namedParts(language: Language): string[] {
  const { lexicon, facts } = tables[language];
  const { organs, regions, measured, spine } = lexicon;
  const rows = [organs, regions, measured, spine, ...facts.places].flatMap((row) => Object.values<string>(row));
  return [...wordList(facts.sidedParts), ...rows.flatMap(phraseList).flatMap((phrase) => phraseWords(phrase))];
}
/** Shorter words of terms are "of" and "em"; shorter ones are built of parts by chance. */
const minTerm = 3;
const minBuilt = 7;

/** The beginnings of a word from which others derive: "miomatos" of "miomatosis", which "miomatoso" has. */
const rootsIn = (word: string): string[] =>
  Array.from({ length: maxEnding + 1 }, (_, ending) => word.slice(0, word.length - ending)).filter(
    ({ length }) => length >= minRoot,
  );
const minRoot = 5;
const maxEnding = 5;

/** The shortest word after a form, and the largest number of forms in a word. */
const minRest = 4;
const maxForms = 4;

/** Plurals and the other gender, of terms of one word. */
function inflect(term: string, language: Language): string[] {
  if (/[\s-]/.test(term) || fold(term) !== fold(term.toLowerCase()) || /^\p{Lu}/u.test(term)) return [];
  if (language === 'en-US') return /(?:s|x|z|ch|sh)$/.test(term) ? [] : [`${term}s`];
  const isAdjective = /(?:ic|iv|os|ad|id|ári|ori|ene|âne|in|e|al|ut)o$/.test(term);
  if (isAdjective) return [`${term.slice(0, -1)}a`, `${term}s`, `${term.slice(0, -1)}as`];
  if (/[aeiouáéíóúâêôã]$/.test(term)) return term.endsWith('ão') ? [`${term.slice(0, -2)}ões`] : [`${term}s`];
  if (/al$|el$|ol$|ul$/.test(term) && language === 'pt-BR') return [`${term.slice(0, -1)}is`];
  if (/[rzn]$/.test(term))
    return [language === 'es-ES' ? `${term.replace(/ón$/, 'on').replace(/z$/, 'c')}es` : `${term}es`];
  return [];
}
