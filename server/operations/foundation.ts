/** The foundation of the server's parts: the store with its trail and its changes, the other members, and the ids of documents. */
import type { Clock } from '../../src/domain/clock.ts';
import { openTrail } from './audit/audited-store.ts';
import { createChain, createFactStore } from './audit/chain.ts';
import { openSegmenter } from './audit/segmenter.ts';
import { appendFacts } from './audit/trail.ts';
import { createHeldBlobs } from './maintenance/held-blobs.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createSteadyTime } from '../runtime/clock/steady-time.ts';
import type { Log } from '../runtime/log.ts';
import { randomnessFor } from '../runtime/randomness.ts';
import { createLoneCounters } from '../storage/counters.ts';
import { createIds, newestId } from '../storage/ids.ts';
import { createLoneMember, underLease } from '../storage/members.ts';
import { openFeed } from '../storage/open-feed.ts';
import type { OpenedStores } from '../storage/stores.ts';

interface FoundationOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly seed?: string;
}

export async function createFoundation(
  { clock, log, seed }: FoundationOptions,
  opened: OpenedStores & { readonly metrics: Metrics },
) {
  const measureCommit = (ms: number): void => opened.metrics.commits.observe(ms / 1000);
  const newest = await newestId(opened.store);
  const steady = createSteadyTime(clock, newest);
  const randomness = randomnessFor(seed);
  const members = opened.members ?? createLoneMember(randomness('member').bytes(9).toString('base64url'));
  const counters = opened.counters ?? createLoneCounters(clock);
  const blobs = createHeldBlobs(opened.blobs, members);
  const ids = createIds(clock, { after: newest, randomness });
  // A backup of several members may hold facts without a number, whichever store takes it over.
  const chain = underLease({ store: opened.store, members }, 'chain', (leased) => createChain(leased, log));
  const { store, gathered } = openTrail(opened.store, {
    clock,
    log,
    // Commits of several members would wait for the one head of the trail.
    enterFacts: opened.members ? createFactStore(ids) : appendFacts,
    settled: chain.settled,
    measureCommit,
    readWritten: (tx, written) => opened.metrics.readWritten(tx, written),
  });
  const segmenter = openSegmenter(
    { store, blobs, clock, log, newest, ...(opened.members && { isOurs: chain.works }) },
    opened.forgets,
  );
  // Seeds the run ids. A store with documents was changed in earlier runs.
  const runs = randomness(`runs after ${newest}`);
  const newRun = (): string => runs.bytes(6).toString('base64url');
  const feed = await openFeed(store, 'items', newRun);
  const recordFeed = await openFeed(store, 'records', newRun);
  const common = { store, members, counters, clock, ids, log };
  return { ...common, common, gathered, chain, blobs, newest, steady, randomness, segmenter, feed, recordFeed };
}

export type Foundation = Awaited<ReturnType<typeof createFoundation>>;
