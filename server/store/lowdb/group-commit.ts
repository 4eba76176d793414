/** One write at a time; the commits that arrive meanwhile go together into the next. */
import { storageUnavailable } from '../document-store.ts';
import type { CommitLog } from '../document-store.ts';
import type { Change } from '../tables.ts';

interface Commit {
  readonly changes: readonly Change[];
  readonly undo: readonly Change[];
  readonly durable: Promise<void>;
  settle(refusal?: unknown): void;
}

export interface GroupCommitOptions {
  /** Makes all that was applied so far durable; `changes` are those since the last write that succeeded. */
  readonly write: (changes: readonly Change[]) => Promise<void>;
  /** Undoes what was applied. */
  readonly undo: (changes: readonly Change[]) => void;
}

/**
 * When a write fails, the memory goes back to what is durable: the commits that were in that write and those that have
 * been waiting behind it are all refused, for they may have been based on each other.
 */
export function createGroupCommit(options: GroupCommitOptions): CommitLog {
  let setbacks = 0;
  let waiting: Commit[] = [];
  let last: Promise<void> = Promise.resolve();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        await options.write(group.flatMap((commit) => commit.changes));
        for (const commit of group) commit.settle();
      } catch (cause) {
        const refused = [...group, ...waiting];
        waiting = [];
        setbacks++;
        for (const commit of refused.toReversed()) options.undo(commit.undo);
        last = Promise.resolve();
        for (const commit of refused) commit.settle(storageUnavailable(cause));
      }
    }
    writing = undefined;
  }

  return {
    get setbacks() {
      return setbacks;
    },
    append(changes, undo) {
      // Nothing to write; but what was read may still be on its way.
      if (changes.length === 0) return last;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({
        changes,
        undo,
        durable: promise,
        settle: (refusal) => (refusal === undefined ? resolve() : reject(refusal)),
      });
      last = promise;
      writing ??= writeAll();
      return promise;
    },
    close: async () => {
      await writing;
    },
  };
}
