/**
 * Completes the tables of an earlier version. Columns of new indexes are there from the start of the first process that knows them, while
 * processes of earlier versions go on to write rows without them. So they are filled once no such process is left, and earlier versions
 * are refused from then on. Until they are filled, queries by one of them are refused; everything else goes on.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { collectionNames } from '../collections.ts';
import type { CollectionName } from '../collections.ts';
import type { Members } from '../members.ts';
import type { Conditions, Reader } from '../store.ts';
import { unlimited } from './connections.ts';
import type { Connection, Connections } from './connections.ts';
import { documentKey } from './draft.ts';
import { columnsIn, columnType, form, indexesIn, unfilledStatement } from './layout.ts';
import type { Column, Tables } from './layout.ts';
import { drawCommit } from './locks.ts';
import type { Locks } from './locks.ts';
import { rowFields } from './rows.ts';
import type { Row } from './rows.ts';
import { fillStatement, renameStatements } from './writes.ts';

/** Makes what the tables lack. `schema` is quoted. Runs in the transaction of the start, alone in the store. */
export async function addColumns(connection: Connection, schema: string, tables: Tables): Promise<void> {
  const run = (text: string) => connection.run({ text });
  if (!tables.has('unfilled')) await run(unfilledStatement(schema));
  if (!tables.get('members')?.has('form')) await run(`ALTER TABLE ${schema}.members ADD COLUMN form int`);
  for (const collection of collectionNames) {
    const present = tables.get(collection);
    const missing = columnsIn(collection).filter(({ name }) => present && !present.has(name));
    if (missing.length === 0) continue;
    const added = missing.map((column) => `ADD COLUMN ${column.name} ${columnType(column)}`);
    await run(`ALTER TABLE ${schema}.${collection} ${added.join(', ')}`);
    await connection.run({
      text: `INSERT INTO ${schema}.unfilled SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
      values: [collection, missing.map(({ name }) => name)],
    });
  }
}

/** The columns that are not filled yet, each behind the name of its collection and a space. */
export async function readUnfilled(connection: Connection, schema: string): Promise<ReadonlySet<string>> {
  const rows = await connection.run<{ name: string }>({
    text: `SELECT collection || ' ' || name AS name FROM ${schema}.unfilled`,
  });
  return new Set(rows.map(({ name }) => name));
}

export interface UpgradeDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connections: Connections;
  readonly locks: Locks;
  readonly members: Members;
  readonly onUpgrade?: ((state: UpgradeState) => void) | undefined;
}

/** `waits`: until no process of an earlier version is left. */
export type UpgradeState = 'waits' | 'began' | 'ended';

export interface Upgrade {
  /** The reader, which refuses queries by columns that are not filled with 503 SERVER_BUSY. */
  guard<R extends Reader>(reader: R): R;
  /** Stops wherever it is; another process, or the next start, goes on. */
  close(): Promise<void>;
}

/** In ms: between two looks at what is missing. */
const pause = 3000;
/** Rows that are locked at once. */
const pieceSize = 100;

/** Fills the columns and makes the indexes that are missing, in the background; of several processes one does it. */
export async function beginUpgrade(deps: UpgradeDeps): Promise<Upgrade> {
  const { members, onUpgrade } = deps;
  let missing = await findMissing(deps);
  if (isComplete(missing)) return { guard: (reader) => reader, close: async () => undefined };

  const stop = new AbortController();
  const claim = members.claim('upgrade', { begin: () => undefined, end: () => undefined });
  let state: UpgradeState | undefined;
  const show = (next: UpgradeState): void => {
    if (state !== next) onUpgrade?.(next);
    state = next;
  };
  async function look(): Promise<void> {
    if (stop.signal.aborted) return;
    missing = await findMissing(deps);
    if (!isComplete(missing)) {
      if (!claim.isHeld) return;
      if (!(await hasOnlyPresentForm(deps, missing))) return show('waits');
      show('began');
      await complete(deps, missing, stop.signal);
      missing = await findMissing(deps);
    }
    if (!isComplete(missing)) return;
    if (state !== undefined) show('ended');
    await claim.release();
  }

  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = claim.answered.catch(() => undefined);
  const goOn = (): void => {
    clearTimeout(timer);
    looking = looking
      .then(look)
      // Until the database answers again.
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(timer);
        if (stop.signal.aborted || isComplete(missing)) return;
        timer = setTimeout(goOn, pause);
        timer.unref();
      });
  };
  const stopHearing = members.onGone(goOn);
  goOn();
  return {
    guard: (reader) => guardReader(reader, () => missing.columns),
    async close() {
      stopHearing();
      stop.abort();
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Columns and indexes that the tables lack. */
interface Missing {
  /** Those that are not filled, by their collections. */
  readonly columns: ReadonlyMap<CollectionName, readonly Column[]>;
  /** As PostgreSQL shows them behind USING. */
  readonly indexes: readonly { readonly collection: CollectionName; readonly index: string }[];
}

const isComplete = ({ columns, indexes }: Missing): boolean => columns.size === 0 && indexes.length === 0;

async function findMissing({ schema, connections: { reads } }: UpgradeDeps): Promise<Missing> {
  const unfilled = await readUnfilled(reads, schema);
  const rows = await reads.run<{ name: string }>({
    text: `SELECT c.relname || ' ' || split_part(pg_get_indexdef(i.indexrelid), ' USING ', 2) AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = $1::regnamespace AND i.indisvalid`,
    values: [schema],
  });
  const present = new Set(rows.map(({ name }) => name));
  const columns = new Map<CollectionName, Column[]>();
  const indexes: { collection: CollectionName; index: string }[] = [];
  for (const collection of collectionNames) {
    const own = columnsIn(collection).filter(({ name }) => unfilled.has(`${collection} ${name}`));
    if (own.length > 0) columns.set(collection, own);
    for (const index of indexesIn(collection))
      if (!present.has(`${collection} ${index}`)) indexes.push({ collection, index });
  }
  return { columns, indexes };
}

/**
 * Whether all processes write the columns, and those of earlier versions are refused from now on. Indexes alone need that of nobody.
 */
async function hasOnlyPresentForm({ schema, connections, locks }: UpgradeDeps, { columns }: Missing): Promise<boolean> {
  if (columns.size === 0) return true;
  const others = {
    text: `SELECT FROM ${schema}.members WHERE until > now() AND coalesce(form, 1) <> $1`,
    values: [form],
  };
  const hasOthers = async () => (await connections.reads.run(others)).length > 0;
  if (await hasOthers()) return false;
  // Behind the gate: whoever writes from now on sees it, one that slept until now too.
  await connections.during(locks.beginAlone, (connection) =>
    connection.run({ text: `UPDATE ${schema}.meta SET form = $1 WHERE form < $1`, values: [form] }),
  );
  // One that came meanwhile may have seen the former number.
  return !(await hasOthers());
}

async function complete(deps: UpgradeDeps, { columns, indexes }: Missing, signal: AbortSignal): Promise<void> {
  const { schema, connections } = deps;
  for (const [collection, own] of columns)
    for (let after: string | undefined = ''; after !== undefined;) {
      if (signal.aborted) return;
      after = await fillPiece(deps, collection, own, after);
    }
  for (const { collection, index } of indexes) await createIndex(deps, collection, index, signal);
  if (signal.aborted) return;
  for (const [collection, own] of columns)
    await connections.reads.run({
      text: `DELETE FROM ${schema}.unfilled WHERE collection = $1 AND name = ANY($2::text[])`,
      values: [collection, own.map(({ name }) => name)],
    });
}

/** Fills the columns of the next rows behind that id. Returns the last one's id; `undefined`: there are no further rows. */
async function fillPiece(
  { schema, connections, locks }: UpgradeDeps,
  collection: CollectionName,
  columns: readonly Column[],
  after: string,
): Promise<string | undefined> {
  return connections.during(locks.begin, async (connection) => {
    const rows = await connection.run<Row & { readonly id: string }>({
      text: `SELECT id, ${rowFields(collection)} FROM ${schema}.${collection} WHERE id > $1 ORDER BY id LIMIT ${pieceSize}`,
      values: [after],
    });
    const last = rows.at(-1);
    if (!last) return undefined;
    // As whoever writes the documents. What was written since the read has its columns, and stays.
    const keys = rows.map(({ doc }): [string, boolean] => [documentKey(collection, doc.id), true]);
    await locks.take(connection, new Map(keys), drawCommit());
    const filled = await connection.run<{ id: string }>(fillStatement(schema, collection, columns, rows));
    const ids = new Set(filled.map(({ id }) => id));
    const documents = rows.filter(({ id }) => ids.has(id)).map(({ doc }) => doc);
    for (const statement of renameStatements(schema, collection, columns, documents)) await connection.run(statement);
    return last.id;
  });
}

/** Makes an index without keeping anybody from writing. */
async function createIndex(
  { schema, connections }: UpgradeDeps,
  collection: CollectionName,
  index: string,
  signal: AbortSignal,
): Promise<void> {
  const connection = await connections.take(unlimited);
  const abandon = (): void => connection.abandon();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    if (signal.aborted) return;
    // One that was interrupted is there, but of no use.
    const broken = await connection.run<{ name: string }>({
      text: `SELECT i.indexrelid::regclass::text AS name FROM pg_index i WHERE i.indrelid = $1::regclass AND NOT i.indisvalid`,
      values: [`${schema}.${collection}`],
    });
    for (const { name } of broken) await connection.run({ text: `DROP INDEX CONCURRENTLY IF EXISTS ${name}` });
    await connection.run({ text: `CREATE INDEX CONCURRENTLY ON ${schema}.${collection} USING ${index}` });
  } finally {
    signal.removeEventListener('abort', abandon);
    connection.give();
  }
}

/** A reader that refuses queries by columns that are not filled. */
function guardReader<R extends Reader>(reader: R, unfilled: () => Missing['columns']): R {
  const requireFilled = (collection: CollectionName, indexes: readonly string[]): void => {
    const own = unfilled().get(collection);
    if (own?.some(({ index }) => indexes.includes(index))) throw beingFilled();
  };
  const requireEach = (collection: CollectionName, { is, during, text }: Conditions<CollectionName>): void =>
    requireFilled(collection, listAsked({ ...is, ...during, text }));
  return {
    ...reader,
    async find(collection, query) {
      requireEach(collection, query as Conditions<CollectionName>);
      return reader.find(collection, query);
    },
    async findEach(collection, index, space, names) {
      requireFilled(collection, [index]);
      return reader.findEach(collection, index, space, names);
    },
    async count(collection, conditions) {
      requireEach(collection, (conditions ?? {}) as Conditions<CollectionName>);
      return reader.count(collection, conditions);
    },
    async oldest(collection, conditions) {
      requireEach(collection, conditions as Conditions<CollectionName>);
      return reader.oldest(collection, conditions);
    },
  } satisfies Reader & R;
}

/** `undefined` is no condition. */
const listAsked = (conditions: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(conditions).filter((name) => conditions[name] !== undefined);

const beingFilled = (): AppError =>
  new AppError('SERVER_BUSY', {
    message:
      'The database is being prepared for this version, and does not answer this question yet. Nothing was done.',
    hint: 'Try again soon. It goes on once no process of an earlier version is left.',
    retryAfter: 5,
  });
