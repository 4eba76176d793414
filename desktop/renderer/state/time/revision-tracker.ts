/**
 * Answers and events arrive in any order: an answer may be older than an event that arrived before it. Each has the
 * revision at which the app read it; only those at least as new as the page's count.
 */
export interface RevisionTracker {
  /** Whether this revision of the object is at least as new as the page's; if so, the page records it. */
  isNews(id: string, revision: number): boolean;
  /** Whether the page knows a newer revision of the object. */
  isNewer(id: string, revision: number): boolean;
  /** All objects were read at this revision, which replaces older ones. */
  readAll(revision: number): void;
  /** Forgets all revisions: a restarted app counts from the start. */
  forget(): void;
}

export function createRevisionTracker(): RevisionTracker {
  const known = new Map<string, number>();
  /** The revision at which all objects were read. */
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
