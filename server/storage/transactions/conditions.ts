/** Checks the conditions of a query on one document. Every index-based search must agree with this check. */
import { textSearch } from '../../../src/domain/search-text.ts';
import { indexes } from '../collections.ts';
import type { CollectionName, Documents, Index, Names } from '../collections.ts';
import type { Conditions } from '../store.ts';

export type AnyIndex = Index<Documents[CollectionName]>;

/** The indexes of a collection, by name. */
export const indexesOf = (collection: CollectionName): Readonly<Record<string, AnyIndex>> =>
  indexes[collection] as Readonly<Record<string, AnyIndex>>;

export const isNamed = (names: Names, name: string): boolean =>
  names === name || (Array.isArray(names) && names.includes(name));

/** Throws TypeError if an index is not declared, has another kind, or lacks its space. */
export function createMatcher<C extends CollectionName>(
  collection: C,
  { is = {}, during = {}, text }: Conditions<C>,
): (document: Documents[C]) => boolean {
  const names = is as Readonly<Record<string, string | readonly string[] | undefined>>;
  const checks: ((document: Documents[CollectionName]) => boolean)[] = [];
  for (const [name, value] of Object.entries(names)) {
    if (value === undefined) continue;
    const index = findIndex(collection, name, 'key', 'group');
    if (index.kind === 'key' && index.within && names[index.within] === undefined) {
      throw new TypeError(`The index ${name} of ${collection} is within a ${index.within}: say which.`);
    }
    if (typeof value !== 'string') {
      if (index.kind === 'key') throw new TypeError(`The index ${name} of ${collection} takes one value.`);
      const values = new Set<string | null>(value);
      checks.push((document) => values.has(index.of(document)));
      continue;
    }
    checks.push((document) => isNamed(index.of(document), value));
  }
  for (const [name, period] of Object.entries(during as Record<string, { from: number; to: number } | undefined>)) {
    if (!period) continue;
    const { of } = findIndex(collection, name, 'instant');
    const { from, to } = period;
    checks.push((document) => {
      const at = of(document);
      return at !== null && at >= from && at <= to;
    });
  }
  if (text !== undefined) {
    const { of } = findIndex(collection, 'text', 'text');
    const matches = textSearch(text);
    checks.push((document) => matches(of(document)));
  }
  return (document) => checks.every((check) => check(document));
}

function findIndex<K extends AnyIndex['kind']>(
  collection: CollectionName,
  name: string,
  ...kinds: readonly K[]
): Extract<AnyIndex, { kind: K }> {
  const declared = indexesOf(collection);
  const index = Object.hasOwn(declared, name) ? declared[name] : undefined;
  if (!index || !kinds.some((kind) => kind === index.kind)) {
    throw new TypeError(`The collection ${collection} has no index ${name} for this.`);
  }
  return index as Extract<AnyIndex, { kind: K }>;
}
