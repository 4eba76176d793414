/** Removes expired documents, documents past their retention, and audio without a document. */
import type { Clock } from '../../../src/domain/clock.ts';
import type { Segmenter } from '../audit/segmenter.ts';
import { collectOrphans } from './orphans.ts';
import type { OrphanDeps } from './orphans.ts';
import type { SteadyTime } from '../../runtime/clock/steady-time.ts';
import { announcePurge, createPurge } from './retention.ts';
import type { Retention } from './retention.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { CollectionName } from '../../storage/collections.ts';
import type { Part } from '../../storage/members.ts';
import type { Conditions, Store } from '../../storage/store.ts';

const everyMs = 15 * 60 * 1000;
/** Age in ms of the remains of interrupted calls at which no process uses them any more. */
const remainsKeptMs = 24 * 3600 * 1000;
/** Maximum of documents per transaction. */
const batch = 1000;

/** Refused messages of channels wait for a person, and are kept. */
const endedStates = ['taken', 'delivered', 'dropped'] as const;
const deliveriesKeptMs = 30 * 24 * 3600 * 1000;

/** Expire at a fixed hour: a clock that is ahead ends them even if they are kept, and clients simply get new ones. */
const logins = ['codes', 'refresh_tokens', 'grants', 'devices', 'assertions'] as const;
const expiring = [...logins, 'idempotency', 'told_patients'] as const;

const expiredAt = (now: number) => ({ expires: { from: -Infinity, to: now - 1 } });

async function sweepLogins(store: Store, clock: Clock): Promise<void> {
  for (const collection of logins) await removeAll(store, collection, { during: expiredAt(clock.now()) });
}

/** Removes expired documents, and old deliveries and messages, which never outlive completed exams; returns their number. */
export async function sweep(store: Store, clock: Clock, completedMs: number = deliveriesKeptMs): Promise<number> {
  const now = clock.now();
  const kept = now - Math.min(deliveriesKeptMs, completedMs);
  const old = { created: { from: -Infinity, to: kept - 1 } };
  let removed = 0;
  for (const collection of expiring) removed += await removeAll(store, collection, { during: expiredAt(now) });
  for (const status of ['delivered', 'failed'] as const) {
    removed += await removeAll(store, 'deliveries', { is: { status }, during: old });
  }
  for (const state of endedStates) {
    const during = { changed: { from: -Infinity, to: kept - 1 } };
    removed += await removeAll(store, 'messages', { is: { state }, during });
  }
  return removed;
}

async function removeAll<C extends CollectionName>(
  store: Store,
  collection: C,
  conditions: Conditions<C>,
): Promise<number> {
  for (let removed = 0; ;) {
    const documents = await store.find(collection, { ...conditions, limit: batch });
    if (documents.length === 0) return removed;
    await store.transact(async (tx) => {
      for (const { id } of documents) tx.remove(collection, id);
    });
    removed += documents.length;
  }
}

export interface Housekeeping extends Part {
  idle(): Promise<void>;
}

/**
 * Runs at once and then every quarter of an hour, and cleans up once the clock can be trusted; before that it announces removals.
 * `start` doesn't wait for the first round. `stop` ends it after the work in progress; `idle` waits for that work.
 */
export function createHousekeeping(
  deps: OrphanDeps & { readonly segmenter?: Segmenter | undefined },
  retention: Retention,
  steady: SteadyTime,
): Housekeeping {
  const { store, clock, log } = deps;
  let cancel = () => {};
  let isRunning = false;
  let working = Promise.resolve();
  let announced: string | undefined;
  const cleaning: readonly (() => Promise<unknown>)[] = [
    () => sweep(store, clock, retention.completed),
    createPurge(deps, retention),
    () => collectOrphans(deps),
    () => deps.blobs.tidy(clock.now() - remainsKeptMs),
  ];
  /** Once per reason. */
  const announce = async (wait: number): Promise<void> => {
    const reason = steady.reason();
    if (announced === reason) return;
    announced = reason;
    await announcePurge(deps, retention, { wait, reason });
  };
  const workAll = async (): Promise<void> => {
    // Removes nothing, so it does not depend on the clock.
    await deps.segmenter?.run();
    const wait = steady.wait();
    if (wait === 0) announced = undefined;
    for (const work of wait > 0 ? [() => sweepLogins(store, clock), () => announce(wait)] : cleaning) {
      if (!isRunning) return;
      await work().catch((error: unknown) =>
        log({ level: 'warn', event: 'housekeeping_failed', ...describeError(error) }),
      );
    }
    if (isRunning) cancel = clock.schedule(clock.now() + everyMs, () => (working = workAll()));
  };
  return {
    idle: () => working,
    async start() {
      if (isRunning) return;
      isRunning = true;
      working = workAll();
    },
    async stop() {
      isRunning = false;
      cancel();
      await working;
    },
  };
}
