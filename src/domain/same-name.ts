/**
 * Whether two writings of a person name are one name. Systems write a name in capitals or not, with accents or without, in
 * the components of DICOM or as a person says it. Any other difference makes two names: taking two people for one does more
 * harm than asking.
 */
import { normalForm } from './normal-form.ts';

/** One writing of a name, of the up to three that DICOM has (PS3.5 6.2.1: alphabetic, ideographic, phonetic). */
interface Writing {
  /** Whether it says which word is a family name and which a given one. */
  readonly isParted: boolean;
  /** The orders that its words may have; the first is the order in which a person says them, without a title. */
  readonly orders: readonly string[];
}

/** A name without any letter is no name, and equals no other. */
export function isSameName(one: string, other: string): boolean {
  const [these, those] = [writingsOf(one), writingsOf(other)];
  if (these.length === 0 || those.length === 0) return false;
  // If each has a script that the other lacks, they are two names: many Japanese names sound alike.
  return isAmong(these, those) || isAmong(those, these);
}

const isAmong = (writings: readonly Writing[], others: readonly Writing[]): boolean =>
  writings.every((writing) => others.some((other) => isAlike(writing, other)));

/** Two names with components are compared in spoken order: `MARIA^JOSE` is not `JOSE^MARIA`. */
const isAlike = (one: Writing, other: Writing): boolean =>
  one.isParted && other.isParted
    ? one.orders[0] === other.orders[0]
    : one.orders.some((order) => other.orders.includes(order));

const writingsOf = (name: string): Writing[] =>
  name
    .split('=')
    .map(parseWriting)
    .filter(({ orders }) => orders[0] !== '');

function parseWriting(text: string): Writing {
  if (!text.includes('^')) {
    const [family = '', ...rest] = text.split(',');
    // Nothing distinguishes `Silva, João` from `João Silva, Jr`.
    return {
      isParted: false,
      orders: rest.length === 0 ? [normaliseWords(text)] : [normaliseWords(text), normaliseWords(...rest, family)],
    };
  }
  const [family = '', given = '', middle = '', prefix = '', suffix = '', ...further] = text.split('^');
  const orders = [
    asSaid(text),
    normaliseWords(prefix, given, middle, family, suffix, ...further),
    normaliseWords(family, given, middle, suffix, ...further),
  ];
  return { isParted: true, orders };
}

/** The words of one writing in the order in which a person says them, without a title. */
function asSaid(text: string): string {
  if (!text.includes('^')) return normaliseWords(text);
  const [family = '', given = '', middle = '', _prefix, suffix = '', ...further] = text.split('^');
  return normaliseWords(given, middle, family, suffix, ...further);
}

/**
 * A word that two writings of one name share, but for titles and other scripts: the index of people uses it. Every
 * incoming exam is filed under it, so most names are read in one pass.
 */
export function findLongestWord(name: string): string {
  if (!name.includes('=')) return findLongestIn(name);
  for (const writing of name.split('=')) {
    const word = findLongestIn(writing);
    if (word !== '') return word;
  }
  return '';
}

const findLongestIn = (writing: string): string =>
  findLongestLatin(writing) ?? asSaid(writing).split(' ').reduce(longer);

const caret = 94;
/** Number of the component that is the title. */
const title = 3;

/** `undefined` if a character is beyond the table. Only the longest words are written out: that costs most. */
function findLongestLatin(writing: string): string | undefined {
  const isParted = writing.includes('^');
  const found = { from: 0, to: 0, length: 0 };
  /** Letters of the word that is read, and where it began. */
  let length = 0;
  let from = 0;
  let part = 0;
  for (let at = 0; at <= writing.length; at += 1) {
    const code = at < writing.length ? writing.charCodeAt(at) : caret;
    if (code !== caret && isParted && part === title) continue;
    const letters = latinLetters[code];
    if (letters === undefined || letters === beyond) return undefined;
    if (letters !== spaces) length += letters;
    else {
      const isLonger =
        length > found.length ||
        (length === found.length && latinWord(writing, from, at) < latinWord(writing, found.from, found.to));
      if (isLonger) [found.from, found.to, found.length] = [from, at, length];
      length = 0;
      from = at + 1;
    }
    if (code === caret) part += 1;
  }
  return latinWord(writing, found.from, found.to);
}

/** Marks, instead of a number of letters, the characters between words, and those missing from the table. */
const spaces = 0xfe;
const beyond = 0xff;

/** One word of characters of the table. */
function latinWord(writing: string, from: number, to: number): string {
  const word = writing.slice(from, to);
  if (/^[A-Za-z]*$/.test(word)) return word.toUpperCase();
  return Array.from(word, (character) => latin[character.charCodeAt(0)]).join('');
}

const longer = (one: string, other: string): string =>
  other.length > one.length || (other.length === one.length && other < one) ? other : one;

/** The words in capitals without accents, single spaces between them: `D’Ávila-Sá` is `DAVILA SA`. */
function normaliseWords(...parts: readonly string[]): string {
  const text = parts.join(' ');
  let words = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = latin[text.charCodeAt(at)];
    if (character === undefined) return spaced(inCapitals(text));
    words += character;
  }
  return spaced(words);
}

const spaced = (words: string): string => words.replace(/ {2,}/g, ' ').trim();

/** In capitals, without accents and apostrophes, a space for whatever is no part of a word. */
const inCapitals = (text: string): string =>
  normalForm(text.replace(/['’‘ʼ`´]/g, ''), 'NFKD')
    // The accents of Latin, Greek and Cyrillic letters alone: in other scripts, marks are vowels.
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');

/**
 * The characters of most names (to U+017F), none of which changes another. `undefined`: such as `¼`, which is two
 * words.
 */
const latin = Array.from({ length: 0x180 }, (_, code) => {
  const character = inCapitals(String.fromCharCode(code));
  return character === ' ' || !character.includes(' ') ? character : undefined;
});

/** Maps a character to the number of word letters that it makes. */
const latinLetters = Uint8Array.from(latin, (character) =>
  character === undefined ? beyond : character === ' ' ? spaces : character.length,
);
