/** Reads documents from the tables, together with what a transaction has written so far. */
import { elementAt } from '../../../src/domain/elements.ts';
import type { CollectionName, Documents, KeyIndex } from '../collections.ts';
import type { Conditions, CountConditions, GroupConditions, Query, Reader } from '../store.ts';
import { createMatcher } from '../transactions/conditions.ts';
import type { AnyDocument } from '../transactions/tables.ts';
import type { Connection, Statement } from './connections.ts';
import { toColumnText } from './layout.ts';
import type { Lookups } from './lookups.ts';
import { countStatement, estimateStatement, findStatement, isWithinSpace, toDocument } from './rows.ts';
import type { Row, SeenRow } from './rows.ts';
import { isPagedSearch } from './search.ts';
import type { PagedQuery } from './search.ts';

/** Documents that a transaction has put, or removed: `undefined`. */
export type WrittenRows = ReadonlyMap<string, AnyDocument | undefined>;

/** A query with what it gave, which a transaction proves when it commits. */
export interface SeenQuery {
  readonly collection: CollectionName;
  readonly conditions: Conditions<CollectionName>;
  readonly statement: Statement;
  readonly rows: readonly SeenRow[];
}

/** Look-ups of names with what was there. */
export interface SeenNames {
  readonly collection: CollectionName;
  readonly index: string;
  /** Empty where the index is not within a space. */
  readonly space: string;
  readonly names: readonly string[];
  readonly rows: readonly (SeenRow | undefined)[];
}

/** Takes notes of what a transaction reads. */
export interface Notes {
  /** `row`: undefined where no such document is there. */
  document(collection: CollectionName, id: string, row: Row | undefined): void;
  query(seen: SeenQuery, rows: readonly Row[]): void;
  names(seen: SeenNames, rows: readonly Row[]): void;
}

/** Where documents are read. */
export interface ReadingDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connection: Connection;
  readonly lookups: Lookups;
}

export interface ReaderDeps extends ReadingDeps {
  /** Throws to refuse the read. */
  written(collection: CollectionName): WrittenRows | undefined;
  readonly notes: Notes | undefined;
  /** Answers pages of searches, where no transaction has to prove them. */
  readonly search?: <C extends CollectionName>(collection: C, query: PagedQuery<C>) => Promise<readonly Row[]>;
}

const newestFirst = (one: AnyDocument, other: AnyDocument): number => (one.id < other.id ? 1 : -1);
const toSeen = ({ doc, x }: Row): SeenRow => ({ id: toColumnText(doc.id), x });

export function createReader({ schema, connection, lookups, written, notes, search }: ReaderDeps): Reader {
  type Asking = Conditions<CollectionName>;

  async function readRow(collection: CollectionName, id: string): Promise<AnyDocument | undefined> {
    const [row] = await lookups.byId(collection, [id]);
    notes?.document(collection, id, row);
    return row && toDocument(collection, row);
  }

  async function find<C extends CollectionName>(collection: C, query: Query<C>): Promise<AnyDocument[]> {
    const { limit = Infinity } = query;
    const own = written(collection);
    const matches = createMatcher(collection, query) as (document: AnyDocument) => boolean;
    if (limit <= 0) return [];
    if (search && isPagedSearch(query))
      return (await search(collection, query)).map((row) => toDocument(collection, row));
    const asked = findStatement(schema, collection, { ...query, limit: limit + (own?.size ?? 0) });
    const rows = await connection.run<Row>(asked.rows);
    const conditions = query as Asking;
    notes?.query({ collection, conditions, statement: asked.seen, rows: rows.map(toSeen) }, rows);
    const documents = rows.map((row) => toDocument(collection, row));
    if (!own || own.size === 0) return documents;
    const isFound = (document: AnyDocument | undefined): document is AnyDocument =>
      document !== undefined && (query.before === undefined || document.id < query.before) && matches(document);
    const together = [...documents.filter(({ id }) => !own.has(id)), ...Array.from(own.values()).filter(isFound)];
    return together.toSorted(newestFirst).slice(0, limit);
  }

  async function findEach<C extends CollectionName>(
    collection: C,
    index: KeyIndex<C>,
    space: string,
    names: readonly string[],
  ): Promise<(AnyDocument | undefined)[]> {
    const own = written(collection);
    const isWithin = isWithinSpace(collection, index);
    if (own && own.size > 0) {
      const asked = names.map((name) =>
        find(collection, { is: { ...(isWithin && { space }), [index]: name }, limit: 1 } as Query<C>),
      );
      return (await Promise.all(asked)).map(([newest]) => newest);
    }
    const within = isWithin ? space : '';
    const found = await lookups.byName(
      collection,
      index,
      names.map((name) => ({ space: within, name })),
    );
    const seen = found.map((row) => row && toSeen(row));
    const rows = found.filter((row) => row !== undefined);
    notes?.names({ collection, index, space: within, names, rows: seen }, rows);
    // Two names may have one row.
    return found.map((row) => row && toDocument(collection, row));
  }

  async function count<C extends CollectionName>(
    collection: C,
    { roughly, ...conditions }: CountConditions<C> = {},
  ): Promise<number> {
    const own = written(collection);
    const isAll = Object.keys(conditions.is ?? {}).length === 0;
    if (roughly && isAll && !own) {
      const [row] = await connection.run<{ estimate: number }>(estimateStatement(schema, collection));
      // An exact count of few is as quick.
      if (row && row.estimate > manyRows) return row.estimate;
    }
    const asking = conditions as Asking;
    const statement = countStatement(schema, collection, asking);
    const rows = await connection.run<SeenRow>(statement);
    notes?.query({ collection, conditions: asking, statement, rows }, []);
    let counted = Number(rows[0]?.id ?? 0);
    if (!own || own.size === 0) return counted;
    const matches = createMatcher(collection, asking) as (document: AnyDocument) => boolean;
    const before = await readRows(collection, [...own.keys()]);
    for (const document of before) if (matches(document)) counted--;
    for (const document of own.values()) if (document && matches(document)) counted++;
    return counted;
  }

  async function readRows(collection: CollectionName, ids: readonly string[]): Promise<AnyDocument[]> {
    const rows = await lookups.byId(collection, ids);
    rows.forEach((row, at) => notes?.document(collection, elementAt(ids, at), row));
    return rows.filter((row) => row !== undefined).map((row) => toDocument(collection, row));
  }

  async function oldest<C extends CollectionName>(collection: C, conditions: GroupConditions<C>) {
    const own = written(collection);
    const query = { ...conditions, limit: 1 } as Query<C>;
    const except = [...(own?.keys() ?? [])].map(toColumnText);
    const asked = findStatement(schema, collection, query, { order: 'ASC', except });
    const rows = await connection.run<Row>(asked.rows);
    notes?.query({ collection, conditions: query as Asking, statement: asked.seen, rows: rows.map(toSeen) }, rows);
    let first = rows[0] && toDocument(collection, rows[0]);
    const matches = createMatcher(collection, query) as (document: AnyDocument) => boolean;
    for (const document of own?.values() ?? [])
      if (document && matches(document) && !(first && first.id < document.id)) first = document;
    return first;
  }

  return {
    async get<C extends CollectionName>(collection: C, id: string) {
      const own = written(collection);
      return (own?.has(id) ? own.get(id) : await readRow(collection, id)) as Documents[C] | undefined;
    },
    find: find as unknown as Reader['find'],
    findEach: findEach as unknown as Reader['findEach'],
    count,
    oldest: oldest as unknown as Reader['oldest'],
  };
}

/** An estimate is worth it where there are more rows. */
const manyRows = 10_000;
