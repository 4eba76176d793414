/** Which of what is kept is listed, and which stand in each other's way: plain data and functions, no browser. */
import type { Owner } from '../../../../src/contract/wordbook.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { foldTexts, hasWord, wordsSought } from '../../../../src/domain/search-text.ts';

/** `null`: all of them. */
export interface OwnedFilter {
  readonly query: string;
  readonly owner: Owner | null;
  readonly language: Language | null;
  /** Only autotexts belong to sections. */
  readonly section: string | null;
}

export const noFilter: OwnedFilter = { query: '', owner: null, language: null, section: null };

/** What counts in a list. */
export interface Listable {
  readonly id: string;
  readonly owner: Owner;
  readonly language: Language | null;
  readonly section?: string | null;
}

/** What a list reads of its items. */
export interface ListingKind<Words> {
  readonly nameOf: (words: Words) => string;
  /** The rest that a search finds. */
  readonly textOf: (words: Words) => string;
  /** What no two of one owner and language may have; empty ones claim nothing. */
  readonly claimsOf: (words: Words) => readonly string[];
}

export interface Listing<Words, Kept> {
  readonly nameOf: (words: Words) => string;
  /** Those that pass the filter by their names, those whose name is meant before those whose text is. */
  listed(items: readonly Kept[], filter: OwnedFilter): Kept[];
  /** Another of the same owner that claims the same in that language: the service takes no second one. */
  rivalOf(words: Words, id: string | null, items: readonly Kept[]): Kept | undefined;
}

export function createListing<Words extends Omit<Listable, 'id'>, Kept extends Words & Listable>(
  kind: ListingKind<Words>,
): Listing<Words, Kept> {
  const { nameOf, textOf } = kind;
  /** Folding is the work of a search, and most items stay as they are from key to key. */
  const foldedOf = remembered((item: Kept) => ({
    name: foldTexts([nameOf(item)]),
    all: foldTexts([nameOf(item), textOf(item)]),
  }));
  const claimsOf = (words: Words): string[] => kind.claimsOf(words).filter((claim) => claim !== '');
  const knownClaims = remembered((item: Kept) => claimsOf(item));
  const inOrder = remembered((items: readonly Kept[]) => {
    const { compare } = new Intl.Collator(undefined, { numeric: true });
    return items.toSorted((a, b) => compare(nameOf(a), nameOf(b)));
  });
  return {
    nameOf,
    listed(items, { query, owner, language, section }) {
      const words = wordsSought(query);
      const has = (text: string): boolean => words.every((word) => hasWord(text, word));
      const passing = inOrder(items).filter(
        (item) =>
          (owner === null || item.owner === owner) &&
          (language === null || (item.language ?? language) === language) &&
          (section === null || item.section === section) &&
          has(foldedOf(item).all),
      );
      const isNamed = (item: Kept): boolean => has(foldedOf(item).name);
      return [...passing.filter(isNamed), ...passing.filter((item) => !isNamed(item))];
    },
    rivalOf(words, id, items) {
      const { owner, language } = words;
      const claims = claimsOf(words);
      return items.find(
        (each) =>
          each.id !== id &&
          each.owner === owner &&
          each.language === language &&
          knownClaims(each).some((claim) => claims.includes(claim)),
      );
    },
  };
}

/** Each value made once, as long as what it is made of is there. */
export function remembered<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
