/** The document store over tables in memory: runs one transaction after the other; a commit log makes the commits durable. */
import { AppError, isStorageFailure, validationFailed } from '../../../src/contract/errors.ts';
import { isFullDisk } from '../../../src/node/system-error.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import { createTurns } from '../../../src/domain/in-order.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import { bytesIn, createCeiling } from '../ceiling.ts';
import type { Ceiling, CeilingOptions } from '../ceiling.ts';
import { createAnnouncements } from './announcements.ts';
import type { Announcements } from './announcements.ts';
import { createCommitNumbers, hasNumber } from './commit-numbers.ts';
import type { CommitNumbers } from './commit-numbers.ts';
import { createGathering } from './gathering.ts';
import type { Gathering } from './gathering.ts';
import { createUndoing } from './pending.ts';
import type { PendingGroup } from './pending.ts';
import type { Store, StoredDocument, Transaction } from '../store.ts';
import { applyChanges, copyOf, createTables, isIndexable } from './tables.ts';
import type { Change, Former, Tables } from './tables.ts';
import { createDirect, createDraft, createReader } from './transaction.ts';

/** Makes commits last. */
export interface CommitLog {
  /** How many times commits were refused and undone. A transaction that read before the last setback may have read undone data. */
  readonly setbacks: number;
  /** The appended commits that are neither durable nor undone yet, the oldest first. */
  readonly pending: readonly PendingGroup[];
  /**
   * Takes changes that were just applied to the tables, with the former documents. Resolves once these changes, and all
   * earlier ones, are durable; otherwise undoes the changes and rejects with AppError STORAGE_UNAVAILABLE, or with
   * OUTCOME_UNKNOWN if a start may find them all the same.
   */
  append(changes: readonly Change[], previous: Former): Promise<void>;
  /**
   * Makes these documents durable in place of all former ones. The caller appends nothing meanwhile. If `replace` rejects
   * with AppError STORAGE_UNAVAILABLE, nothing has changed.
   */
  replace(tables: Tables): Promise<void>;
  /**
   * Deletes removed documents from the disk too. Its own commits begin where `inTurn` lets them. Rejects with AppError
   * STORAGE_UNAVAILABLE if the disk refuses.
   */
  compact(inTurn: (begin: () => Promise<void>) => Promise<void>): Promise<void>;
  /** Rejects with AppError STORAGE_UNAVAILABLE while the log would refuse changes as large as the largest refused ones. */
  probe(): Promise<void>;
  /** Waits until the appended commits have settled. */
  close(): Promise<void>;
}

/** 503: the disk refused, or the store is closed. A cause that is itself a failure of storage says more, and is returned. */
export const storageUnavailable = (cause?: unknown): AppError =>
  isStorageFailure(cause)
    ? cause
    : new AppError('STORAGE_UNAVAILABLE', { retryAfter: 1, cause, ...(isFullDisk(cause) && fullDisk) });

/**
 * 503 OUTCOME_UNKNOWN: the disk refused a commit and also refused to remove it again, so that a start may find it. Whoever
 * sends the request again with its Idempotency-Key has it carried out once.
 */
export const outcomeUnknown = (cause: unknown): AppError => new AppError('OUTCOME_UNKNOWN', { retryAfter: 1, cause });

/** The failure as it concerns work that wrote nothing itself. */
export const nothingWritten = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'OUTCOME_UNKNOWN' ? storageUnavailable(error.cause) : error;

const fullDisk = {
  message: 'The disk of the server is full. Nothing was done; try again once there is room.',
  hint: 'The operator has to make room: laudio doctor, on that computer, names the disk.',
} as const;

const nothing: readonly never[] = [];

/**
 * A transaction must not start and await another transaction: it would wait for its own end.
 */
export function createDocumentStore(name: string, tables: Tables, log: CommitLog, options: CeilingOptions): Store {
  const ceiling = createCeiling(tables, { ...options, clock: machineClockOf(options.clock) });
  const turns = createTurns();
  const announcements = createAnnouncements();
  const gathering = createGathering(tables);
  const numbers = createCommitNumbers(tables, options.clock);
  let closed = false;

  const checkOpen = (): void => {
    if (closed) throw storageUnavailable();
  };
  const engine: Engine = { tables, log, ceiling, turns, announcements, gathering, numbers, checkOpen };

  /** Does the work when its turn comes; the next may begin once it is done. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = turns.take();
    if (turn) await turn;
    try {
      checkOpen();
      return await work();
    } finally {
      turns.give();
    }
  }

  const undoing = createUndoing(tables, () => log.pending);
  const reader = createReader(tables, (collection) => {
    checkOpen();
    return undoing(collection);
  });

  async function takeOver(fresh: Tables): Promise<void> {
    await log.replace(fresh);
    Object.assign(tables, fresh);
    numbers.restart(fresh);
    gathering.begin();
  }

  gathering.begin();
  return {
    name,
    ...reader,
    transact: createTransact(engine),
    async overhaul(work) {
      checkOpen();
      return inTurn(async () => {
        ceiling.requireRoom(bytesIn(tables));
        // The log must not undo a commit while it is copied.
        await log.append(nothing, nothing);
        const fresh = await copied(tables);
        const direct = createDirect(fresh);
        const result = await work(direct.transaction).finally(direct.end);
        await takeOver(fresh);
        return result;
      });
    },
    watch: announcements.watch,
    subscribe: announcements.subscribe,
    commits: async () => numbers.span(),
    packer: { stringTable: (collection) => tables[collection].stringTable },
    async *dump() {
      checkOpen();
      const breathe = createBreaks();
      for (const { collection, documents } of await durableCopy(tables, log)) {
        for (const document of documents()) {
          yield { collection, document } as StoredDocument;
          await breathe();
        }
      }
    },
    async replace(documents) {
      checkOpen();
      const fresh = await collected(documents, ceiling);
      await inTurn(() => takeOver(fresh));
    },
    async compact() {
      checkOpen();
      await log.compact(async (begin) => {
        // The next transaction may begin while this commit becomes durable.
        const { durable } = await inTurn(async () => ({ durable: begin() }));
        return durable;
      });
    },
    async probe() {
      checkOpen();
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

/** The parts that transactions share with the other work of their store. */
interface Engine {
  readonly tables: Tables;
  readonly log: CommitLog;
  readonly ceiling: Ceiling;
  readonly turns: ReturnType<typeof createTurns>;
  readonly announcements: Announcements;
  readonly gathering: Gathering;
  readonly numbers: CommitNumbers;
  /** Throws STORAGE_UNAVAILABLE once the store is closed. */
  checkOpen(): void;
}

/** Runs a transaction when its turn comes. Resolves once it is durable and its listeners have been notified. */
function createTransact(engine: Engine): Store['transact'] {
  const { tables, log, ceiling, turns, announcements, gathering, numbers, checkOpen } = engine;
  return async function transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    checkOpen();
    const turn = turns.take();
    if (turn) await turn;
    let result: T | undefined;
    let refusal: { readonly error: unknown } | undefined;
    let changes: readonly Change[] = nothing;
    let durable: Promise<void>;
    let isNumbered = false;
    const commit = numbers.next();
    const draft = createDraft(tables, commit);
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
      // Before the changes are applied, which releases documents.
      isNumbered = changes.some((change) => hasNumber(change, commit));
      // A refusal is true only once the commits that it read are durable.
      durable = log.append(changes, applyChanges(tables, changes));
      if (isNumbered) numbers.take(commit);
    } finally {
      // The next transaction may begin while this commit becomes durable.
      turns.give();
    }
    if (changes.length > 0) gathering.begin();
    try {
      await durable;
    } catch (error) {
      throw changes.length > 0 ? error : nothingWritten(error);
    }
    if (refusal) throw refusal.error;
    if (isNumbered) numbers.reach(commit);
    announcements.announce(changes, draft.published);
    return result as T;
  };
}

/** All documents at one moment. Resolves once all of them are durable. */
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
  const copies = createTables((name) => tables[name].stringTable);
  for (const { collection, packed } of copyOf(tables)) {
    for (const document of packed()) {
      copies[collection].setPacked(document);
      const turn = breathe();
      if (turn) await turn;
    }
  }
  return copies;
}

/** Documents added between two checks of the room in memory. */
const checkEvery = 4096;

/** The documents as tables. Rejects with VALIDATION_FAILED and the number of the first document that cannot be stored. */
async function collected(documents: AsyncIterable<StoredDocument>, ceiling: Ceiling): Promise<Tables> {
  const tables = createTables();
  const breathe = createBreaks();
  let number = 0;
  for await (const { collection, document } of documents) {
    number++;
    const table = Object.hasOwn(tables, collection) ? tables[collection] : undefined;
    if (!table || !isIndexable(collection, document) || table.has(document.id)) {
      const message = `document ${number} has no known collection, no unique id, or lacks a field that its collection needs`;
      throw validationFailed([{ field: `documents.${number - 1}`, message, code: 'INVALID_VALUE' }]);
    }
    table.set(document.id, document);
    if (number % checkEvery === 0) ceiling.requireRoom(bytesIn(tables));
    await breathe();
  }
  return tables;
}
