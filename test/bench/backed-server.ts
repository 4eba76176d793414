/**
 * The server, with its own store (`lowdb DIRECTORY`) or with commits that a database makes durable (`sqlite FILE`, `postgres SOCKET`).
 * All is read from memory, so that the databases are spared what they would take for that. Prints its address.
 */
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'pg';
import type { QueryConfig } from 'pg';
import { builtInTestClient, createServer } from '../../server/index.ts';
import { createDocumentStore } from '../../server/storage/transactions/document-store.ts';
import type { CommitLog } from '../../server/storage/transactions/document-store.ts';
import { createGroupCommit } from '../../server/storage/lowdb/group-commit.ts';
import { documentStores } from '../../server/storage/registry.ts';
import { createTables } from '../../server/storage/transactions/tables.ts';
import type { Change } from '../../server/storage/transactions/tables.ts';
import { systemClock } from '../../src/node/clock.ts';

const table = 'CREATE TABLE documents (collection TEXT, id TEXT, document TEXT, PRIMARY KEY (collection, id))';

/** As durable as the store: FULL syncs each transaction. Commits that wait together are one transaction, as in the store. */
function sqlite(file: string): CommitLog['append'] {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(`${table} WITHOUT ROWID`);
  const put = database.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM documents WHERE collection = ? AND id = ?');
  const nothing = async (): Promise<void> => {};
  return createGroupCommit({
    async write(group) {
      database.exec('BEGIN');
      for (const { collection, id, document } of group.flat()) {
        if (document) put.run(collection, id, JSON.stringify(document));
        else remove.run(collection, id);
      }
      database.exec('COMMIT');
    },
    replace: nothing,
    compact: nothing,
    probe: nothing,
    undo: () => {},
  }).append;
}

/** With what Debian sets: `fsync` and `synchronous_commit` are on. Commits that wait at the same time have a connection each. */
async function postgres(host: string): Promise<CommitLog['append']> {
  const pool = new Pool({ host, user: 'laudio', database: 'postgres', max: 32 });
  await pool.query(table);
  const put = {
    name: 'put',
    text: `INSERT INTO documents SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
      ON CONFLICT (collection, id) DO UPDATE SET document = excluded.document`,
  };
  return async (changes) => {
    if (changes.length === 0) return;
    const written = changes.filter(({ document }) => document);
    const values = [
      written.map(({ collection }) => collection),
      written.map(({ id }) => id),
      written.map(({ document }) => JSON.stringify(document)),
    ];
    if (written.length === changes.length) await pool.query({ ...put, values });
    else await removing(pool, { ...put, values }, changes);
  };
}

async function removing(pool: Pool, put: QueryConfig, changes: readonly Change[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(put);
    for (const { collection, id, document } of changes) {
      if (!document) await client.query('DELETE FROM documents WHERE collection = $1 AND id = $2', [collection, id]);
    }
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const databases = { sqlite, postgres } as const;

const [kind, place = ''] = process.argv.slice(2);
const append = kind === 'lowdb' ? undefined : await databases[kind as keyof typeof databases](place);
if (append) {
  const log: CommitLog = {
    setbacks: 0,
    pending: [],
    append,
    replace: async () => {},
    compact: async () => {},
    probe: async () => {},
    close: async () => {},
  };
  const options = { clock: systemClock, log: () => {} };
  const store = createDocumentStore(kind!, createTables(), log, options);
  const usage = async () => ({ bytes: 0, last_snapshot_at: null });
  Object.assign(documentStores.memory, { open: async () => ({ store, usage }) });
}
const server = await createServer({
  version: 'bench',
  store: { use: append ? 'memory' : 'lowdb' },
  ...(!append && { dataDir: place }),
  port: 0,
  rateLimit: 0,
});
process.stdout.write(`${JSON.stringify({ url: server.url, pid: process.pid, test_client: builtInTestClient })}\n`);
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
