/**
 * The events of commits, which every process reads in one order: that of the transactions, up to the oldest one that is still open
 * anywhere. A process hears of the commits that it made at once, and of their published changes together with those of others.
 */
import type { Store } from '../store.ts';
import type { CollectionName } from '../collections.ts';
import type { FeedChange, FeedName } from '../feeds.ts';
import { createAnnouncements } from '../transactions/announcements.ts';
import type { PublishedChanges } from '../transactions/transaction.ts';
import type { Connection } from './connections.ts';
import type { Draft } from './draft.ts';

/** As the column has it. */
interface Event {
  /** The ids of the changed documents, by collection. */
  readonly w?: { readonly [C in CollectionName]?: readonly string[] };
  /** The published changes of each commit. */
  readonly p?: readonly (readonly (readonly [FeedName, readonly FeedChange[]])[])[];
  /** Members have come or gone, or leases are free. */
  readonly m?: true;
  /** All documents are others. */
  readonly r?: true;
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

/** Events without documents. */
export const membersChanged = JSON.stringify({ m: true } satisfies Event);
export const allReplaced = JSON.stringify({ r: true } satisfies Event);

export const announceStatement = (schema: string, origin: string, body: string) => ({
  text: `INSERT INTO ${schema}.events (receipt, origin, body) VALUES (gen_random_uuid(), $1, $2)`,
  values: [origin, body],
});

export interface Events extends Pick<Store, 'watch' | 'subscribe'> {
  /** Notifies the watchers of a commit of this process, and looks for its event; `x` is null if nobody knows it. */
  announce(draft: Draft, x: string | null): void;
  /** All transactions before this one are over. */
  horizon(): string;
  /** Calls `listener` when members of others have come or gone. */
  onMembers(listener: () => void): void;
  /** Looks for events now. */
  hurry(): void;
  close(): Promise<void>;
}

export interface EventDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connection: Connection;
  readonly origin: string;
}

/** In ms: between two looks; after an own commit that is not below the horizon yet; while the database does not answer. */
const pauses = { idle: 50, expecting: 3, broken: 500 } as const;

interface EventRow {
  readonly horizon: string;
  readonly origin: string | null;
  readonly body: Event | null;
}

const nobody: PublishedChanges = new Map();

export async function openEvents({ schema, connection, origin }: EventDeps): Promise<Events> {
  const announcements = createAnnouncements();
  const memberListeners: (() => void)[] = [];
  const look = (since: string) =>
    connection.run<EventRow>({
      text: `SELECT h.horizon, e.origin, e.body FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) h LEFT JOIN ${schema}.events e ON e.x >= $1::xid8 AND e.x < h.horizon ORDER BY e.x`,
      values: [since],
    });
  const [first] = await connection.run<{ horizon: string }>({
    text: 'SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon',
  });
  let horizon = BigInt(first?.horizon ?? 0);
  let expected = 0n;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isWanted = false;

  function hear({ origin: from, body }: EventRow): void {
    if (!body) return;
    if (from !== origin && body.w) {
      const changes = Object.entries(body.w).flatMap(([collection, ids]) =>
        (ids ?? []).map((id) => ({ collection: collection as CollectionName, id, document: undefined })),
      );
      announcements.announce(changes, nobody);
    }
    for (const published of body.p ?? [])
      announcements.announce([], new Map(published.map(([feed, changes]) => [feed, [...changes]])));
    if (body.m && from !== origin) for (const listener of memberListeners) listener();
  }

  async function lookOnce(): Promise<number> {
    try {
      const rows = await look(String(horizon));
      const reached = rows[0] ? BigInt(rows[0].horizon) : horizon;
      if (reached > horizon) horizon = reached;
      for (const row of rows) hear(row);
    } catch {
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
    isWanted = false;
    looking = lookOnce().then((pause) => {
      looking = undefined;
      if (isClosed) return;
      if (isWanted) return hurry();
      timer = setTimeout(hurry, pause);
      timer.unref();
    });
  }
  hurry();

  return {
    watch: announcements.watch,
    subscribe: announcements.subscribe,
    announce({ written }, x) {
      if (x !== null) expected = BigInt(x) > expected ? BigInt(x) : expected;
      hurry();
      const changes = Array.from(written, ([collection, own]) =>
        Array.from(own.keys(), (id) => ({ collection, id, document: undefined })),
      ).flat();
      announcements.announce(changes, nobody);
    },
    horizon: () => String(horizon),
    onMembers: (listener) => void memberListeners.push(listener),
    hurry,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
