/** A worked example of a store of documents: a table of a database in the data directory, read whole at the start. */
import { join } from 'node:path';
import { requireDirectory, documentStoreKind } from '../../../server/storage/kinds.ts';
import { collectionNames } from '../../../server/storage/collections.ts';
import { createDocumentStore } from '../../../server/storage/transactions/document-store.ts';
import { createGroupCommit } from '../../../server/storage/lowdb/group-commit.ts';
import { noteAudio } from '../../../server/storage/blobs/named-audio.ts';
import type { NamedAudio } from '../../../server/storage/blobs/named-audio.ts';
import type { StoredDocument } from '../../../server/storage/store.ts';
import { copyOf, createTables, revertChanges } from '../../../server/storage/transactions/tables.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { integer, object } from '../../../src/contract/schema.ts';

const name = 'sqlite';
const file = 'documents.sqlite';

export const sqliteDocumentStore = documentStoreKind({
  options: object({}, { cache_mib: integer({ minimum: 1, maximum: 1024 }) }),
  blobs: 'files',
  contents: { files: /^documents\.sqlite(?:-wal|-shm)?$/, holdsSealed: async () => false },
  async open({ cache_mib: cache = 8 }, { clock, log, memory, ...deps }) {
    const database = openDatabase(requireDirectory(deps, name).path);
    database.exec(`PRAGMA cache_size = -${cache * 1024}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
    database.exec(
      'CREATE TABLE IF NOT EXISTS documents (collection, id, json, PRIMARY KEY (collection, id)) WITHOUT ROWID',
    );
    const put = database.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?, ?)');
    const remove = database.prepare('DELETE FROM documents WHERE collection = ? AND id = ?');
    const tables = createTables();
    for (const { collection, document } of stored(database)) tables[collection].set(document.id, document);
    async function commit(work: () => void): Promise<void> {
      database.exec('BEGIN');
      try {
        work();
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    }
    const commits = createGroupCommit({
      write: (group) =>
        commit(() => {
          for (const { collection, id, document } of group.flat()) {
            if (document) put.run(collection, id, JSON.stringify(document));
            else remove.run(collection, id);
          }
        }),
      replace: (fresh) =>
        commit(() => {
          database.exec('DELETE FROM documents');
          for (const { collection, documents } of copyOf(fresh)) {
            for (const document of documents()) put.run(collection, document.id, JSON.stringify(document));
          }
        }),
      async compact(commit) {
        await commit();
        database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
      },
      probe: async () => {},
      undo: (changes, former) => revertChanges(tables, changes, former),
    });
    const store = createDocumentStore(name, tables, commits, { clock, log, memory });
    return {
      store: {
        ...store,
        async close() {
          await store.close();
          if (database.isOpen) database.close();
        },
      },
      async usage() {
        const [{ bytes }] = database
          .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
          .all() as [{ bytes: number }];
        return { bytes, last_snapshot_at: null };
      },
    };
  },
  care: {
    async check(_options, deps) {
      const database = openDatabase(requireDirectory(deps, name).path);
      try {
        const said = database
          .prepare('PRAGMA integrity_check')
          .all()
          .map((row) => String(row['integrity_check']));
        const problems = said
          .filter((what) => what !== 'ok')
          .map((what) => ({ file, offset: null, harmless: false, what, advice: 'Restore a backup.' }));
        const documents: Record<string, number> = Object.fromEntries(collectionNames.map((each) => [each, 0]));
        for (const { collection } of stored(database)) documents[collection]! += 1;
        const found = problems.length > 0 ? null : { sequence: 0, documents };
        return { files: [], acknowledged: null, problems, found, audio: found && audioIn(database) };
      } finally {
        database.close();
      }
    },
    async namedAudio(_options, deps) {
      const database = openDatabase(requireDirectory(deps, name).path);
      try {
        return audioIn(database);
      } finally {
        database.close();
      }
    },
    repair: async () => {
      throw new AppError('CONFIGURATION', { message: 'SQLite keeps no second copy from which it could be repaired.' });
    },
  },
});

type Database = import('node:sqlite').DatabaseSync;

function openDatabase(directory: string): Database {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  return new DatabaseSync(join(directory, file));
}

function* stored(database: Database): Generator<StoredDocument, void> {
  for (const { collection, json } of database.prepare('SELECT collection, json FROM documents').iterate()) {
    yield { collection, document: JSON.parse(String(json)) } as StoredDocument;
  }
}

function audioIn(database: Database): NamedAudio {
  const named: NamedAudio = new Map();
  for (const document of stored(database)) noteAudio(named, document);
  return named;
}
