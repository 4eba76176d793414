/**
 * Answers and events arrive in any order: an answer may be older than an event that came before it. Each says at which
 * revision of the app's it was read; only what is at least as new as what is known counts.
 */
export interface Newest {
  /** Whether what was read of it then is news; if so, it is known from now on. */
  isNews(id: string, revision: number): boolean;
  /** Whether something newer than this revision is known of it. */
  isNewer(id: string, revision: number): boolean;
  /** All of them were read then: what is known from before is known no more. */
  readAll(revision: number): void;
  /** The app may have been started again, and counts anew. */
  forget(): void;
}

export function createNewest(): Newest {
  const known = new Map<string, number>();
  /** When all of them were read. */
  let all = 0;
  return {
    isNews(id, revision) {
      if (revision < (known.get(id) ?? all)) return false;
      known.set(id, revision);
      return true;
    },
    isNewer: (id, revision) => (known.get(id) ?? all) > revision,
    readAll(revision) {
      all = Math.max(all, revision);
      for (const [id, at] of known) if (at <= all) known.delete(id);
    },
    forget() {
      known.clear();
      all = 0;
    },
  };
}
