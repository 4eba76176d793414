/** The store over tables in memory: transactions one after the other, durable as soon as their log says so. */
import { AppError } from '../../src/contract/errors.ts';
import type { CollectionName, Documents } from './collections.ts';
import type { Store, Transaction } from './store.ts';
import { applyChanges } from './tables.ts';
import type { Change, Tables } from './tables.ts';
import { createDraft, findDocuments } from './transaction.ts';

/** Makes commits last. */
export interface CommitLog {
  /** How many times commits were refused and undone. What was read before the last time may never have been true. */
  readonly setbacks: number;
  /**
   * Takes changes that were just applied to the tables, with those that undo them. Resolves once they, and everything
   * appended before them, are durable; else undoes them and rejects with AppError STORAGE_UNAVAILABLE.
   */
  append(changes: readonly Change[], undo: readonly Change[]): Promise<void>;
  /** Waits for what was appended. */
  close(): Promise<void>;
}

/** 503: the disk refused, or the store is closed. */
export const storageUnavailable = (cause?: unknown): AppError =>
  new AppError('STORAGE_UNAVAILABLE', { retryAfter: 1, cause });

/**
 * A transaction must not wait for another one that it starts itself: it would wait for its own end.
 */
export function createDocumentStore(name: string, tables: Tables, log: CommitLog): Store {
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  const check = (): void => {
    if (closed) throw storageUnavailable();
  };

  /** One transaction up to its commit in memory; the next may begin while this one becomes durable. */
  async function run<T>(work: (tx: Transaction) => Promise<T>): Promise<{ outcome: () => T; durable: Promise<void> }> {
    const { setbacks } = log;
    const draft = createDraft(tables);
    let outcome: () => T;
    let changes: Change[];
    try {
      const result = await work(draft.transaction);
      outcome = () => result;
      changes = draft.end();
    } catch (error) {
      outcome = () => {
        throw error;
      };
      draft.end();
      changes = [];
    }
    if (log.setbacks !== setbacks) throw storageUnavailable();
    // A refusal too stands only once that which it was based upon is durable.
    return { outcome, durable: log.append(changes, applyChanges(tables, changes)) };
  }

  return {
    name,
    async get<C extends CollectionName>(collection: C, id: string) {
      check();
      return tables[collection].documents.get(id) as Documents[C] | undefined;
    },
    async find(collection, query) {
      check();
      return findDocuments(tables[collection], collection, query);
    },
    async count(collection) {
      check();
      return tables[collection].documents.size;
    },
    async transact(work) {
      check();
      const turn = queue.then(() => run(work));
      queue = turn.catch(() => undefined);
      const { outcome, durable } = await turn;
      await durable;
      return outcome();
    },
    async close() {
      closed = true;
      await queue;
      await log.close();
    },
  };
}
