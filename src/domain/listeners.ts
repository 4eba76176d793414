/** The listeners of something that happens again and again. */

export interface Listeners<Heard extends readonly unknown[]> {
  readonly size: number;
  /** Adds the listener, also if it is there already; the returned function removes it once, and may be called again. */
  add(listener: (...heard: Heard) => void): () => void;
  /**
   * Calls all listeners in the order in which they were added. One that is removed meanwhile is not called any more, one that is
   * added meanwhile hears the next. If one throws the others hear nevertheless; the first error is thrown at the end.
   */
  notify(...heard: Heard): void;
}

export function createListeners<Heard extends readonly unknown[] = []>(): Listeners<Heard> {
  interface Entry {
    readonly listener: (...heard: Heard) => void;
    isRemoved: boolean;
  }
  // Replaced by each change, so that a notification needs no copy.
  let entries: readonly Entry[] = [];
  return {
    get size() {
      return entries.length;
    },
    add(listener) {
      const entry: Entry = { listener, isRemoved: false };
      entries = [...entries, entry];
      return () => {
        if (entry.isRemoved) return;
        entry.isRemoved = true;
        entries = entries.filter((other) => other !== entry);
      };
    },
    notify(...heard) {
      let failure: { readonly error: unknown } | undefined;
      for (const entry of entries) {
        if (entry.isRemoved) continue;
        try {
          entry.listener(...heard);
        } catch (error) {
          failure ??= { error };
        }
      }
      if (failure) throw failure.error;
    },
  };
}

/** Listeners by what they listen to. */
export interface KeyedListeners<K, Heard extends readonly unknown[]> {
  /** Keys that have listeners. */
  keys(): Iterable<K>;
  has(key: K): boolean;
  add(key: K, listener: (...heard: Heard) => void): () => void;
  notify(key: K, ...heard: Heard): void;
}

export function createKeyedListeners<K, Heard extends readonly unknown[] = []>(): KeyedListeners<K, Heard> {
  const byKey = new Map<K, Listeners<Heard>>();
  return {
    keys: () => byKey.keys(),
    has: (key) => byKey.has(key),
    add(key, listener) {
      const listeners = byKey.get(key) ?? createListeners<Heard>();
      byKey.set(key, listeners);
      const remove = listeners.add(listener);
      return () => {
        remove();
        if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key);
      };
    },
    notify: (key, ...heard) => byKey.get(key)?.notify(...heard),
  };
}
