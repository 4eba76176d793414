/** Words that a person or a space wants written in one way, and their other forms in a text. */
import type { Language } from '../../contract/shared.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { findChange } from '../../domain/text-change.ts';
import { wordSet } from '../../domain/fold.ts';
import { tables } from '../languages/index.ts';
import { sounds } from '../languages/sounds.ts';
import { phraseWords } from '../words/phrases.ts';
import { stem } from '../words/stem.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

/** "Always write X for Y." */
export interface Term {
  readonly write: string;
  /** Recognised or typed forms that it replaces; empty for a word that only has to be known. */
  readonly for: readonly string[];
}

/** The terms for one report; if two name the same words, the first counts. */
export interface Vocabulary {
  readonly terms: readonly Term[];
  /** Whether the words were dictated: typed words change only if a term names them. */
  readonly isHeard: boolean;
  /**
   * The place in the transcript after which words are not yet replaced, since the next word may change them. Default:
   * none.
   */
  readonly unsettled?: number;
}

/** A stored term: for reports in one language, or in every one (`null`). */
export interface KeptTerm extends Term {
  readonly owner: 'person' | 'space';
  readonly language: Language | null;
}

/** The largest number of words in a form, and in a window of a text that is compared with a term. */
export const maxFormWords = 8;
export const maxWindowWords = 4;

/** A shorter word is too easily confused. */
const minLetters = 6;
/** Words of at least this length may differ in one sound or one letter. */
const minNear = 9;
const maxLetters = 40;
/** The largest number of candidates that differ from a word in one place: among more, the choice is a guess. */
const maxNear = 8;

/** Prefixes in which one other letter makes an opposite. */
const prefixes = Array.from(
  wordSet(`
    a ab ad an ana andro ante anti apo auto bi bradi brady cata circum con contra de des di dia dis dys ecto endo epi eu ex exo extra
    hemi hetero hiper hipo homo hyper hypo il im in infra inter intra intro ir iso macro mal mega meta micro mono multi nao neo non
    normo oligo orto ortho pan para per peri pluri poli poly pos post pre pro quadri re retro semi sem sin sobre sub super supra
    sur syn taqui tachy tetra trans tri ultra un uni
  `),
).toSorted((a, b) => b.length - a.length);
export const prefixOf = (word: string): string | undefined => prefixes.find((prefix) => word.startsWith(prefix));

/** The sound of a word in the language. */
export function findSound(word: string, language: Language): string {
  let sound = word
    .toLowerCase()
    .replace(/[^\u0000-\u007f]/g, (letter) => (/[çñ]/.test(letter) ? letter : letter.normalize('NFD').charAt(0)))
    .replace(/[^\p{L}\p{N}]/gu, '');
  for (const [letters, instead] of sounds[language]) sound = sound.replace(letters, instead);
  return sound;
}

/** A long word, and each form of it without one of its letters; none for a short word. */
const nearKeys = (word: string): string[] =>
  word.length < minNear ? [] : [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];

/** Whether one letter was inserted, omitted or replaced, or two neighbours were swapped. */
function isNear(a: string, b: string): boolean {
  const { from, to, by: other } = findChange(a, b);
  const rest = a.slice(from, to);
  if (rest.length <= 1 && other.length <= 1) return true;
  return rest.length === 2 && other.length === 2 && rest[0] === other[1] && rest[1] === other[0];
}

/** Whether they begin and end alike: a difference there makes another word ("artrite", "artrose"). */
const hasEnds = (a: string, b: string): boolean => a.slice(0, 2) === b.slice(0, 2) && a.slice(-3) === b.slice(-3);

/** The sound of a term, and its letters. */
interface Sounding {
  readonly write: string;
  readonly letters: string;
  readonly sound: string;
}
const waysOf = ({ letters, sound }: Pick<Sounding, 'letters' | 'sound'>): readonly string[] => [sound, letters];

/** Forms of one word or several, word by word. */
interface Branch {
  readonly next: Map<string, Branch>;
  write?: string;
}

export interface VocabularyIndex {
  readonly language: Language;
  readonly forms: Branch;
  /** The written forms of terms, by their own words. */
  readonly spellings: Branch;
  readonly bySound: ReadonlyMap<string, readonly Sounding[]>;
  /** Long terms, by their sound and their letters, and by each form of them without one letter. */
  readonly byNear: ReadonlyMap<string, readonly Sounding[]>;
  /** Stems of the words of the vocabulary. */
  readonly own: ReadonlySet<string>;
  /** Stems of the words of the language's tables. */
  readonly ordinary: ReadonlySet<string>;
}

const branch = (): Branch => ({ next: new Map() });

/** The first of two terms with the same words wins. */
function plant(root: Branch, words: readonly string[], write: string): void {
  if (words.length === 0 || words.length > maxFormWords) return;
  let at = root;
  for (const word of words) {
    const known = at.next.get(word) ?? branch();
    at.next.set(word, known);
    at = known;
  }
  at.write ??= write;
}

const indexes = new WeakMap<readonly Term[], Map<Language, VocabularyIndex>>();

/** The index of a list; created once, since a dictation is rewritten with each spoken word. */
export function buildIndex(terms: readonly Term[], language: Language): VocabularyIndex {
  const known = indexes.get(terms) ?? new Map<Language, VocabularyIndex>();
  indexes.set(terms, known);
  const index = known.get(language) ?? indexVocabulary(terms, language);
  known.set(language, index);
  return index;
}

export function indexVocabulary(terms: readonly Term[], language: Language): VocabularyIndex {
  const [forms, spellings] = [branch(), branch()];
  const bySound = new Map<string, Sounding[]>();
  const byNear = new Map<string, Sounding[]>();
  const own = new Set<string>();
  const add = (map: Map<string, Sounding[]>, key: string, term: Sounding): void => {
    const found = map.get(key);
    if (!found) map.set(key, [term]);
    else if (found.length <= maxNear && found.every(({ write }) => write !== term.write)) found.push(term);
  };
  for (const term of terms) {
    const write = normalForm(term.write);
    const words = phraseWords(write);
    for (const form of term.for) plant(forms, phraseWords(form), write);
    plant(spellings, words, write);
    for (const word of words) own.add(stem(word));
    const letters = words.join('');
    if (letters.length < minLetters || letters.length > maxLetters) continue;
    const sounding = { write, letters, sound: findSound(write, language) };
    add(bySound, sounding.sound, sounding);
    for (const key of waysOf(sounding).flatMap(nearKeys)) add(byNear, key, sounding);
  }
  return { language, forms, spellings, bySound, byNear, own, ordinary: ordinaryWords(language) };
}

/** The longest planted phrase with which the words begin. */
export function findLongest(
  root: Branch,
  words: readonly string[],
): { readonly write: string; readonly words: number } | undefined {
  let found: { write: string; words: number } | undefined;
  let place: Branch | undefined = root;
  for (const [at, word] of words.entries()) {
    place = place.next.get(word);
    if (!place) break;
    if (place.write !== undefined) found = { write: place.write, words: at + 1 };
  }
  return found;
}

/**
 * The one term that the joined words stand for phonetically; `undefined` if there is none, or the choice is a guess.
 * Words that sound different and differ in their prefix or ending, or any that differ only in their inflection, are
 * other words.
 */
export function soundsAlike(
  words: readonly Pick<Token, 'text' | 'folded'>[],
  index: VocabularyIndex,
): string | undefined {
  const letters = words.map(({ folded }) => folded).join('');
  if (letters.length < minLetters || letters.length > maxLetters) return undefined;
  const sound = findSound(words.map(({ text }) => text).join(''), index.language);
  const isOther = (term: Sounding): boolean => words.length > 1 || stem(term.letters) !== stem(letters);
  const same = index.bySound.get(sound);
  if (same) return same.length === 1 && isOther(elementAt(same, 0)) ? elementAt(same, 0).write : undefined;
  const near = new Set<Sounding>();
  const ways = waysOf({ letters, sound });
  for (const key of ways.flatMap(nearKeys)) {
    const found = index.byNear.get(key) ?? [];
    if (found.length > maxNear) return undefined;
    for (const term of found)
      if (waysOf(term).some((way, at) => hasEnds(way, elementAt(ways, at)) && isNear(way, elementAt(ways, at))))
        near.add(term);
  }
  const [term] = near;
  const isMeant = term && near.size === 1 && isOther(term) && prefixOf(term.letters) === prefixOf(letters);
  return isMeant ? term.write : undefined;
}

const known = new Map<Language, ReadonlySet<string>>();

/** Stems of all words in the language's tables. */
function ordinaryWords(language: Language): ReadonlySet<string> {
  const ready = known.get(language);
  if (ready) return ready;
  const words: string[] = [];
  gather(tables[language], words);
  const stems = new Set(words.map(stem));
  known.set(language, stems);
  return stems;
}

function gather(value: unknown, words: string[]): void {
  if (typeof value === 'string') words.push(...phraseWords(value));
  else if (Array.isArray(value)) for (const each of value) gather(each, words);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      words.push(...phraseWords(key));
      gather(each, words);
    }
  }
}

/**
 * The terms for a report in the language: the person's, then the space's; within one owner first those of the language.
 */
export function termsIn(language: Language, kept: readonly KeptTerm[]): Term[] {
  const rank = (term: KeptTerm): number => (term.owner === 'person' ? 0 : 2) + (term.language === null ? 1 : 0);
  return kept
    .filter((term) => (term.language ?? language) === language)
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ write, for: forms }) => ({ write, for: forms }));
}
