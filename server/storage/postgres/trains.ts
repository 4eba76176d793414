/**
 * Commits drafts. Those that are ready together share one transaction of the database, a train, as commits that wait together share one
 * write of a disk: first the locks, then the proof, then the writes with one event, then COMMIT. A draft that meets an earlier one of
 * the train waits for the next.
 */
import { randomUUID } from 'node:crypto';
import { outcomeUnknown } from '../transactions/document-store.ts';
import type { Connection, Connections, TakenConnection } from './connections.ts';
import type { Draft, DraftKeys } from './draft.ts';
import { encodeEvent } from './events.ts';
import { isAnswered, isConflict, toStoreError } from './failures.ts';
import { listFurtherNames } from './layout.ts';
import { drawCommit } from './locks.ts';
import type { Locks } from './locks.ts';
import { findStale } from './proof.ts';
import { writeStatements } from './writes.ts';
import type { CollectionWrites, Writes } from './writes.ts';

/** How a draft ended. `stale`: something that it read has changed; its work has to run again. */
export type Verdict =
  /** `x`: the transaction that wrote it; null where it wrote nothing, or nobody knows. */
  | { readonly committed: true; readonly x: string | null }
  /** `keys`: those that others had changed, as far as they are known. */
  | { readonly committed: false; readonly keys: ReadonlySet<string>; readonly isCareful: boolean };

export interface Trains {
  /** Settles once the draft is durable, or stale. Rejects with an AppError otherwise: nothing has happened, or OUTCOME_UNKNOWN. */
  commit(draft: Draft): Promise<Verdict>;
  /** Runs the work while nobody else commits; its writes need no proof. */
  commitAlone(run: (connection: Connection) => Promise<Draft>): Promise<Verdict>;
}

export interface TrainDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connections: Connections;
  readonly locks: Locks;
  /** This process, as the events name it. */
  readonly origin: string;
  /** The oldest transaction that may still be found among the events. */
  readonly horizon: () => string;
}

interface Waiting {
  readonly draft: Draft;
  readonly keys: DraftKeys;
  settle(verdict: Verdict): void;
  fail(error: unknown): void;
  /** Travels alone: its train failed, and it may be the one to blame. */
  isAlone: boolean;
}

/** Trains of one process that are under way at a time. */
const mostTrains = 2;
const mostDrafts = 64;
/** Locks of one train: the server has some 6000 places for all. */
const mostKeys = 1000;
/** In ms: how long the outcome of a commit is looked for. */
const patience = 30_000;

const nothing: ReadonlySet<string> = new Set();
const meetsSomebody: Verdict = { committed: false, keys: nothing, isCareful: true };

export function createTrains(deps: TrainDeps): Trains {
  const { schema, connections, locks } = deps;
  let queue: Waiting[] = [];
  let underWay = 0;
  let isCalled = false;

  function call(): void {
    if (isCalled) return;
    isCalled = true;
    setImmediate(() => {
      isCalled = false;
      while (underWay < mostTrains && queue.length > 0) {
        const [riding, left] = fillTrain(queue);
        queue = left;
        underWay++;
        void ride(riding).finally(() => {
          underWay--;
          if (queue.length > 0) call();
        });
      }
    });
  }

  /** Settles each of the drafts, or lets it wait again. */
  async function ride(waiting: readonly Waiting[]): Promise<void> {
    let connection: TakenConnection | undefined;
    try {
      connection = await connections.take();
      const ending = await makeJourney(connection, waiting);
      const written = new Set<string>();
      for (const { keys, draft } of waiting)
        if (!ending.stale.has(draft)) for (const key of keys.written) written.add(key);
      for (const each of waiting)
        each.settle(
          ending.stale.has(each.draft)
            ? { committed: false, keys: each.keys.read, isCareful: false }
            : { committed: true, x: ending.x },
        );
      if (written.size > 0) sendBack(written);
    } catch (error) {
      breakUp(waiting, error);
    } finally {
      connection?.give();
    }
  }

  /** Those that wait and have read what was written meanwhile need no proof to know. */
  function sendBack(written: ReadonlySet<string>): void {
    queue = queue.filter((each) => {
      const met = new Set([...each.keys.read].filter((key) => written.has(key)));
      if (met.size === 0) return true;
      each.settle({ committed: false, keys: met, isCareful: false });
      return false;
    });
  }

  function breakUp(waiting: readonly Waiting[], error: unknown): void {
    const isOnesFault = isAnswered(error) && waiting.length > 1;
    for (const each of waiting) {
      if (isConflict(error)) each.settle(meetsSomebody);
      else if (isOnesFault) queue.push({ ...each, isAlone: true });
      else each.fail(toStoreError(error));
    }
    if (isOnesFault) call();
  }

  async function makeJourney(connection: TakenConnection, waiting: readonly Waiting[]) {
    const receipt = { commit: drawCommit(), id: randomUUID(), since: deps.horizon() };
    const drafts = waiting.map(({ draft }) => draft);
    const keys = mergeKeys(waiting);
    const isLarge = keys.size > mostKeys;
    const taken = locks.take(isLarge ? new Map() : keys, receipt.commit);
    let stale: Set<Draft>;
    try {
      const [, , found] = await settleAll([
        connection.run({ text: isLarge ? locks.beginAlone : locks.begin }),
        connection.run(taken),
        findStale(schema, connection, drafts),
      ]);
      stale = found;
    } catch (error) {
      await rollBack(connection);
      throw error;
    }
    const good = drafts.filter((draft) => !stale.has(draft));
    if (good.every(writesNothing)) {
      await rollBack(connection);
      return { stale, x: null };
    }
    return { stale, x: await write(connection, good, receipt) };
  }

  /** Returns the number of the transaction, once it is durable. */
  async function write(connection: Connection, drafts: readonly Draft[], receipt: Receipt): Promise<string | null> {
    const sent = writeStatements(schema, gatherWrites(drafts)).map((statement) => connection.run(statement));
    const entered = connection.run<{ x: string }>({
      text: `INSERT INTO ${schema}.events (receipt, origin, body) VALUES ($1, $2, $3) RETURNING x`,
      values: [receipt.id, deps.origin, encodeEvent(drafts)],
    });
    const committed = connection.run<never>({ text: 'COMMIT' });
    const [written, end] = await Promise.all([Promise.allSettled([...sent, entered]), settled(committed)]);
    const refused = written.find((each) => each.status === 'rejected' && isAnswered(each.reason));
    // An answered refusal makes the COMMIT a ROLLBACK.
    if (refused?.status === 'rejected') throw refused.reason;
    if (!end.failed) return (await entered)[0]?.x ?? null;
    if (!isAnswered(end.error) && (await isDurable(receipt, end.error))) return null;
    throw end.error;
  }

  /** Whether the commit was made whose answer was lost. Rejects with OUTCOME_UNKNOWN if nobody can say. */
  async function isDurable({ commit, id, since }: Receipt, cause: unknown): Promise<boolean> {
    for (const end = performance.now() + patience; performance.now() < end;) {
      try {
        return await connections.during(locks.begin, async (connection) => {
          // Whoever has this lock knows that the other transaction is over.
          await connection.run(locks.await(commit));
          const found = await connection.run({
            text: `SELECT 1 FROM ${schema}.events WHERE x >= $1::xid8 AND receipt = $2`,
            values: [since, id],
          });
          return found.length > 0;
        });
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    throw outcomeUnknown(toStoreError(cause));
  }

  return {
    commit: (draft) =>
      new Promise<Verdict>((settle, fail) => {
        queue.push({ draft, keys: draft.keys(), settle, fail, isAlone: false });
        call();
      }),
    async commitAlone(run) {
      const connection = await connections.take();
      const receipt = { commit: drawCommit(), id: randomUUID(), since: deps.horizon() };
      try {
        await connection.run({ text: locks.beginAlone });
        await connection.run(locks.await(receipt.commit));
        const draft = await run({ run: (statement) => connection.run<never>(statement).catch(rethrow) });
        if (!writesNothing(draft)) return { committed: true, x: await write(connection, [draft], receipt) };
        await rollBack(connection);
        return { committed: true, x: null };
      } catch (error) {
        await rollBack(connection);
        if (isConflict(error)) return meetsSomebody;
        throw toStoreError(error);
      } finally {
        connection.give();
      }
    },
  };
}

/** By which a commit is found again whose answer was lost. */
interface Receipt {
  readonly commit: number;
  readonly id: string;
  readonly since: string;
}

const rollBack = (connection: Connection): Promise<unknown> =>
  connection.run({ text: 'ROLLBACK' }).catch(() => undefined);

function rethrow(error: unknown): never {
  throw toStoreError(error);
}

const writesNothing = ({ written, published }: Draft): boolean => written.size === 0 && published.size === 0;

/** All of them, once all have settled: none goes on in a transaction that is over. */
async function settleAll<T extends readonly unknown[]>(promises: readonly [...{ [K in keyof T]: Promise<T[K]> }]) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

async function settled(promise: Promise<unknown>): Promise<{ failed: false } | { failed: true; error: unknown }> {
  try {
    await promise;
    return { failed: false };
  } catch (error) {
    return { failed: true, error };
  }
}

/** Those that can travel together, and those that stay. */
function fillTrain(queue: readonly Waiting[]): [riding: Waiting[], left: Waiting[]] {
  const riding: Waiting[] = [];
  const left: Waiting[] = [];
  const written = new Set<string>();
  let count = 0;
  for (const each of queue) {
    const isFirst = riding.length === 0;
    const { read, written: changed } = each.keys;
    const size = read.size + changed.size;
    const isFull = riding.length >= mostDrafts || (riding[0]?.isAlone ?? false) || count + size > mostKeys;
    // Whoever waits keeps its place before those that come later and touch the same.
    if (!isFirst && (isFull || each.isAlone || meets(read, written))) left.push(each);
    else {
      riding.push(each);
      count += size;
    }
    for (const key of changed) written.add(key);
  }
  return [riding, left];
}

function meets(read: ReadonlySet<string>, written: ReadonlySet<string>): boolean {
  for (const key of read) if (written.has(key)) return true;
  return false;
}

/** For each key whether somebody writes it. */
function mergeKeys(waiting: readonly Waiting[]): Map<string, boolean> {
  const keys = new Map<string, boolean>();
  for (const each of waiting) for (const key of each.keys.read) keys.set(key, false);
  for (const each of waiting) for (const key of each.keys.written) keys.set(key, true);
  return keys;
}

function gatherWrites(drafts: readonly Draft[]): Writes {
  const writes: Writes = new Map();
  for (const { written, isFresh, former } of drafts) {
    for (const [collection, own] of written) {
      let gathered = writes.get(collection);
      if (!gathered) writes.set(collection, (gathered = emptyWrites()));
      for (const [id, document] of own) {
        const before = former(collection, id);
        if (before && listFurtherNames(collection, before).length > 0) gathered.renamed.push(id);
        if (!document) gathered.removed.push(id);
        else if (isFresh(collection, id)) gathered.fresh.push(document);
        else gathered.put.push(document);
      }
    }
  }
  return writes;
}

const emptyWrites = (): CollectionWrites => ({ put: [], fresh: [], removed: [], renamed: [] });
