/** Statements that read rows, and rows as documents. */
import type { CollectionName, Documents, KeyIndex } from '../collections.ts';
import { unnumbered } from '../store.ts';
import type { Conditions, Query } from '../store.ts';
import { indexesOf } from '../transactions/conditions.ts';
import type { AnyDocument } from '../transactions/tables.ts';
import { whereClause } from './conditions-sql.ts';
import type { Connection, Statement } from './connections.ts';
import { isNumbered, numberColumn, toColumnText } from './layout.ts';

/** `x`: the transaction that wrote the row, which is another one for each version of a document. */
export interface Row {
  readonly doc: AnyDocument;
  readonly x: string;
  /** The number of the commit, of items. */
  readonly number?: number | null;
}

/** A version of a document, or of a count: all that a proof needs. */
export interface SeenRow {
  readonly id: string;
  readonly x: string;
}

export interface FoundRow extends Row {
  /** Which of the names, from 1. */
  readonly nth: string;
}

/** The columns that make a document. */
export const rowFields = (collection: CollectionName): string =>
  isNumbered(collection) ? `doc, x, ${numberColumn} AS number` : 'doc, x';

const seenFields = 'id, x';

/** The row as a document; an item that had no number when it was put has got one with its commit. */
export function toDocument(collection: CollectionName, { doc, number }: Row): AnyDocument {
  if (isNumbered(collection) && typeof number === 'number') {
    const item = doc as Documents['items'];
    if (item.commit === unnumbered) item.commit = number;
  }
  return doc;
}

/** Begins a transaction that reads many rows as all of them are at one moment, and changes nothing. */
export const beginReadingAll = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0';

/** Rows of one read. */
const pieceSize = 500;

/** All rows of a collection by id, with their ids and those columns too. */
export async function* readRows(
  connection: Connection,
  schema: string,
  collection: CollectionName,
  columns: readonly string[] = [],
): AsyncGenerator<Row & { readonly id: string } & Readonly<Record<string, unknown>>, void> {
  const fields = ['id', rowFields(collection), ...columns].join(', ');
  for (let after = ''; ;) {
    const rows = await connection.run<Row & { id: string } & Record<string, unknown>>({
      text: `SELECT ${fields} FROM ${schema}.${collection} WHERE id > $1 ORDER BY id LIMIT ${pieceSize}`,
      values: [after],
    });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < pieceSize) return;
    after = last.id;
  }
}

/** A statement in two forms: for the documents, and for the versions that they have. */
export interface QueryForms {
  readonly rows: Statement;
  readonly seen: Statement;
}

const inBothForms = (
  collection: CollectionName,
  values: readonly unknown[],
  write: (fields: string) => string,
): QueryForms => ({
  rows: { text: write(rowFields(collection)), values },
  seen: { text: write(seenFields), values },
});

/** Sorted by id: the newest first, or the oldest. */
export function findStatement<C extends CollectionName>(
  schema: string,
  collection: C,
  { limit = Infinity, ...query }: Query<C>,
  { order = 'DESC', except = [] }: { readonly order?: 'ASC' | 'DESC'; readonly except?: readonly string[] } = {},
): QueryForms {
  const values: unknown[] = [];
  let where = whereClause(schema, collection, query, values);
  if (except.length > 0) where += `${where === '' ? ' WHERE' : ' AND'} id <> ALL($${values.push(except)}::text[])`;
  const limited = Number.isFinite(limit) ? ` LIMIT $${values.push(limit)}` : '';
  return inBothForms(
    collection,
    values,
    (fields) => `SELECT ${fields} FROM ${schema}.${collection}${where} ORDER BY id ${order}${limited}`,
  );
}

export function countStatement<C extends CollectionName>(
  schema: string,
  collection: C,
  conditions: Conditions<C>,
): Statement {
  const values: unknown[] = [];
  const where = whereClause(schema, collection, conditions, values);
  return { text: `SELECT count(*)::text AS id, '' AS x FROM ${schema}.${collection}${where}`, values };
}

/** How many rows the table had when PostgreSQL last counted them; negative: it never did. */
export const estimateStatement = (schema: string, collection: CollectionName): Statement => ({
  text: 'SELECT reltuples::float8 AS estimate FROM pg_class WHERE oid = $1::regclass',
  values: [`${schema}.${collection}`],
});

export const getStatement = (schema: string, collection: CollectionName, ids: readonly string[]): Statement => ({
  text: `SELECT ${rowFields(collection)} FROM ${schema}.${collection} WHERE id = ANY($1::text[])`,
  values: [ids.map(toColumnText)],
});

function requireKeyIndex<C extends CollectionName>(collection: C, index: KeyIndex<C>) {
  const declared = indexesOf(collection)[index];
  if (declared?.kind !== 'key') throw new TypeError(`The collection ${collection} has no index ${index} for this.`);
  return declared;
}

export const isWithinSpace = <C extends CollectionName>(collection: C, index: KeyIndex<C>): boolean =>
  requireKeyIndex(collection, index).within !== undefined;

/** A look-up of names, or of what was seen under them: `$1` names, `$2` their spaces. */
export function eachStatement<C extends CollectionName>(schema: string, collection: C, index: KeyIndex<C>) {
  const declared = requireKeyIndex(collection, index);
  const table = `${schema}.${collection}`;
  const write = (fields: string): string => {
    const own = `SELECT id, ${fields} FROM ${table} WHERE k_${index} = w.name${declared.within ? ' AND g_space = w.space' : ''}`;
    const others = `SELECT id, ${fields} FROM ${schema}.names f JOIN ${table} t USING (id) WHERE f.collection = '${collection}' AND f.ix = '${index}' AND f.space = w.space AND f.name = w.name`;
    return `SELECT * FROM (${own}${declared.several ? ` UNION ALL ${others}` : ''}) e ORDER BY id DESC LIMIT 1`;
  };
  const names = 'unnest($1::text[], $2::text[]) WITH ORDINALITY AS w(name, space, nth)';
  return {
    rows: `SELECT w.nth, e.* FROM ${names} CROSS JOIN LATERAL (${write(rowFields(collection))}) e`,
    seen: `SELECT w.nth, e.* FROM ${names} CROSS JOIN LATERAL (${write('x')}) e`,
  };
}
