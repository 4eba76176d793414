/** How many commits a second the journal alone makes durable, beside SQLite in Node. Wired up in main.ts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createGroupCommit } from '../../server/storage/lowdb/group-commit.ts';
import { takeLock } from '../../server/storage/data-directory/lock.ts';
import { createPersistence } from '../../server/storage/lowdb/persistence.ts';
import { nodeFileSystem } from '../../server/storage/data-directory/private-files.ts';
import type { CommitLog } from '../../server/storage/transactions/document-store.ts';
import { applyChanges, createTables } from '../../server/storage/transactions/tables.ts';
import type { Change, Tables } from '../../server/storage/transactions/tables.ts';
import { systemClock } from '../../src/node/clock.ts';
import type { Measure } from './rounds.ts';
import { takeTurns } from './rounds.ts';

export interface JournalBenchOptions {
  /** On the disk to be measured; whatever is made there is removed again. */
  readonly directory: string;
  readonly rounds: number;
  /** In each turn. */
  readonly commits: number;
}

/** Clients that commit at the same time, each waiting for its own commit. */
const writers = 64;

/** About as much as an item of a worklist. */
const payload = (n: number) => ({ id: `commit ${n}`, value: 'x'.repeat(600) });

/**
 * Commits a second, medians. SQLite has what is best for it: a write-ahead log, a prepared statement, one connection without
 * a thread in between; synchronous=FULL makes its commits as durable as the journal's. `grouped` has the same writers and the
 * same group commit as the journal. `inserts` has neither: 64 inserts a transaction, one after the other, are the most that
 * grouping could reach. `single` is a transaction for each commit.
 */
export async function measureJournal(
  options: JournalBenchOptions,
): Promise<Record<'journal' | 'grouped' | 'inserts' | 'single', number>> {
  return takeTurns(
    {
      journal: inFreshDirectory(options, journal),
      grouped: inFreshDirectory(options, groupedSqlite),
      inserts: inFreshDirectory(options, inserting(writers)),
      single: inFreshDirectory(options, inserting(1)),
    },
    options.rounds,
  );
}

const inFreshDirectory =
  ({ directory, commits }: JournalBenchOptions, run: (fresh: string, commits: number) => Promise<number>): Measure =>
  async () => {
    const fresh = await mkdtemp(join(directory, 'commits-'));
    try {
      const milliseconds = await run(fresh, commits);
      return (commits / milliseconds) * 1000;
    } finally {
      await rm(fresh, { recursive: true });
    }
  };

async function journal(directory: string, commits: number): Promise<number> {
  const tables = createTables();
  const { place, release } = await takeLock(directory, nodeFileSystem);
  const persistence = createPersistence({
    directory,
    place,
    fs: nodeFileSystem,
    clock: systemClock,
    sealing: undefined,
    log: () => {},
    migrations: [],
    journalLimit: Infinity,
  });
  await persistence.load();
  const log = createGroupCommit({
    write: (group) => persistence.persist(group, tables),
    replace: persistence.rewrite,
    compact: persistence.compact,
    probe: persistence.probe,
    undo: () => {},
  });
  const milliseconds = await commitAll(log, tables, commits);
  await persistence.close();
  await release();
  return milliseconds;
}

/** Milliseconds that the writers take together. */
async function commitAll(log: CommitLog, tables: Tables, commits: number): Promise<number> {
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (next < commits) {
        const document = payload(next++);
        const changes: Change[] = [{ collection: 'settings', id: document.id, document }];
        await log.append(changes, applyChanges(tables, changes));
      }
    }),
  );
  return performance.now() - started;
}

function openSqlite(directory: string) {
  const database = new DatabaseSync(join(directory, 'database.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE documents (id TEXT PRIMARY KEY, document TEXT) WITHOUT ROWID');
  return { database, insert: database.prepare('INSERT INTO documents VALUES (?, ?)') };
}

async function groupedSqlite(directory: string, commits: number): Promise<number> {
  const { database, insert } = openSqlite(directory);
  const nothing = async (): Promise<void> => {};
  const log = createGroupCommit({
    async write(group) {
      database.exec('BEGIN');
      for (const { id, document } of group.flat()) insert.run(id, JSON.stringify(document));
      database.exec('COMMIT');
    },
    replace: nothing,
    compact: nothing,
    probe: nothing,
    undo: () => {},
  });
  const milliseconds = await commitAll(log, createTables(), commits);
  database.close();
  return milliseconds;
}

/** Inserts in transactions of so many. */
const inserting =
  (together: number) =>
  async (directory: string, commits: number): Promise<number> => {
    const { database, insert } = openSqlite(directory);
    const started = performance.now();
    for (let n = 0; n < commits; n++) {
      if (n % together === 0) database.exec('BEGIN');
      const document = payload(n);
      insert.run(document.id, JSON.stringify(document));
      if (n % together === together - 1 || n === commits - 1) database.exec('COMMIT');
    }
    const milliseconds = performance.now() - started;
    database.close();
    return milliseconds;
  };
