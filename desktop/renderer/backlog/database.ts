import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase } from 'idb';

/** For transactions that must have reached the disk when they complete. */
export const strictly = { durability: 'strict' } as const;

/**
 * Opens a database of the browser at the first use, and again after the browser lost it. If the browser stores nothing,
 * uses reject. `upgrade` creates the stores that a database of version `before` lacks; 0: all.
 */
export function openWhenUsed<S extends DBSchema>(
  name: string,
  version: number,
  upgrade: (database: IDBPDatabase<S>, before: number) => void,
): () => Promise<IDBPDatabase<S>> {
  let opening: Promise<IDBPDatabase<S>> | undefined;
  const lost = (): void => (opening = undefined);
  const open = (): Promise<IDBPDatabase<S>> =>
    openDB<S>(name, version, {
      upgrade: (database, before) => upgrade(database, before),
      terminated: lost,
      // Closes the database for a page of a newer version.
      blocking(_present, _next, { target }) {
        (target as IDBDatabase).close();
        lost();
      },
    });
  return () => {
    const opened = (opening ??= open());
    // A browser that could not open the database may open it later.
    opened.catch(lost);
    return opened;
  };
}
