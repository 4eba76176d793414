/** Everything at once: given out, replaced, and overhauled. */
import { randomUUID } from 'node:crypto';
import { validationFailed } from '../../../src/contract/errors.ts';
import type { AppError } from '../../../src/contract/errors.ts';
import { collectionNames } from '../collections.ts';
import type { CollectionName } from '../collections.ts';
import type { StoredDocument, Writer } from '../store.ts';
import { usedAfterEnd } from '../transactions/transaction.ts';
import { isIndexable } from '../transactions/tables.ts';
import type { AnyDocument } from '../transactions/tables.ts';
import { unlimited } from './connections.ts';
import type { Connection, Connections } from './connections.ts';
import { isConflict } from './failures.ts';
import { indexStatements, namesIndexStatement, namesStatement, numberColumn, tableStatement } from './layout.ts';
import { drawCommit } from './locks.ts';
import type { Locks } from './locks.ts';
import { clusterSql } from './layout.ts';
import { createLookups } from './lookups.ts';
import { createReader } from './reader.ts';
import { beginReadingAll, readRows, toDocument } from './rows.ts';
import { forgetNamesStatement, putStatements, removeStatement } from './writes.ts';

export interface WholeDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connections: Connections;
  readonly locks: Locks;
}

/** Rows of one write. */
const pieceSize = 500;

const withoutHurry = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/** Alone in the store, however long it takes. */
const duringUnhurried = <T>(
  { connections, locks }: WholeDeps,
  work: (connection: Connection) => Promise<T>,
): Promise<T> => {
  const begin = `${locks.beginAlone}; ${withoutHurry}`;
  const workAlone = async (connection: Connection): Promise<T> => {
    await locks.take(connection, new Map(), drawCommit());
    return work(connection);
  };
  return connections.during(begin, workAlone, unlimited);
};

export async function* dumpAll({ schema, connections }: WholeDeps): AsyncGenerator<StoredDocument, void> {
  const connection = await connections.take();
  try {
    await connection.run({ text: beginReadingAll });
    // Otherwise somebody who replaces everything would take away the tables that are not read yet.
    await connection.run({
      text: `LOCK TABLE ${collectionNames.map((name) => `${schema}.${name}`).join(', ')} IN ACCESS SHARE MODE`,
    });
    for (const collection of collectionNames) {
      for await (const row of readRows(connection, schema, collection))
        yield { collection, document: toDocument(collection, row) } as StoredDocument;
    }
  } finally {
    await connection.run({ text: 'ROLLBACK' }).catch(() => undefined);
    connection.give();
  }
}

/** The tables that take the place of the present ones. */
const beside = 'next_';

export async function replaceAll(deps: WholeDeps, documents: AsyncIterable<StoredDocument>): Promise<void> {
  const { schema, connections } = deps;
  // The load is durable before the tables change their names; nobody else knows them.
  const made = new Set<CollectionName>();
  try {
    await load(deps, documents, made);
    await duringUnhurried(deps, async (connection) => {
      const run = (text: string) => connection.run({ text });
      for (const collection of collectionNames) {
        const table = `${schema}.${collection}`;
        if (made.has(collection)) {
          await run(`DROP TABLE ${table}`);
          await run(`ALTER TABLE ${schema}.${beside}${collection} RENAME TO ${collection}`);
        } else if ((await run(`SELECT FROM ${table} LIMIT 1`)).length > 0) await run(`TRUNCATE ${table}`);
      }
      await run(`DROP TABLE ${schema}.names`);
      await run(`ALTER TABLE ${schema}.${beside}names RENAME TO names`);
      await beginEpoch(schema, connection);
    });
  } finally {
    await connections
      .during('BEGIN', async (connection) => {
        for (const table of [...made, 'names'])
          await connection.run({ text: `DROP TABLE IF EXISTS ${schema}.${beside}${table}` });
      })
      .catch(() => undefined);
  }
}

async function load(
  { schema, connections }: WholeDeps,
  documents: AsyncIterable<StoredDocument>,
  made: Set<CollectionName>,
): Promise<void> {
  const target = { schema, prefix: beside };
  const during = <T>(work: (connection: Connection) => Promise<T>) => connections.during('BEGIN', work, unlimited);
  const run = (text: string) => during((connection) => connection.run({ text }));
  await run(`DROP TABLE IF EXISTS ${schema}.${beside}names`);
  await run(namesStatement(`${schema}.${beside}names`));
  const pieces = new Map<CollectionName, Map<string, NumberedDocument>>();
  async function store(collection: CollectionName, piece: ReadonlyMap<string, NumberedDocument>): Promise<void> {
    const put = [...piece.values()].map(({ document }) => document);
    try {
      await during(async (connection) => {
        for (const statement of putStatements(target, collection, put, 'new')) await connection.run(statement);
      });
    } catch (error) {
      if (!isConflict(error)) throw error;
      const rows = await during((connection) =>
        connection.run<{ id: string }>({
          text: `SELECT id FROM ${schema}.${beside}${collection} WHERE id = ANY($1::text[])`,
          values: [[...piece.keys()]],
        }),
      );
      const known = new Set(rows.map(({ id }) => id));
      const first = [...piece].find(([id]) => known.has(id));
      throw unfit(first?.[1].number ?? 0);
    }
  }
  let number = 0;
  for await (const { collection, document } of documents) {
    number++;
    const isKnown = collectionNames.includes(collection);
    if (!isKnown || !isIndexable(collection, document)) throw unfit(number);
    if (!made.has(collection)) {
      made.add(collection);
      await run(`DROP TABLE IF EXISTS ${schema}.${beside}${collection}`);
      await run(tableStatement(`${schema}.${beside}${collection}`, collection));
    }
    let piece = pieces.get(collection);
    if (!piece) pieces.set(collection, (piece = new Map()));
    if (piece.has(document.id)) throw unfit(number);
    piece.set(document.id, { document, number });
    if (piece.size < pieceSize) continue;
    pieces.delete(collection);
    await store(collection, piece);
  }
  for (const [collection, piece] of pieces) await store(collection, piece);
  for (const collection of made)
    for (const text of indexStatements(`${schema}.${beside}${collection}`, collection)) await run(text);
  await run(namesIndexStatement(`${schema}.${beside}names`));
}

interface NumberedDocument {
  readonly document: AnyDocument;
  readonly number: number;
}

const unfit = (number: number): AppError =>
  validationFailed([
    {
      field: `documents.${number - 1}`,
      message: `document ${number} has no known collection, no unique id, or lacks a field that its collection needs`,
      code: 'INVALID_VALUE',
    },
  ]);

/** The numbers of commits go on above all that there were, and positions from before are none any more. */
async function beginEpoch(schema: string, connection: Connection): Promise<void> {
  const present = 'pg_current_xact_id()::text::float8';
  await connection.run({
    text: `UPDATE ${schema}.meta SET epoch = $1, cluster = ${clusterSql}, begins = n.number, base = n.number - ${present} FROM (SELECT greatest(max(i.number), max(m.base) + ${present}) + 1 AS number FROM ${schema}.meta m LEFT JOIN (SELECT max(${numberColumn}) AS number FROM ${schema}.items) i ON true) n`,
    values: [randomUUID()],
  });
}

/** Begins an epoch where the numbers of transactions are those of another cluster, or of another timeline. */
export async function followCluster({ schema, connections, locks }: WholeDeps): Promise<void> {
  const isKnown = (connection: Connection) =>
    connection
      .run({ text: `SELECT FROM ${schema}.meta WHERE cluster = ${clusterSql}` })
      .then(({ length }) => length > 0);
  if (await connections.during('BEGIN', isKnown)) return;
  await connections.during(locks.beginAlone, async (connection) => {
    if (!(await isKnown(connection))) await beginEpoch(schema, connection);
  });
}

export async function overhaulAll<T>(deps: WholeDeps, work: (tx: Writer) => Promise<T>): Promise<T> {
  const { schema } = deps;
  return duringUnhurried(deps, async (connection) => {
    const writer = createDirectWriter(schema, connection);
    try {
      const result = await work(writer.tx);
      await writer.flush();
      await beginEpoch(schema, connection);
      return result;
    } finally {
      writer.end();
    }
  });
}

/** Writes within the present transaction of the database, in pieces; every read sees all that was written before. */
function createDirectWriter(schema: string, connection: Connection) {
  let waiting = new Map<CollectionName, Map<string, AnyDocument | undefined>>();
  let count = 0;
  let isOver = false;
  let flushing: Promise<unknown> = Promise.resolve();

  const checkActive = (): void => {
    if (isOver) throw usedAfterEnd();
  };
  function flush(): Promise<unknown> {
    const writes = waiting;
    waiting = new Map();
    count = 0;
    for (const [collection, own] of writes) {
      const ids = [...own.keys()];
      const put = [...own.values()].filter((document) => document !== undefined);
      const removed = ids.filter((id) => own.get(id) === undefined);
      const sent = [forgetNamesStatement(schema, collection, ids), removeStatement(schema, collection, removed)];
      const all = [...sent, ...putStatements({ schema }, collection, put, 'any')].map((each) => connection.run(each));
      flushing = Promise.all([flushing, ...all]);
      // The caller that awaits the flush gets the error.
      flushing.catch(() => undefined);
    }
    return flushing;
  }
  function write(collection: CollectionName, id: string, document: AnyDocument | undefined): void {
    checkActive();
    let own = waiting.get(collection);
    if (!own) waiting.set(collection, (own = new Map()));
    own.set(id, document);
    if (++count >= pieceSize) void flush();
  }
  const flushed: Connection = {
    async run(statement) {
      checkActive();
      await flush();
      return connection.run(statement);
    },
  };
  const reader = createReader({
    schema,
    connection: flushed,
    lookups: createLookups(schema, flushed),
    written: () => undefined,
    notes: undefined,
  });
  const tx: Writer = {
    ...reader,
    put: (collection, document) => write(collection, document.id, document),
    remove: (collection, id) => write(collection, id, undefined),
  };
  return { tx, flush, end: () => void (isOver = true) };
}
