/** Facts of several members that get their numbers after their commit. */
import { expect, test } from 'vitest';
import { createChain, createFactStore } from '../../../../server/operations/audit/chain.ts';
import { createMemoryStore } from '../../../../server/storage/memory/memory-documents.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { begin, fact } from './trails.ts';

test('a reader waits for all facts that are stored, whichever is numbered first, and reads all of them once', async () => {
  const real = createMemoryStore({ clock: manualClock(begin) });
  let reads = 0;
  const store: Store = {
    ...real,
    find(collection, query) {
      reads += 1;
      return real.find(collection, query);
    },
  };
  // The clock of the second member is behind.
  for (const [nth, id] of ['auf_2', 'auf_1'].entries())
    await store.transact((tx) => createFactStore(() => id)(tx, [fact(nth)]));
  // Another member numbers.
  const chain = createChain(store, () => {});
  let isSettled = false;
  const settled = chain.settled().then(() => (isSettled = true));
  for (const [id, isLast] of [
    ['auf_2', false],
    ['auf_1', true],
  ] as const) {
    await store.transact(async (tx) => tx.remove('audit_facts', id));
    if (isLast) await settled;
    else await new Promise((resolve) => setImmediate(resolve));
    expect(isSettled).toBe(isLast);
  }
  expect(reads).toBe(1);
});
