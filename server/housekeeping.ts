/** Removes what has expired, so that short-lived documents do not pile up. */
import type { Clock } from '../src/domain/clock.ts';
import { anatomyOf } from './plugins/errors.ts';
import type { Log } from './services.ts';
import type { CollectionName, Documents } from './store/collections.ts';
import type { Store } from './store/store.ts';

const everyMs = 15 * 60 * 1000;
/** Removed in one transaction at most. */
const batch = 1000;

const deliveriesKeptMs = 30 * 24 * 3600 * 1000;

const isExpired = ({ expires_at: end }: { expires_at: string }, now: number): boolean => Date.parse(end) < now;

/** Collection → which of its documents nobody will ask for again; `now` in ms since 1970. */
const spent: { readonly [C in CollectionName]?: (document: Documents[C], now: number) => boolean } = {
  codes: isExpired,
  refresh_tokens: isExpired,
  grants: isExpired,
  idempotency: isExpired,
  deliveries: ({ status, created_at: at }, now) => status !== 'pending' && Date.parse(at) < now - deliveriesKeptMs,
};

/** Removes what is spent, a batch of each collection; tells how many documents. */
export async function sweep(store: Store, clock: Clock): Promise<number> {
  const now = clock.now();
  let removed = 0;
  for (const collection of Object.keys(spent) as CollectionName[]) {
    const isSpent = spent[collection] as (document: never, at: number) => boolean;
    const found = await store.find(collection, { where: (document) => isSpent(document as never, now), limit: batch });
    if (found.length === 0) continue;
    await store.transact(async (tx) => {
      for (const { id } of found) tx.remove(collection, id);
    });
    removed += found.length;
  }
  return removed;
}

/** Sweeps every quarter of an hour; the function returned ends it. */
export function keepHouse(store: Store, clock: Clock, log: Log): () => void {
  let cancel = () => {};
  let ended = false;
  const arm = () => {
    if (ended) return;
    cancel = clock.schedule(clock.now() + everyMs, () => {
      sweep(store, clock)
        .catch((error: unknown) => log({ level: 'warn', event: 'housekeeping_failed', ...anatomyOf(error) }))
        .finally(arm);
    });
  };
  arm();
  return () => {
    ended = true;
    cancel();
  };
}
