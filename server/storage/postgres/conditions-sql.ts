/** The conditions of a query as SQL. Every value is a parameter. */
import { wordsSought } from '../../../src/domain/search-text.ts';
import type { CollectionName } from '../collections.ts';
import type { Conditions, Query } from '../store.ts';
import { createMatcher, indexesOf } from '../transactions/conditions.ts';
import { maxWordLength, toColumnText } from './layout.ts';

/** A word as a query of words writes it: each word that begins so. */
const toPrefix = (word: string): string =>
  `'${word.slice(0, maxWordLength).replaceAll('\0', '\ufffd').replaceAll('\\', '\\\\').replaceAll("'", "''")}':*`;

/** The query of words of a search; `undefined`: any text will do. */
export function toWordQuery(text: string): string | undefined {
  const words = wordsSought(text);
  return words.length === 0 ? undefined : words.map(toPrefix).join(' & ');
}

/**
 * ` WHERE …`, or nothing, for the rows that meet the conditions; adds their values to `values`. `schema` is quoted. Throws TypeError
 * as `createMatcher`.
 */
export function whereClause<C extends CollectionName>(
  schema: string,
  collection: C,
  query: Conditions<C> & Pick<Query<C>, 'before'>,
  values: unknown[],
): string {
  createMatcher(collection, query);
  const add = (value: unknown): string => `$${values.push(value)}`;
  const indexes = indexesOf(collection);
  const is = (query.is ?? {}) as Readonly<Record<string, string | readonly string[] | undefined>>;
  const all: string[] = [];
  for (const [index, value] of Object.entries(is)) {
    if (value === undefined) continue;
    const declared = indexes[index];
    const [only, another] = typeof value === 'string' ? [] : value;
    // Equality keeps the order of an index.
    if (only !== undefined && another === undefined) all.push(`g_${index} = ${add(toColumnText(only))}`);
    else if (typeof value !== 'string') all.push(`g_${index} = ANY(${add(value.map(toColumnText))}::text[])`);
    else if (declared?.kind !== 'key') all.push(`g_${index} = ${add(toColumnText(value))}`);
    else {
      const name = add(toColumnText(value));
      const own = `k_${index} = ${name}`;
      const space = declared.within ? (is[declared.within] as string) : '';
      all.push(
        declared.several
          ? `(${own} OR id = ANY(ARRAY(SELECT id FROM ${schema}.names WHERE collection = '${collection}' AND ix = '${index}' AND space = ${add(toColumnText(space))} AND name = ${name})))`
          : own,
      );
    }
  }
  const during = (query.during ?? {}) as Readonly<Record<string, { from: number; to: number } | undefined>>;
  for (const [index, period] of Object.entries(during)) {
    if (period) all.push(`i_${index} BETWEEN ${add(period.from)}::float8 AND ${add(period.to)}::float8`);
  }
  const words = query.text === undefined ? undefined : toWordQuery(query.text);
  if (words !== undefined) all.push(`t_text @@ ${add(words)}::tsquery`);
  if (query.before !== undefined) all.push(`id < ${add(toColumnText(query.before))}`);
  return all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`;
}
