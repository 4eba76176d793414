/**
 * The events of commits, which every process reads in one order: that of the transactions, up to the oldest one of the store that is still
 * open in any process. A process hears of the commits that it made at once, and of their published changes together with those of others.
 */
import { elementAt } from '../../../src/domain/elements.ts';
import { createKeyedListeners, createListeners } from '../../../src/domain/listeners.ts';
import type { CollectionName } from '../collections.ts';
import type { FeedChange, FeedName } from '../feeds.ts';
import type { Positions, Store } from '../store.ts';
import { createAnnouncements } from '../transactions/announcements.ts';
import type { Connection, Statement } from './connections.ts';
import type { Draft } from './draft.ts';
import { findHorizon } from './locks.ts';
import type { Locks, OpenTransactions } from './locks.ts';

type ChangedIds = { readonly [C in CollectionName]?: readonly string[] };

/** The body of an event. */
interface Event {
  /** The ids of the changed documents, by collection. */
  readonly w?: ChangedIds;
  /** The published changes of each commit. */
  readonly p?: readonly (readonly (readonly [FeedName, readonly FeedChange[]])[])[];
  /** Members have come or gone, or leases are free. */
  readonly m?: true;
}

export function encodeEvent(drafts: readonly Draft[]): string {
  const w: { [C in CollectionName]?: string[] } = {};
  const p: NonNullable<Event['p']>[number][] = [];
  for (const { written, published } of drafts) {
    for (const [collection, own] of written) (w[collection] ??= []).push(...own.keys());
    if (published.size > 0) p.push([...published]);
  }
  return JSON.stringify({ ...(Object.keys(w).length > 0 && { w }), ...(p.length > 0 && { p }) } satisfies Event);
}

/** The body of an event without documents. */
export const membersChanged = JSON.stringify({ m: true } satisfies Event);

export const announceStatement = (schema: string, origin: string, body: string): Statement => ({
  text: `INSERT INTO ${schema}.events (receipt, origin, body) VALUES (gen_random_uuid(), $1, $2)`,
  values: [origin, body],
});

export interface Events extends Pick<Store, 'watch' | 'subscribe'> {
  readonly positions: Positions;
  /** Notifies the watchers of a commit of this process, and looks for its event; `x` is null if nobody knows it. */
  announce(draft: Draft, x: string | null): void;
  /** All transactions of the store before this one are over, and their events were heard. */
  horizon(): string;
  /** Removes events that are older than followers may be. */
  forget(): Promise<void>;
  /** Calls `listener` when members of others have come or gone. */
  onMembers(listener: () => void): void;
  /** Calls `listener` when the database answers again. */
  onBack(listener: () => void): void;
  /** Does work of this process that begins an epoch, and hears of that. */
  replacing<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface EventDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connection: Connection;
  readonly origin: string;
  readonly locks: Locks;
}

/** In ms: between two looks; after an own commit, as the looks of a busy process cost others something; while the database does not answer. */
const pauses = { idle: 50, expecting: 10, broken: 500 } as const;

/** Events that are removed at a time. */
const maxForgotten = 5000;

/** Events that are read for the changes before the start. */
const maxRecent = 2000;

interface LookRow {
  readonly epoch: string;
  readonly x: string | null;
  readonly origin: string | null;
  readonly body: Event | null;
}

export async function openEvents({ schema, connection, origin, locks }: EventDeps): Promise<Events> {
  const { watch, announce } = createAnnouncements();
  const subscribers = createKeyedListeners<FeedName, [changes: readonly FeedChange[], positions: readonly string[]]>();
  const [members, back, replacements] = [createListeners(), createListeners(), createListeners()];
  const look = createLook({ schema, connection, locks });
  const [[start], [first]] = await Promise.all([
    connection.run<OpenTransactions>(locks.open),
    connection.run<{ epoch: string }>({ text: `SELECT epoch FROM ${schema}.meta` }),
  ]);
  let horizon = start ? findHorizon(start) : 0n;
  let epoch = first?.epoch ?? '';
  let expected = 0n;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isWanted = false;
  let lookedAt = -Infinity;
  let isBroken = false;
  let replacing = 0;

  const formatPosition = (x: string | bigint, nth: number): string => `${epoch}.${x}.${nth}`;
  const notifyOf = (written: ChangedIds): void =>
    announce(
      Object.entries(written).flatMap(([collection, ids]) =>
        (ids ?? []).map((id) => ({ collection: collection as CollectionName, id, document: undefined })),
      ),
      new Map(),
    );

  function hear({ origin: from, body, x }: LookRow): void {
    if (!body || x === null) return;
    if (from !== origin && body.w) notifyOf(body.w);
    for (const { feed, changes, positions } of listChanges(body, (nth) => formatPosition(x, nth)))
      subscribers.notify(feed, changes, positions);
    if (body.m && from !== origin) members.notify();
  }

  async function lookOnce(): Promise<number> {
    try {
      const seen = await look(horizon);
      const isNew = seen.epoch !== epoch;
      epoch = seen.epoch;
      if (seen.horizon > horizon) horizon = seen.horizon;
      for (const each of seen.rows) hear(each);
      if (isNew && replacing === 0) replacements.notify();
      if (isBroken) back.notify();
      isBroken = false;
    } catch {
      isBroken = true;
      return pauses.broken;
    }
    return expected >= horizon ? pauses.expecting : pauses.idle;
  }

  function hurry(): void {
    if (isClosed) return;
    if (looking) {
      isWanted = true;
      return;
    }
    clearTimeout(timer);
    const left = lookedAt + pauses.expecting - performance.now();
    if (left > 0) {
      timer = setTimeout(hurry, left).unref();
      return;
    }
    isWanted = false;
    lookedAt = performance.now();
    looking = lookOnce().then((pause) => {
      looking = undefined;
      if (isClosed) return;
      if (isWanted) return hurry();
      timer = setTimeout(hurry, pause).unref();
    });
  }
  hurry();

  return {
    watch,
    subscribe: subscribers.add as Store['subscribe'],
    positions: {
      current: () => formatPosition(horizon, 0),
      async recent(feed) {
        const before = horizon;
        const { rows, after } = await readRecent({ schema, connection }, before);
        const changes = rows.flatMap(({ x, body }) =>
          listChanges(body, (nth) => formatPosition(x, nth))
            .filter((each) => each.feed === feed)
            .flatMap(({ changes: published, positions }) =>
              published.map((change, at) => ({ position: positions[at] ?? '', change: change as never })),
            ),
        );
        return { after: formatPosition(after, 0), changes };
      },
      onReplaced: (listener) => void replacements.add(listener),
    },
    announce({ written }, x) {
      if (x !== null && BigInt(x) > expected) expected = BigInt(x);
      hurry();
      notifyOf(Object.fromEntries(Array.from(written, ([collection, own]) => [collection, [...own.keys()]])));
    },
    horizon: () => String(horizon),
    forget: () => forgetOld({ schema, connection }),
    onMembers: (listener) => void members.add(listener),
    onBack: (listener) => void back.add(listener),
    async replacing(work) {
      replacing++;
      try {
        const result = await work();
        while (looking) await looking;
        lookedAt = -Infinity;
        hurry();
        await looking;
        return result;
      } finally {
        replacing--;
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** The changes of an event, commit by commit, with the position of each: they count from 1 within their feed. */
function listChanges({ p = [] }: Event, format: (nth: number) => string) {
  const counts = new Map<FeedName, number>();
  return p.flatMap((published) =>
    published.map(([feed, changes]) => {
      const before = counts.get(feed) ?? 0;
      counts.set(feed, before + changes.length);
      return { feed, changes, positions: changes.map((_, at) => format(before + at + 1)) };
    }),
  );
}

/** Reads the events from one transaction on. */
function createLook({ schema, connection, locks }: Omit<EventDeps, 'origin'>) {
  return async (since: bigint): Promise<{ horizon: bigint; epoch: string; rows: readonly LookRow[] }> => {
    // Open transactions are asked for first, so that the events of all before them are seen.
    const [open, rows] = await Promise.all([
      connection.run<OpenTransactions>(locks.open),
      connection.run<LookRow>({
        text: `SELECT m.epoch, e.x, e.origin, e.body FROM ${schema}.meta m LEFT JOIN ${schema}.events e ON e.x >= $1::xid8 ORDER BY e.x`,
        values: [String(since)],
      }),
    ]);
    const horizon = findHorizon(elementAt(open, 0));
    const { epoch } = elementAt(rows, 0);
    return { horizon, epoch, rows: rows.filter(({ x }) => x !== null && BigInt(x) < horizon) };
  };
}

type Place = Pick<EventDeps, 'schema' | 'connection'>;

/** The latest events before that transaction, in order. `after`: all events from it on are among them. */
async function readRecent({ schema, connection }: Place, before: bigint) {
  const [rows, [kept]] = await Promise.all([
    connection.run<{ x: string; body: Event }>({
      text: `SELECT x, body FROM ${schema}.events WHERE x < $1::xid8 ORDER BY x DESC LIMIT ${maxRecent}`,
      values: [String(before)],
    }),
    connection.run<{ forgotten: string }>({ text: `SELECT forgotten FROM ${schema}.meta` }),
  ]);
  const oldest = rows.length < maxRecent ? undefined : rows.at(-1)?.x;
  return { rows: rows.toReversed(), after: oldest ?? BigInt(kept?.forgotten ?? 0) + 1n };
}

async function forgetOld({ schema, connection }: Place): Promise<void> {
  await connection.run({
    text: `WITH old AS (DELETE FROM ${schema}.events WHERE x IN (SELECT x FROM (SELECT x, at FROM ${schema}.events ORDER BY x LIMIT ${maxForgotten}) o WHERE at < now() - interval '3 days') RETURNING x) UPDATE ${schema}.meta SET forgotten = o.x FROM (SELECT x FROM old ORDER BY x DESC LIMIT 1) o`,
    values: [],
  });
}
