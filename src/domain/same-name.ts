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
  // Where each has a writing of its own, they are two names: many a Japanese name is read like another.
  return isAmong(these, those) || isAmong(those, these);
}

const isAmong = (writings: readonly Writing[], others: readonly Writing[]): boolean =>
  writings.every((writing) => others.some((other) => isAlike(writing, other)));

/** Two names with components are compared as they are said: `MARIA^JOSE` is not `JOSE^MARIA`. */
const isAlike = (one: Writing, other: Writing): boolean =>
  one.isParted && other.isParted
    ? one.orders[0] === other.orders[0]
    : one.orders.some((order) => other.orders.includes(order));

const writingsOf = (name: string): Writing[] =>
  name
    .split('=')
    .map(writingOf)
    .filter(({ orders }) => orders[0] !== '');

function writingOf(text: string): Writing {
  if (!text.includes('^')) {
    const [family = '', ...rest] = text.split(',');
    // Nothing distinguishes `Silva, João` from `João Silva, Jr`.
    return { isParted: false, orders: rest.length === 0 ? [wordsOf(text)] : [wordsOf(text), wordsOf(...rest, family)] };
  }
  const [family = '', given = '', middle = '', prefix = '', suffix = '', ...further] = text.split('^');
  const orders = [
    wordsOf(given, middle, family, suffix, ...further),
    wordsOf(prefix, given, middle, family, suffix, ...further),
    wordsOf(family, given, middle, suffix, ...further),
  ];
  return { isParted: true, orders };
}

/** A word that two writings of one name have in common, but for titles and other scripts: by it people are looked up. */
export const longestWord = (name: string): string =>
  (writingsOf(name)[0]?.orders[0] ?? '').split(' ').reduce((longest, word) => {
    const isLonger = word.length > longest.length || (word.length === longest.length && word < longest);
    return isLonger ? word : longest;
  }, '');

/** The words in capitals without accents, single spaces between them: `D’Ávila-Sá` is `DAVILA SA`. */
const wordsOf = (...parts: readonly string[]): string =>
  normalForm(parts.join(' ').replace(/['’‘ʼ`´]/g, ''), 'NFKD')
    // The accents of Latin, Greek and Cyrillic letters alone: in other scripts, marks are vowels.
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
