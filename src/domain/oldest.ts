/** Removes from a map or a set the entry that was added first, so that it stays below its bound. */
export function removeOldest<K>(entries: { keys(): Iterable<K>; delete(key: K): boolean }): void {
  for (const key of entries.keys()) {
    entries.delete(key);
    return;
  }
}

export interface RecentSet<K> {
  has(value: K): boolean;
  /** Whether it is new. */
  add(value: K): boolean;
}

/** A set that keeps the `max` values that were added last. */
export function createRecentSet<K>(max: number): RecentSet<K> {
  const kept = new Set<K>();
  return {
    has: (value) => kept.has(value),
    add(value) {
      if (kept.has(value)) return false;
      kept.add(value);
      if (kept.size > max) removeOldest(kept);
      return true;
    },
  };
}

/** Computes the value of a key, and keeps the values of the `max` keys that were asked for last. */
export function keepRecent<K, V>(max: number, compute: (key: K) => V): (key: K) => V {
  const kept = new Map<K, V>();
  return (key) => {
    const value = kept.has(key) ? (kept.get(key) as V) : compute(key);
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > max) removeOldest(kept);
    return value;
  };
}
