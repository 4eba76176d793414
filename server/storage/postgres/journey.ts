/** One transaction of the database: the locks, the proof, the writes with their event, and the COMMIT. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { outcomeUnknown } from '../transactions/document-store.ts';
import type { Connection, Connections, TakenConnection } from './connections.ts';
import type { Draft } from './draft.ts';
import { encodeEvent } from './events.ts';
import { isAnswered, toStoreError } from './failures.ts';
import { listFurtherNames } from './layout.ts';
import { drawCommit } from './locks.ts';
import type { Locks } from './locks.ts';
import { findStale } from './proof.ts';
import { writeStatements } from './writes.ts';
import type { CollectionWrites, Writes } from './writes.ts';

export interface JourneyDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connections: Connections;
  readonly locks: Locks;
  /** This process, as the events name it. */
  readonly origin: string;
  /** The oldest transaction that may still be found among the events. */
  readonly horizon: () => string;
}

/** The end of a journey. `x`: the transaction that wrote; null where none did, or its answer was lost. */
export interface Arrival {
  /** The drafts that read something that has changed. */
  readonly stale: ReadonlySet<Draft>;
  readonly x: string | null;
}

export interface Journeys {
  /**
   * Commits the drafts whose reads are still true. `keys`: all that they touch, `true` where one of them writes it; `undefined`: so much
   * that nobody else may commit meanwhile. Rejects with a DatabaseFailure, or with OUTCOME_UNKNOWN.
   */
  make(
    connection: TakenConnection,
    drafts: readonly Draft[],
    keys: ReadonlyMap<string, boolean> | undefined,
  ): Promise<Arrival>;
  /** Runs the work while nobody else commits, and commits its draft: its reads need no proof. */
  makeAlone(connection: TakenConnection, run: (connection: Connection) => Promise<Draft>): Promise<Arrival>;
}

/** Finds a commit again whose answer was lost. */
interface Receipt {
  readonly commit: number;
  readonly id: string;
  readonly since: string;
}

/** In ms: how long the outcome of a commit is looked for, and how often. */
const patience = 30_000;
const pause = 200;

const none: ReadonlySet<Draft> = new Set();

export function createJourneys({ schema, connections, locks, origin, horizon }: JourneyDeps): Journeys {
  const drawReceipt = (): Receipt => ({ commit: drawCommit(), id: randomUUID(), since: horizon() });

  /** Returns the number of the transaction, once it is durable. */
  async function write(connection: Connection, drafts: readonly Draft[], receipt: Receipt): Promise<string | null> {
    const sent = writeStatements(schema, gatherWrites(drafts)).map((statement) => connection.run(statement));
    const entered = connection.run<{ x: string }>({
      text: `INSERT INTO ${schema}.events (receipt, origin, body) VALUES ($1, $2, $3) RETURNING x`,
      values: [receipt.id, origin, encodeEvent(drafts)],
    });
    const committed = connection.run<never>({ text: 'COMMIT' });
    const written = await Promise.allSettled([...sent, entered]);
    const [end] = await Promise.allSettled([committed]);
    // After a statement that was refused, COMMIT is a ROLLBACK.
    const refused = written.find((each) => each.status === 'rejected' && isAnswered(each.reason));
    if (refused?.status === 'rejected') throw refused.reason;
    if (end.status === 'fulfilled') return (await entered)[0]?.x ?? null;
    if (!isAnswered(end.reason) && (await isDurable(receipt, end.reason))) return null;
    throw end.reason;
  }

  /** Whether the commit was made. Rejects with OUTCOME_UNKNOWN if the database does not say. */
  async function isDurable({ commit, id, since }: Receipt, cause: unknown): Promise<boolean> {
    async function look(connection: Connection): Promise<boolean> {
      // The transaction of the commit has it until it is over.
      await connection.run(locks.await(commit));
      const found = await connection.run({
        text: `SELECT 1 FROM ${schema}.events WHERE x >= $1::xid8 AND receipt = $2`,
        values: [since, id],
      });
      return found.length > 0;
    }
    const end = performance.now() + patience;
    for (let left = patience; left > 0; left = end - performance.now()) {
      try {
        return await connections.during(locks.begin, look, Math.ceil(left));
      } catch {
        await wait(pause);
      }
    }
    throw outcomeUnknown(toStoreError(cause));
  }

  return {
    async make(connection, drafts, keys) {
      const receipt = drawReceipt();
      let stale: ReadonlySet<Draft>;
      try {
        [, , stale] = await settleAll([
          connection.run({ text: keys ? locks.begin : locks.beginAlone }),
          locks.take(connection, keys ?? new Map(), receipt.commit),
          findStale(schema, connection, drafts),
        ]);
      } catch (error) {
        await rollBack(connection);
        throw error;
      }
      const good = drafts.filter((draft) => !stale.has(draft));
      if (!good.every(writesNothing)) return { stale, x: await write(connection, good, receipt) };
      await rollBack(connection);
      return { stale, x: null };
    },
    async makeAlone(connection, run) {
      const receipt = drawReceipt();
      try {
        await connection.run({ text: locks.beginAlone });
        await locks.take(connection, new Map(), receipt.commit);
        const draft = await run({ run: (statement) => connection.run<never>(statement).catch(rethrow) });
        if (!writesNothing(draft)) return { stale: none, x: await write(connection, [draft], receipt) };
        await rollBack(connection);
        return { stale: none, x: null };
      } catch (error) {
        await rollBack(connection);
        throw error;
      }
    },
  };
}

const rollBack = (connection: Connection): Promise<unknown> =>
  connection.run({ text: 'ROLLBACK' }).catch(() => undefined);

function rethrow(error: unknown): never {
  throw toStoreError(error);
}

export const writesNothing = ({ written, published }: Draft): boolean => written.size === 0 && published.size === 0;

/** Waits until all have settled: none goes on in a transaction that is over. */
async function settleAll<T extends readonly unknown[]>(promises: readonly [...{ [K in keyof T]: Promise<T[K]> }]) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

function gatherWrites(drafts: readonly Draft[]): Writes {
  const writes: Writes = new Map();
  for (const { written, isFresh, before } of drafts) {
    for (const [collection, own] of written) {
      let gathered = writes.get(collection);
      if (!gathered) writes.set(collection, (gathered = emptyWrites()));
      for (const [id, document] of own) {
        const previous = before(collection, id);
        if (previous && listFurtherNames(collection, previous).length > 0) gathered.renamed.push(id);
        if (!document) gathered.removed.push(id);
        else if (isFresh(collection, id)) gathered.fresh.push(document);
        else gathered.put.push(document);
      }
    }
  }
  return writes;
}

const emptyWrites = (): CollectionWrites => ({ put: [], fresh: [], removed: [], renamed: [] });
