/** The store over tables in memory: transactions one after the other, durable as soon as their log says so. */
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { createBreaks } from './breaks.ts';
import type { CollectionName } from './collections.ts';
import type { FeedChange, FeedName } from './feeds.ts';
import { createGathering } from './gathering.ts';
import { createUndoing } from './pending.ts';
import type { PendingGroup } from './pending.ts';
import type { Store, StoredDocument, Transaction } from './store.ts';
import { applyChanges, copyOf, createTables, isIndexable } from './tables.ts';
import type { Change, Former, Tables } from './tables.ts';
import { createDraft, createReader } from './transaction.ts';

/** Makes commits last. */
export interface CommitLog {
  /** How many times commits were refused and undone. What was read before the last time may never have been true. */
  readonly setbacks: number;
  /** What was appended and is neither durable nor undone yet, the oldest first. */
  readonly pending: readonly PendingGroup[];
  /**
   * Takes changes that were just applied to the tables, with what was there before. Resolves once they, and everything
   * appended before them, are durable; else undoes them and rejects with AppError STORAGE_UNAVAILABLE.
   */
  append(changes: readonly Change[], former: Former): Promise<void>;
  /**
   * Makes these documents durable instead of all there were; nothing is appended meanwhile. Where it rejects with
   * AppError STORAGE_UNAVAILABLE nothing has happened.
   */
  replace(tables: Tables): Promise<void>;
  /**
   * Keeps nothing on disk that was removed before. Commits of its own begin where `inTurn` lets them. Rejects with AppError
   * STORAGE_UNAVAILABLE where it cannot.
   */
  compact(inTurn: (begin: () => Promise<void>) => Promise<void>): Promise<void>;
  /** Rejects with AppError STORAGE_UNAVAILABLE while changes as large as the last refused ones would be refused again. */
  probe(): Promise<void>;
  /** Waits for what was appended. */
  close(): Promise<void>;
}

/** 503: the disk refused, or the store is closed. A cause that is such an error already says more. */
export const storageUnavailable = (cause?: unknown): AppError =>
  cause instanceof AppError && cause.code === 'STORAGE_UNAVAILABLE'
    ? cause
    : new AppError('STORAGE_UNAVAILABLE', { retryAfter: 1, cause });

const nothing: readonly never[] = [];

/**
 * A transaction must not wait for another one that it starts itself: it would wait for its own end.
 */
export function createDocumentStore(name: string, tables: Tables, log: CommitLog): Store {
  const turns = createTurns();
  const watchers = createListeners<CollectionName, string>();
  const subscribers = createListeners<FeedName, FeedChange>();
  const gathering = createGathering(tables);
  let closed = false;

  const check = (): void => {
    if (closed) throw storageUnavailable();
  };

  const undoing = createUndoing(() => log.pending);
  const reader = createReader(tables, (collection) => {
    check();
    return undoing(collection);
  });

  gathering.begin();
  return {
    name,
    ...reader,
    async transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      check();
      const turn = turns.take();
      if (turn) await turn;
      let result: T | undefined;
      let refusal: { readonly error: unknown } | undefined;
      let changes: readonly Change[] = nothing;
      let durable: Promise<void>;
      const draft = createDraft(tables);
      try {
        const { setbacks } = log;
        try {
          result = await work(draft.transaction);
        } catch (error) {
          refusal = { error };
        }
        const written = draft.end();
        if (log.setbacks !== setbacks) throw storageUnavailable();
        if (!refusal) changes = written;
        // A refusal too stands only once that which it was based upon is durable.
        durable = log.append(changes, applyChanges(tables, changes));
      } finally {
        // The next may begin while this one becomes durable.
        turns.give();
      }
      if (changes.length > 0) gathering.begin();
      await durable;
      if (refusal) throw refusal.error;
      watchers.tell((collection) => changes.filter((change) => change.collection === collection).map(({ id }) => id));
      subscribers.tell((feed) => draft.published.get(feed));
      return result as T;
    },
    watch: watchers.add,
    subscribe: subscribers.add as Store['subscribe'],
    async *dump() {
      check();
      const breathe = createBreaks();
      for (const { collection, documents } of await durableCopy(tables, log)) {
        for (const document of documents()) {
          yield { collection, document } as StoredDocument;
          await breathe();
        }
      }
    },
    async replace(documents) {
      check();
      const fresh = await collected(documents);
      const turn = turns.take();
      if (turn) await turn;
      try {
        check();
        await log.replace(fresh);
        Object.assign(tables, fresh);
        gathering.begin();
      } finally {
        turns.give();
      }
    },
    async compact() {
      check();
      await log.compact(async (begin) => {
        const turn = turns.take();
        if (turn) await turn;
        try {
          check();
          return begin();
        } finally {
          // The next may begin while this one becomes durable.
          turns.give();
        }
      });
    },
    async probe() {
      check();
      await log.probe();
    },
    setbacks: () => log.setbacks,
    async close() {
      closed = true;
      gathering.stop();
      await turns.take();
      turns.give();
      await log.close();
    },
  };
}

/** One after the other, in the order of arrival. Who comes when nobody is there need not wait. */
function createTurns(): { take(): Promise<void> | undefined; give(): void } {
  let taken = false;
  const waiting: (() => void)[] = [];
  return {
    take() {
      if (taken) return new Promise((resolve) => void waiting.push(resolve));
      taken = true;
      return undefined;
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else taken = false;
    },
  };
}

/** Who is told of commits, by what each of them listens to. */
function createListeners<Name, Heard>() {
  type Listener = (heard: readonly Heard[]) => void;
  const listeners = new Map<Name, Set<Listener>>();
  return {
    /** The function returned takes the listener away. */
    add(name: Name, listener: Listener): () => void {
      const others = listeners.get(name) ?? new Set();
      listeners.set(name, others.add(listener));
      return () => void others.delete(listener);
    },
    /** Nobody is told of nothing. */
    tell(heardOf: (name: Name) => readonly Heard[] | undefined): void {
      for (const [name, listening] of listeners) {
        if (listening.size === 0) continue;
        const heard = heardOf(name) ?? [];
        if (heard.length > 0) for (const listener of listening) listener(heard);
      }
    },
  };
}

/** All documents at one moment, given once nothing of it can be undone any more. */
async function durableCopy(tables: Tables, log: CommitLog) {
  for (;;) {
    const { setbacks } = log;
    const copy = copyOf(tables);
    await log.append(nothing, nothing).catch(() => undefined);
    if (log.setbacks === setbacks) return copy;
  }
}

/** VALIDATION_FAILED, with the number of the document, where one cannot be kept. */
async function collected(documents: AsyncIterable<StoredDocument>): Promise<Tables> {
  const tables = createTables();
  const breathe = createBreaks();
  let number = 0;
  for await (const { collection, document } of documents) {
    number++;
    const table = Object.hasOwn(tables, collection) ? tables[collection] : undefined;
    if (!table || !isIndexable(collection, document) || table.has(document.id)) {
      const message = `document ${number} has no known collection, no id of its own, or not what its collection needs`;
      throw validationFailed([{ field: `documents.${number - 1}`, message, code: 'INVALID_VALUE' }]);
    }
    table.set(document.id, document);
    await breathe();
  }
  return tables;
}
