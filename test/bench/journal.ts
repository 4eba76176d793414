/** How many commits a second the journal alone makes durable, beside SQLite in Node. Wired up in main.ts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createGroupCommit } from '../../server/store/lowdb/group-commit.ts';
import { takeLock } from '../../server/store/lowdb/lock.ts';
import { createPersistence } from '../../server/store/lowdb/persistence.ts';
import { nodeFileSystem } from '../../server/store/lowdb/private-files.ts';
import { applyChanges, createTables } from '../../server/store/tables.ts';
import type { Change } from '../../server/store/tables.ts';
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
 * Commits a second, medians. SQLite is given what is best for it: a write-ahead log, a prepared statement, one connection
 * without a thread in between; synchronous=FULL makes its commits as durable as the journal's.
 */
export async function measureJournal(options: JournalBenchOptions): Promise<{ journal: number; sqlite: number }> {
  return takeTurns(
    { journal: inFreshDirectory(options, journal), sqlite: inFreshDirectory(options, sqlite) },
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
  const milliseconds = performance.now() - started;
  await persistence.close();
  await release();
  return milliseconds;
}

async function sqlite(directory: string, commits: number): Promise<number> {
  const database = new DatabaseSync(join(directory, 'database.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE documents (id TEXT PRIMARY KEY, document TEXT) WITHOUT ROWID');
  const insert = database.prepare('INSERT INTO documents VALUES (?, ?)');
  const started = performance.now();
  for (let n = 0; n < commits; n++) {
    const document = payload(n);
    insert.run(document.id, JSON.stringify(document));
  }
  const milliseconds = performance.now() - started;
  database.close();
  return milliseconds;
}
