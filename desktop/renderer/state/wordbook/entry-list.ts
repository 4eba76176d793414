/** Filters wordbook entries and finds entries that conflict. Pure data and functions. */
import type { Owner } from '../../../../src/contract/wordbook.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { foldTexts, hasWord, wordsSought } from '../../../../src/domain/search-text.ts';

/** `null`: both scopes. */
export interface EntryFilter {
  readonly query: string;
  readonly owner: Owner | null;
  readonly language: Language | null;
  /** Only autotexts have a section. */
  readonly section: string | null;
}

export const noFilter: EntryFilter = { query: '', owner: null, language: null, section: null };

/** The fields that a list needs. */
export interface Listable {
  readonly id: string;
  readonly owner: Owner;
  readonly language: Language | null;
  readonly section?: string | null;
}

/** How a list reads its entries. */
export interface ListingKind<Words> {
  readonly nameOf: (words: Words) => string;
  /** Further text that a search covers. */
  readonly textOf: (words: Words) => string;
  /** Keys that must be unique within an owner and language; empty keys are ignored. */
  readonly claimsOf: (words: Words) => readonly string[];
}

export interface Listing<Words, Kept> {
  readonly nameOf: (words: Words) => string;
  /** The entries that match the filter, those that match by name first. */
  listed(items: readonly Kept[], filter: EntryFilter): Kept[];
  /** Another entry of the same owner and language with the same key: the service refuses duplicates. */
  rivalOf(words: Words, id: string | null, items: readonly Kept[]): Kept | undefined;
}

export function createListing<Words extends Omit<Listable, 'id'>, Kept extends Words & Listable>(
  kind: ListingKind<Words>,
): Listing<Words, Kept> {
  const { nameOf, textOf } = kind;
  /** Folding dominates the cost of a search, and most entries stay the same between keystrokes. */
  const foldedOf = memoise((item: Kept) => ({
    name: foldTexts([nameOf(item)]),
    all: foldTexts([nameOf(item), textOf(item)]),
  }));
  const claimsOf = (words: Words): string[] => kind.claimsOf(words).filter((claim) => claim !== '');
  const knownClaims = memoise((item: Kept) => claimsOf(item));
  const inOrder = memoise((items: readonly Kept[]) => {
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

/** Memoises a function by object identity. */
export function memoise<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
