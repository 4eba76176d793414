/**
 * A lock that the system keeps: it ends with its process, however that ends, and applies across containers and, if the
 * file system forwards locks, across computers. Node has no lock API; SQLite, which comes with Node, is used only to
 * lock (sqlite.org/lockingv3.html): nothing is ever written to the file.
 *
 * It also ends when this process opens and closes the file in any other way (fcntl(2)).
 */
import type { DatabaseSync } from 'node:sqlite';

/** Result codes of SQLite (sqlite.org/rescode.html). */
const busy = 5;

/** The open locks. The garbage collector would close an unreferenced database, and so unlock its file. */
const locked = new Set<DatabaseSync>();

/**
 * Locks the file and returns the function that unlocks it (repeatable); `undefined` if somebody holds the lock. Throws
 * SQLite's errors.
 */
export function lockFile(path: string): (() => void) | undefined {
  const { DatabaseSync } = loadSqlite();
  const database: DatabaseSync = new DatabaseSync(path);
  try {
    // The change proves that the file is writable: SQLite would lock a read-only file for reading only.
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

/** Node 22 warns that its SQLite module is experimental. The calls used here are as old as SQLite. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
