/** Removes from a map or a set the entry that was added first, so that it stays below its bound. */
export function removeOldest<K>(entries: { keys(): Iterable<K>; delete(key: K): boolean }): void {
  for (const key of entries.keys()) {
    entries.delete(key);
    return;
  }
}
