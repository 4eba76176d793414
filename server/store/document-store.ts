/** The store over tables in memory: transactions one after the other, durable as soon as their log says so. */
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { createBreaks } from './breaks.ts';
import { bytesIn, createCeiling } from './ceiling.ts';
import type { Ceiling, CeilingOptions } from './ceiling.ts';
import type { CollectionName } from './collections.ts';
import type { FeedChange, FeedName } from './feeds.ts';
import { createGathering } from './gathering.ts';
import { createUndoing } from './pending.ts';
import type { PendingGroup } from './pending.ts';
import type { Store, StoredDocument, Transaction } from './store.ts';
import { applyChanges, copyOf, createTables, isIndexable } from './tables.ts';
import type { Change, Former, Tables } from './tables.ts';
import { createDirect, createDraft, createReader } from './transaction.ts';

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
export function createDocumentStore(name: string, tables: Tables, log: CommitLog, options: CeilingOptions): Store {
  const ceiling = createCeiling(tables, options);
  const turns = createTurns();
  const watchers = createListeners<CollectionName, string>();
  const subscribers = createListeners<FeedName, FeedChange>();
  const gathering = createGathering(tables);
  let closed = false;

  const check = (): void => {
    if (closed) throw storageUnavailable();
  };

  const undoing = createUndoing(tables, () => log.pending);
  const reader = createReader(tables, (collection) => {
    check();
    return undoing(collection);
  });

  async function takeOver(fresh: Tables): Promise<void> {
    await log.replace(fresh);
    Object.assign(tables, fresh);
    gathering.begin();
  }

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
          const written = draft.end();
          ceiling.admit(written);
          changes = written;
        } catch (error) {
          draft.end();
          refusal = { error };
        }
        if (log.setbacks !== setbacks) throw storageUnavailable();
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
    async overhaul(work) {
      check();
      const turn = turns.take();
      if (turn) await turn;
      try {
        check();
        ceiling.requireRoom(bytesIn(tables));
        // What is copied must not be undone meanwhile.
        await log.append(nothing, nothing);
        const fresh = await copied(tables);
        const direct = createDirect(fresh);
        const result = await work(direct.transaction).finally(direct.end);
        await takeOver(fresh);
        return result;
      } finally {
        turns.give();
      }
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
      const fresh = await collected(documents, ceiling);
      const turn = turns.take();
      if (turn) await turn;
      try {
        check();
        await takeOver(fresh);
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
      ceiling.check();
      await log.probe();
    },
    requireRoom: ceiling.requireRoom,
    setbacks: () => log.setbacks + ceiling.refusals,
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

/** Tables with the same documents. */
async function copied(tables: Tables): Promise<Tables> {
  const breathe = createBreaks();
  const copies = createTables((name) => tables[name].vocabulary);
  for (const { collection, packed } of copyOf(tables)) {
    for (const document of packed()) {
      copies[collection].setPacked(document);
      const turn = breathe();
      if (turn) await turn;
    }
  }
  return copies;
}

/** Documents taken before it is looked again whether there is room for them. */
const checkEvery = 4096;

/** VALIDATION_FAILED, with the number of the document, where one cannot be kept. */
async function collected(documents: AsyncIterable<StoredDocument>, ceiling: Ceiling): Promise<Tables> {
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
    if (number % checkEvery === 0) ceiling.requireRoom(bytesIn(tables));
    await breathe();
  }
  return tables;
}
