/**
 * Writes commits in groups, one write at a time. A group has all commits that arrived during the former write, and those of
 * all requests that the event loop has read by then. A commit that comes alone, as the one before did, is written at once.
 */
import { nothingWritten, storageUnavailable } from '../transactions/document-store.ts';
import type { CommitLog } from '../transactions/document-store.ts';
import type { PendingCommit, PendingGroup } from '../transactions/pending.ts';
import type { Change, Former, Tables } from '../transactions/tables.ts';

/** Commits that become durable together, or are refused together. */
interface Group extends PendingGroup {
  readonly commits: PendingCommit[];
  readonly durable: PromiseWithResolvers<void>;
}

export interface GroupCommitOptions {
  /** Makes all applied commits durable; `commits` are those since the last successful write. */
  readonly write: (commits: readonly (readonly Change[])[]) => Promise<void>;
  /**
   * Whether `write` reads packed documents alone. The objects are then released at once, for the collector would copy them again and
   * again while the disk works. Default: `false`.
   */
  readonly isPackedEnough?: boolean;
  /** Makes these documents durable in place of all former ones. */
  readonly replace: (tables: Tables) => Promise<void>;
  /** Deletes removed documents from the disk; `commit` makes a commit without changes. */
  readonly compact: (commit: () => Promise<void>) => Promise<void>;
  /** Rejects while commits as large as the largest refused ones would be refused again; `commit` makes a commit without changes. */
  readonly probe: (commit: () => Promise<void>) => Promise<void>;
  /** Undoes what was applied. */
  readonly undo: (changes: readonly Change[], previous: Former) => void;
}

/** Resolves when the event loop has gone through what has arrived. */
const allRead = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * When a write fails, the tables return to their durable state: the commits of that write, and all commits waiting behind
 * it, are refused, for they may depend on each other.
 */
export function createGroupCommit(options: GroupCommitOptions): CommitLog {
  let setbacks = 0;
  let waiting: Group | undefined;
  /** The one that is being written, and the one that is waiting. */
  let pending: Group[] = [];
  let last: Promise<void> = Promise.resolve();
  let writing: Promise<void> | undefined;
  /** Whether the last commits came together; then the next ones will. */
  let hasCompany = false;

  async function writeAll(): Promise<void> {
    if (hasCompany) await allRead();
    while (waiting) {
      const group: Group = waiting;
      hasCompany = group.commits.length > 1;
      waiting = undefined;
      try {
        await options.write(group.commits.map(({ changes }) => changes));
        pending.shift();
        group.durable.resolve();
      } catch (cause) {
        const refused = pending;
        pending = [];
        waiting = undefined;
        setbacks++;
        last = Promise.resolve();
        for (const each of refused.toReversed()) undo(each);
        const failure = storageUnavailable(cause);
        // Those behind the first were not written.
        for (const [at, { durable }] of refused.entries()) durable.reject(at === 0 ? failure : nothingWritten(failure));
      }
      await allRead();
    }
    writing = undefined;
  }

  function undo({ commits }: Group): void {
    for (const { changes, previous } of commits.toReversed()) options.undo(changes, previous);
  }

  function commit(changes: readonly Change[], previous: Former): Promise<void> {
    if (!waiting) pending.push((waiting = { commits: [], durable: Promise.withResolvers() }));
    if (options.isPackedEnough) for (const change of changes) change.document = undefined;
    waiting.commits.push({ changes, previous });
    last = waiting.durable.promise;
    writing ??= writeAll();
    return last;
  }

  const commitNothing = (): Promise<void> =>
    commit([], []).catch((error: unknown) => {
      throw nothingWritten(error);
    });

  return {
    get setbacks() {
      return setbacks;
    },
    get pending() {
      return pending;
    },
    // Where there is nothing to write, what was read may still be on its way.
    append: (changes, previous) => (changes.length === 0 ? last : commit(changes, previous)),
    async replace(tables) {
      await writing;
      try {
        await options.replace(tables);
      } catch (cause) {
        throw storageUnavailable(cause);
      }
    },
    compact: (inTurn) => options.compact(() => inTurn(commitNothing)),
    async probe() {
      try {
        await options.probe(commitNothing);
      } catch (cause) {
        throw storageUnavailable(cause);
      }
    },
    close: async () => {
      await writing;
    },
  };
}
