/** Removes what has expired, what has been kept for long enough, and audio that nobody needs any more. */
import type { Clock } from '../src/domain/clock.ts';
import { collectOrphans } from './maintenance/orphans.ts';
import type { OrphanDeps } from './maintenance/orphans.ts';
import { createPurge } from './maintenance/retention.ts';
import type { Retention } from './maintenance/retention.ts';
import { anatomyOf } from './plugins/errors.ts';
import type { CollectionName, Documents } from './store/collections.ts';
import type { Store } from './store/store.ts';

const everyMs = 15 * 60 * 1000;
/** Removed in one transaction at most. */
const batch = 1000;

const deliveriesKeptMs = 30 * 24 * 3600 * 1000;

const isExpired = ({ expires_at: end }: { expires_at: string }, now: number): boolean => Date.parse(end) < now;

/** Collection → which of its documents nobody will ask for again; `now` in ms since 1970. */
const spent: {
  readonly [C in CollectionName]?: (document: Documents[C], now: number, keptMs: number) => boolean;
} = {
  codes: isExpired,
  refresh_tokens: isExpired,
  grants: isExpired,
  idempotency: isExpired,
  deliveries: ({ status, created_at: at }, now, keptMs) => status !== 'pending' && Date.parse(at) < now - keptMs,
};

/** Removes what is spent; tells how many documents. What was delivered is not kept for longer than what is over. */
export async function sweep(store: Store, clock: Clock, completedMs: number = deliveriesKeptMs): Promise<number> {
  const now = clock.now();
  const keptMs = Math.min(deliveriesKeptMs, completedMs);
  let removed = 0;
  for (const collection of Object.keys(spent) as CollectionName[]) {
    const isSpent = spent[collection] as (document: never, now: number, keptMs: number) => boolean;
    const where = (document: unknown): boolean => isSpent(document as never, now, keptMs);
    for (let found = batch; found === batch; removed += found) {
      const documents = await store.find(collection, { where, limit: batch });
      found = documents.length;
      if (found === 0) break;
      await store.transact(async (tx) => {
        for (const { id } of documents) tx.remove(collection, id);
      });
    }
  }
  return removed;
}

/** Begins at once and again every quarter of an hour; the function returned ends it, once what is under way is done. */
export function keepHouse(deps: OrphanDeps, retention: Retention): () => Promise<void> {
  const { store, clock, log } = deps;
  let cancel = () => {};
  let ended = false;
  const works: readonly (() => Promise<unknown>)[] = [
    () => sweep(store, clock, retention.completed),
    createPurge(deps, retention),
    () => collectOrphans(deps),
  ];
  const workAll = async (): Promise<void> => {
    for (const work of works) {
      if (ended) return;
      await work().catch((error: unknown) => log({ level: 'warn', event: 'housekeeping_failed', ...anatomyOf(error) }));
    }
    if (!ended) cancel = clock.schedule(clock.now() + everyMs, () => void (working = workAll()));
  };
  let working = workAll();
  return async () => {
    ended = true;
    cancel();
    await working;
  };
}
