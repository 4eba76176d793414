/**
 * A lock that the system keeps: it ends with the process that has it, however that ends, and holds between containers and,
 * where the file system passes locks on, between computers. Node has none of its own; SQLite, which comes with Node, does
 * nothing here but lock (sqlite.org/lockingv3.html): nothing is ever written to the file.
 *
 * It ends as well when this process opens and closes the file in any other way (fcntl(2)).
 */
import type { DatabaseSync } from 'node:sqlite';

/** Result codes of SQLite (sqlite.org/rescode.html). */
const busy = 5;

/** What this process has locked. A database that nothing refers to is closed when garbage is collected, which would unlock its file. */
const locked = new Set<DatabaseSync>();

/** Locks the file, and gives what unlocks it, once or more often; `undefined` where somebody has it. Throws what SQLite says. */
export function lockFile(path: string): (() => void) | undefined {
  const { DatabaseSync } = loadSqlite();
  const database: DatabaseSync = new DatabaseSync(path);
  try {
    // What is changed shows that the file may be written: SQLite would lock one that may not for reading only.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1');
  } catch (error) {
    database.close();
    if ((error as { errcode?: unknown }).errcode === busy) return undefined;
    throw error;
  }
  locked.add(database);
  return () => {
    if (locked.delete(database)) database.close();
  };
}

/** Node 22 warns of it as of an experiment. What is used of it is as old as SQLite. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
