/**
 * Pages of documents with certain words. PostgreSQL takes the beginning of a word for frequent, and walks through a whole table for a
 * rare one; so the newest documents are looked through first, then the index of words, and then, for words that very many have, one
 * window after the other.
 */
import type { CollectionName } from '../collections.ts';
import type { Query } from '../store.ts';
import { toWordQuery, whereClause } from './conditions-sql.ts';
import type { Connection, Connections } from './connections.ts';
import { isFoundInSpace } from './layout.ts';
import { rowFields } from './rows.ts';
import type { Row } from './rows.ts';

/** The newest documents, in which frequent words are found at once. */
const firstWindow = 2000;
/** Documents with the words that the index gives at once, and those of a further window. */
const maxHits = 20_000;

/** A query that is answered page by page. */
export type PagedQuery<C extends CollectionName> = Query<C> & { readonly text: string; readonly limit: number };

export const isPagedSearch = <C extends CollectionName>(query: Query<C>): query is PagedQuery<C> =>
  query.limit !== undefined &&
  Number.isFinite(query.limit) &&
  query.text !== undefined &&
  toWordQuery(query.text) !== undefined;

const begin = 'BEGIN READ ONLY; SET LOCAL statement_timeout = 15000; SET LOCAL enable_seqscan = off';

/** The rows of the page, the newest first. `schema` is quoted. */
export async function searchRows<C extends CollectionName>(
  { schema, connections }: { readonly schema: string; readonly connections: Connections },
  collection: C,
  query: PagedQuery<C>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  const asked = { schema, collection, query };
  let bound = await readWindow(connections.reads, asked, firstWindow, undefined, found);
  if (bound === undefined || found.length >= query.limit) return found.slice(0, query.limit);
  return connections.during(begin, async (connection) => {
    const hits = await readHits(connection, asked);
    if (hits) return hits;
    while (bound !== undefined && found.length < query.limit)
      bound = await readWindow(connection, asked, maxHits, bound, found);
    return found.slice(0, query.limit);
  });
}

interface Search<C extends CollectionName> {
  readonly schema: string;
  readonly collection: C;
  readonly query: PagedQuery<C>;
}

/** The conditions that an index meets in the order of ids: those of all documents among which the search goes on. */
function withinClause<C extends CollectionName>({ schema, collection, query }: Search<C>, values: unknown[]): string {
  const is = Object.entries(query.is ?? {}).filter(
    ([index, value]) =>
      index === 'space' || (isFoundInSpace(collection, index) && [value].flat().length === 1 && value !== undefined),
  );
  const within = {
    is: Object.fromEntries(is),
    ...(query.before !== undefined && { before: query.before }),
  };
  return whereClause(schema, collection, within as Query<C>, values);
}

/** Adds the rows of a window of so many documents. Returns where the next window begins; `undefined`: there is none. */
async function readWindow<C extends CollectionName>(
  connection: Connection,
  asked: Search<C>,
  size: number,
  before: string | undefined,
  found: Row[],
): Promise<string | undefined> {
  const { schema, collection, query } = asked;
  const table = `${schema}.${collection}`;
  const narrowed = before === undefined ? asked : { ...asked, query: { ...query, before } };
  const edge: unknown[] = [];
  const within = withinClause(narrowed, edge);
  const [last] = await connection.run<{ id: string }>({
    text: `SELECT id FROM ${table}${within} ORDER BY id DESC OFFSET ${size - 1} LIMIT 1`,
    values: edge,
  });
  const values: unknown[] = [];
  let where = whereClause(schema, collection, narrowed.query, values);
  if (last) where += ` AND id >= $${values.push(last.id)}`;
  const rows = await connection.run<Row>({
    text: `SELECT ${rowFields(collection)} FROM ${table}${where} ORDER BY id DESC LIMIT $${values.push(query.limit - found.length)}`,
    values,
  });
  found.push(...rows);
  return last?.id;
}

/** The page out of all documents with the words; `undefined`: too many have them. */
async function readHits<C extends CollectionName>(
  connection: Connection,
  { schema, collection, query }: Search<C>,
): Promise<readonly Row[] | undefined> {
  const table = `${schema}.${collection}`;
  const values: unknown[] = [toWordQuery(query.text)];
  const where = whereClause(schema, collection, query, values);
  const rows = await connection.run<Row & { readonly hits: string; readonly id: string | null }>({
    text: `WITH h AS MATERIALIZED (SELECT id FROM ${table} WHERE t_text @@ $1::tsquery LIMIT ${maxHits + 1}), p AS (SELECT id, ${rowFields(collection)} FROM ${table}${where} AND id IN (SELECT id FROM h) ORDER BY id DESC LIMIT $${values.push(query.limit)}) SELECT c.hits, p.* FROM (SELECT count(*) AS hits FROM h) c LEFT JOIN p ON true ORDER BY p.id DESC`,
    values,
  });
  if (Number(rows[0]?.hits ?? 0) > maxHits) return undefined;
  return rows.filter(({ id }) => id !== null);
}
