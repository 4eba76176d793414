/** The statements that write documents. */
import { collectionNames } from '../collections.ts';
import type { CollectionName } from '../collections.ts';
import type { AnyDocument } from '../transactions/tables.ts';
import type { Statement } from './connections.ts';
import type { Column } from './layout.ts';
import type { Row } from './rows.ts';
import { columnsIn, isNumbered, listFurtherNames, numberColumn, toColumnText } from './layout.ts';

/** A table into which documents go: the one of a collection, or one that is to take its place. */
export interface Target {
  /** Quoted. */
  readonly schema: string;
  /** Before the names of tables. */
  readonly prefix?: string;
}

/** `new`: none of the ids is there; one that is ends the transaction. */
type Manner = 'new' | 'any';

/** Words are sent as a text. */
const sentType = ({ type }: Column): string => (type === 'tsvector' ? 'text' : type);
const receivedValue = ({ name, type }: Column, row = ''): string =>
  type === 'tsvector' ? `array_to_tsvector(string_to_array(${row}${name}, ' '))` : `${row}${name}`;

const insertTexts = new Map<string, string>();

function insertText({ schema, prefix = '' }: Target, collection: CollectionName, manner: Manner): string {
  const key = `${schema} ${prefix} ${collection} ${manner}`;
  const known = insertTexts.get(key);
  if (known !== undefined) return known;
  const columns = columnsIn(collection);
  const names = ['id', 'doc', ...columns.map(({ name }) => name)];
  const types = ['text', 'json', ...columns.map(sentType)];
  const values = ['id', 'doc', ...columns.map((column) => receivedValue(column))].map((value) => {
    if (!isNumbered(collection) || value !== numberColumn) return value;
    return `coalesce(${value}, (SELECT base FROM ${schema}.meta) + pg_current_xact_id()::text::float8)`;
  });
  const sent = types.map((type, at) => `$${at + 1}::${type}[]`);
  const replaced = names.slice(1).map((name) => `${name} = excluded.${name}`);
  const text =
    `INSERT INTO ${schema}.${prefix}${collection} (${names.join(', ')}) SELECT ${values.join(', ')} FROM unnest(${sent.join(', ')}) AS r(${names.join(', ')})` +
    (manner === 'new' ? '' : ` ON CONFLICT (id) DO UPDATE SET ${replaced.join(', ')}, x = excluded.x`);
  insertTexts.set(key, text);
  return text;
}

/** Rows of one statement: the server reads each statement whole. */
const maxRows = 500;

/** Puts the documents, and the names for which their rows have no room. */
export function putStatements(
  target: Target,
  collection: CollectionName,
  documents: readonly AnyDocument[],
  manner: Manner,
): Statement[] {
  const made: Statement[] = [];
  const text = insertText(target, collection, manner);
  const columns = columnsIn(collection);
  for (let at = 0; at < documents.length; at += maxRows) {
    const part = documents.slice(at, at + maxRows);
    const values: unknown[][] = [
      part.map(({ id }) => toColumnText(id)),
      part.map((document) => JSON.stringify(document)),
      ...columns.map(({ read }) => part.map(read)),
    ];
    made.push({ text, values });
  }
  return [...made, ...putNamesStatements(target, collection, documents, () => true)];
}

/** Puts the names of the documents for which their rows have no room, in those indexes. */
function putNamesStatements(
  { schema, prefix = '' }: Target,
  collection: CollectionName,
  documents: readonly AnyDocument[],
  isMeant: (index: string) => boolean,
): Statement[] {
  const names = documents.flatMap((document) =>
    listFurtherNames(collection, document)
      .filter(({ index }) => isMeant(index))
      .map((name) => ({ ...name, id: toColumnText(document.id) })),
  );
  if (names.length === 0) return [];
  return [
    {
      text: `INSERT INTO ${schema}.${prefix}names SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
      values: [
        collection,
        names.map(({ index }) => index),
        names.map(({ space }) => toColumnText(space)),
        names.map(({ name }) => name),
        names.map(({ id }) => id),
      ],
    },
  ];
}

/** Gives rows the values of those columns, unless they have another version than the one that was read. Returns the ids of the changed rows. */
export function fillStatement(
  schema: string,
  collection: CollectionName,
  columns: readonly Column[],
  rows: readonly (Row & { readonly id: string })[],
): Statement {
  const names = ['id', 'x', ...columns.map(({ name }) => name)];
  const sent = ['text', 'xid8', ...columns.map(sentType)].map((type, at) => `$${at + 1}::${type}[]`);
  const set = columns.map((column) => `${column.name} = ${receivedValue(column, 'r.')}`);
  return {
    text: `UPDATE ${schema}.${collection} t SET ${set.join(', ')} FROM unnest(${sent.join(', ')}) AS r(${names.join(', ')}) WHERE t.id = r.id AND t.x = r.x RETURNING t.id`,
    values: [
      rows.map(({ id }) => id),
      rows.map(({ x }) => x),
      ...columns.map(({ read }) => rows.map(({ doc }) => read(doc))),
    ],
  };
}

/** Replaces the further names of the documents in the indexes of those columns. */
export function renameStatements(
  schema: string,
  collection: CollectionName,
  columns: readonly Column[],
  documents: readonly AnyDocument[],
): Statement[] {
  const indexes = columns.map(({ index }) => index);
  const removal = {
    text: `DELETE FROM ${schema}.names WHERE collection = $1 AND ix = ANY($2::text[]) AND id = ANY($3::text[])`,
    values: [collection, indexes, documents.map(({ id }) => toColumnText(id))],
  };
  return [removal, ...putNamesStatements({ schema }, collection, documents, (index) => indexes.includes(index))];
}

/** Removes the documents. */
export const removeStatement = (schema: string, collection: CollectionName, ids: readonly string[]): Statement => ({
  text: `DELETE FROM ${schema}.${collection} WHERE id = ANY($1::text[])`,
  values: [ids.map(toColumnText)],
});

/** Removes the further names of documents that have some no longer, or others. */
export const forgetNamesStatement = (
  schema: string,
  collection: CollectionName,
  ids: readonly string[],
): Statement => ({
  text: `DELETE FROM ${schema}.names WHERE collection = $1 AND id = ANY($2::text[])`,
  values: [collection, ids.map(toColumnText)],
});

/** Writes of one collection, of drafts that share a transaction of the database. */
export interface CollectionWrites {
  readonly put: AnyDocument[];
  /** As `put`, with ids that nobody has. */
  readonly fresh: AnyDocument[];
  readonly removed: string[];
  /** Documents that had further names. */
  readonly renamed: string[];
}

export type Writes = Map<CollectionName, CollectionWrites>;

export function writeStatements(schema: string, writes: Writes): Statement[] {
  const made: Statement[] = [];
  // Everywhere in the same order.
  for (const collection of collectionNames) {
    const own = writes.get(collection);
    if (!own) continue;
    if (own.renamed.length > 0) made.push(forgetNamesStatement(schema, collection, own.renamed));
    if (own.removed.length > 0) made.push(removeStatement(schema, collection, own.removed));
    if (own.fresh.length > 0) made.push(...putStatements({ schema }, collection, own.fresh, 'new'));
    if (own.put.length > 0) made.push(...putStatements({ schema }, collection, own.put, 'any'));
  }
  return made;
}
