/** The document store in a schema of a PostgreSQL database, which several processes share. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError, isStorageFailure } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createOrders } from '../../../src/domain/in-order.ts';
import type { Counters } from '../counters.ts';
import type { Store, Transaction } from '../store.ts';
import { storageUnavailable } from '../transactions/document-store.ts';
import type { DatabaseAddress } from './address.ts';
import { openConnections } from './connections.ts';
import type { Connection, Connections } from './connections.ts';
import { createPostgresCounters } from './counters.ts';
import { createDraft } from './draft.ts';
import type { Draft } from './draft.ts';
import { openEvents } from './events.ts';
import { createJourneys } from './journey.ts';
import { numberColumn } from './layout.ts';
import { createLocks, findHorizon } from './locks.ts';
import type { OpenTransactions } from './locks.ts';
import { createLookups, shareLookups } from './lookups.ts';
import type { Lookups } from './lookups.ts';
import { PostgresMembers } from './members.ts';
import { createReader } from './reader.ts';
import type { ReadingDeps } from './reader.ts';
import { openSchema, requireForm } from './schema.ts';
import { searchRows } from './search.ts';
import { createTrains } from './trains.ts';
import { beginUpgrade } from './upgrade.ts';
import type { Upgrade, UpgradeState } from './upgrade.ts';
import { dumpAll, followCluster, overhaulAll, replaceAll } from './whole.ts';

export interface PostgresStoreOptions {
  readonly address: DatabaseAddress;
  /** The machine's. */
  readonly clock: Pick<Clock, 'elapsed'>;
  /** The time of this computer, in ms since 1970. */
  readonly now: () => number;
  /** Called with the ms by which the clock of this computer is ahead of the database's, when that becomes too much. */
  readonly onClockApart?: (lead: number) => void;
  /** Called when tables of an earlier version begin to be completed, and what that waits for. */
  readonly onUpgrade?: (state: UpgradeState) => void;
  /** Called once where a newer version has taken over while this process slept: nothing can be written from then on. */
  readonly onOutdated?: () => void;
  /** The URL at which other members reach this one. */
  readonly url?: string | undefined;
}

export interface PostgresStore {
  readonly store: Store;
  readonly members: PostgresMembers;
  readonly counters: Counters;
  /** Bytes of the tables. */
  measure(): Promise<number>;
}

/** In ms: how often old events are removed. */
const sweepMs = 600_000;

/** Runs of the same work that may meet others, before it runs alone. */
const maxMeetings = 4;

/** In ms. All members have the database's time; where a clock is this far from it, nobody knows which one is right. */
const maxLead = 600_000;

/** It is no wrong setting, so that a service manager starts the server again: clocks are set after the start of a computer. */
function requireTime(lead: number, shown: string): void {
  if (Math.abs(lead) <= maxLead) return;
  throw new AppError('STORAGE_UNAVAILABLE', {
    message: `The clock of this computer is ${Math.round(Math.abs(lead) / 60_000)} minutes ${lead > 0 ? 'ahead of' : 'behind'} that of the PostgreSQL at ${shown}.`,
    hint: 'Set the one that is wrong, by NTP: reports and signatures get their times from it.',
  });
}

/** Rejects as `openSchema`, and with STORAGE_UNAVAILABLE where the clocks are too far apart. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { address, clock, now, onClockApart, onUpgrade, onOutdated, url } = options;
  const connections = openConnections(address.connection, address);
  try {
    const locks = createLocks(address.schema);
    await openSchema(connections, address, locks);
    const schema = `"${address.schema}"`;
    await followCluster({ schema, connections, locks });
    const origin = randomBytes(9).toString('base64url');
    const heard = { onClockApart, onOutdated };
    const place = { schema, connections, locks };
    const members = await PostgresMembers.join({ ...place, id: origin, url, clock, now, ...heard });
    try {
      requireTime(members.clockLead(), address.shown);
      await requireForm(connections.reads, schema);
    } catch (error) {
      await members.close();
      throw error;
    }
    const events = await openEvents({ schema, connection: connections.feed, origin, locks });
    const upgrade = await beginUpgrade({ schema, connections, locks, members, onUpgrade });
    members.keep();
    const sweep = setInterval(() => void events.forget().catch(() => undefined), sweepMs);
    sweep.unref();
    // After a failover it may be another cluster.
    events.onBack(() => void followCluster({ schema, connections, locks }).catch(() => undefined));
    events.onMembers(() => void members.round().catch(() => undefined));
    const journeys = createJourneys({ schema, connections, locks, origin, horizon: events.horizon });
    const trains = createTrains(connections, journeys);
    const stop = async (): Promise<void> => {
      clearInterval(sweep);
      await upgrade.close();
    };
    return openStore({ schema, connections, locks, origin, members, events, trains, upgrade, stop });
  } catch (error) {
    await connections.close();
    throw error;
  }
}

interface Engine {
  readonly schema: string;
  readonly connections: Connections;
  readonly locks: ReturnType<typeof createLocks>;
  readonly origin: string;
  readonly members: PostgresMembers;
  readonly events: Awaited<ReturnType<typeof openEvents>>;
  readonly trains: ReturnType<typeof createTrains>;
  readonly upgrade: Pick<Upgrade, 'guard'>;
  /** Ends what is done from time to time, and in the background. */
  stop(): Promise<void>;
}

function openStore(engine: Engine): PostgresStore {
  const { schema, connections, members, events, upgrade } = engine;
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  let setbacks = 0;

  const checkOpen = (): void => {
    if (isClosed) throw storageUnavailable();
  };
  /** Closing waits for it. */
  async function track<T>(work: () => Promise<T>): Promise<T> {
    checkOpen();
    const running = work();
    const ended = running.then(
      () => {},
      (error: unknown) => void (setbacks += Number(isStorageFailure(error))),
    );
    underWay.add(ended);
    void ended.then(() => underWay.delete(ended));
    return running;
  }
  const tracked: Connection = { run: (statement) => track(() => connections.reads.run(statement)) };
  const lookups = shareLookups(createLookups(schema, connections.lookups));
  const reader = upgrade.guard(
    createReader({
      schema,
      connection: tracked,
      lookups: {
        byId: (...asked) => track(() => lookups.byId(...asked)),
        byName: (...asked) => track(() => lookups.byName(...asked)),
      },
      notes: undefined,
      written: () => void checkOpen(),
      search: (collection, query) => track(() => searchRows(engine, collection, query)),
    }),
  );
  const transact = createTransact(engine, lookups);

  const store: Store = {
    name: 'postgres',
    ...reader,
    transact: (work) => track(() => transact(work)),
    overhaul: (work) => track(() => events.replacing(() => overhaulAll(engine, (tx) => work(upgrade.guard(tx))))),
    watch: events.watch,
    subscribe: events.subscribe,
    positions: events.positions,
    async commits() {
      // Open transactions are asked for first, so that the items of all before them are seen.
      const [open] = await tracked.run<OpenTransactions>(engine.locks.open);
      const [row] = await tracked.run<{ from: number; to: number | null }>({
        text: `SELECT begins AS from, greatest(begins, (SELECT max(${numberColumn}) FROM ${schema}.items WHERE ${numberColumn} < m.base + $1::float8)) AS to FROM ${schema}.meta m`,
        values: [open ? Number(findHorizon(open)) : 0],
      });
      return { from: row?.from ?? 0, to: row?.to ?? row?.from ?? 0 };
    },
    async *dump() {
      checkOpen();
      yield* dumpAll(engine);
    },
    replace: (documents) => track(() => events.replacing(() => replaceAll(engine, documents))),
    // PostgreSQL takes back the room of removed rows by itself.
    compact: async () => checkOpen(),
    probe: () => track(() => members.round()),
    requireRoom: () => {},
    setbacks: () => setbacks,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await engine.stop();
      await Promise.all(underWay);
      await events.close();
      await members.close();
      await connections.close();
    },
  };
  return {
    store,
    members,
    counters: createPostgresCounters(engine),
    async measure() {
      const [row] = await tracked.run<{ bytes: string }>({
        text: `SELECT sum(pg_total_relation_size(c.oid))::text AS bytes FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r'`,
        values: [schema],
      });
      return Number(row?.bytes ?? 0);
    },
  };
}

/** The outcome of the work of a transaction, which is true once its draft is committed. */
type Outcome<T> = { readonly result: T } | { readonly refusal: unknown };

function createTransact({ schema, connections, events, trains, upgrade }: Engine, lookups: Lookups) {
  const orders = createOrders<string>();

  /** After a conflict, work of this process that meets at the same keys runs one after the other. */
  function inTurn<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [key, ...others] = keys;
    return key === undefined ? work() : orders(key, () => inTurn(others, work));
  }

  async function run<T>(
    reading: ReadingDeps,
    work: (tx: Transaction) => Promise<T>,
    isCareful: boolean,
  ): Promise<{ draft: Draft; outcome: Outcome<T> }> {
    const draft = createDraft(reading);
    let outcome: Outcome<T>;
    try {
      outcome = { result: await work(upgrade.guard(draft.transaction)) };
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      outcome = { refusal: error };
    }
    draft.end('refusal' in outcome);
    await draft.complete(isCareful);
    return { draft, outcome };
  }

  /** One query sees one moment: there is nothing to prove. */
  const isProved = ({ written, published, documents, queries, names, leases }: Draft): boolean =>
    written.size + published.size + leases.length === 0 && documents.length + queries.length + names.length <= 1;

  return async function transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const met = new Set<string>();
    let isCareful = false;
    for (let meetings = 0; ; meetings++) {
      const attempt = async (): Promise<{ outcome: Outcome<T> } | undefined> => {
        let last: Awaited<ReturnType<typeof run<T>>> | undefined;
        const isAlone = meetings >= maxMeetings;
        if (isAlone) {
          const verdict = await trains.commitAlone(async (connection) => {
            last = await run({ schema, connection, lookups: createLookups(schema, connection) }, work, true);
            return last.draft;
          });
          if (!verdict.isCommitted || !last) return undefined;
          events.announce(last.draft, verdict.x);
          return last;
        }
        last = await run({ schema, connection: connections.reads, lookups }, work, isCareful);
        if (isProved(last.draft)) return last;
        const verdict = await trains.commit(last.draft);
        if (verdict.isCommitted) {
          if (last.draft.written.size + last.draft.published.size > 0) events.announce(last.draft, verdict.x);
          return last;
        }
        for (const key of verdict.keys) met.add(key);
        isCareful ||= verdict.isCareful;
        return undefined;
      };
      const done = await inTurn([...met].toSorted(), attempt);
      if (done) {
        if ('refusal' in done.outcome) throw done.outcome.refusal;
        return done.outcome.result;
      }
      // Others, of other processes too, get ahead meanwhile.
      if (meetings > 1) await wait(Math.random() * 2 ** Math.min(meetings, 6));
    }
  };
}
