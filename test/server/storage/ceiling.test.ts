/** What is refused when memory is nearly full, and what isn't. */
import { describe, expect, test } from 'vitest';
import { createCeiling, programBytes } from '../../../server/storage/ceiling.ts';
import { createMemoryStore } from '../../../server/storage/memory/memory-documents.ts';
import { createTables } from '../../../server/storage/transactions/tables.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { numbered, putItems, storedItem } from '../../support/stored-item.ts';

const full = { code: 'STORAGE_UNAVAILABLE', details: { full: 'memory' }, hint: expect.stringMatching(/--memory/) };

/** So that documents may take that many bytes before no new ones are taken. */
const memoryFor = (bytes: number): number => (programBytes + bytes) / 0.8;

/** Puts items until one is refused; gives how many were taken. */
async function fill(
  store: ReturnType<typeof createMemoryStore>,
  clock: { advance(ms: number): void },
): Promise<number> {
  for (let n = 0; n < 10_000; n++) {
    clock.advance(1000);
    const refusal = await putItems(store, storedItem(numbered(n))).catch((error: unknown) => error);
    if (refusal === undefined) continue;
    expect(refusal).toMatchObject(full);
    return n;
  }
  throw new Error('Nothing was refused.');
}

describe('when memory is nearly full', () => {
  const nearlyFull = async () => {
    const clock = manualClock(0);
    const log: string[] = [];
    const store = createMemoryStore({ memory: memoryFor(64 * 1024), clock, log: ({ event }) => void log.push(event) });
    return { store, clock, log, taken: await fill(store, clock) };
  };

  test('no new exam is taken, nothing of the commit happens, and reading goes on', async () => {
    const { store, taken, log } = await nearlyFull();
    expect(taken).toBeGreaterThan(10);
    expect(await store.count('items')).toBe(taken);
    const both = store.transact(async (tx) => {
      tx.put('settings', { id: 'beside', value: 1 });
      tx.put('items', storedItem(numbered(99_999)));
    });
    await expect(both).rejects.toMatchObject(full);
    expect(await store.get('settings', 'beside')).toBeUndefined();
    expect(await store.find('items', { limit: 1 })).toHaveLength(1);
    expect(log).toEqual(['memory_full']);
  });

  test('it says so when it is asked, and counts what it refused', async () => {
    const { store } = await nearlyFull();
    await expect(store.probe()).rejects.toMatchObject(full);
    expect(store.setbacks()).toBe(1);
  });

  test('existing entries can be changed and removed, and logins continue', async () => {
    const { store } = await nearlyFull();
    await putItems(store, storedItem(numbered(3), { version: 7 }));
    await store.transact(async (tx) => {
      tx.remove('items', numbered(4));
      tx.put('settings', { id: 'a', value: 1 });
    });
    expect(await store.get('items', numbered(3))).toMatchObject({ version: 7 });
  });

  test('it goes on by itself once enough was removed', async () => {
    const { store, clock, log, taken } = await nearlyFull();
    for (let n = 0; n < taken; n++) await store.transact(async (tx) => tx.remove('items', numbered(n)));
    clock.advance(1000);
    await putItems(store, storedItem(numbered(99_999)));
    await store.probe();
    expect(log).toEqual(['memory_full', 'memory_free']);
  });

  test('documents that would not fit with those stored are refused before all have arrived', async () => {
    const store = createMemoryStore({ memory: (programBytes + 256 * 1024) / 0.95 });
    let given = 0;
    async function* endless() {
      for (;;) yield { collection: 'items' as const, document: storedItem(numbered(given++)) };
    }
    await expect(store.replace(endless())).rejects.toMatchObject(full);
    expect(await store.count('items')).toBe(0);
    expect(() => store.requireRoom(2 ** 20)).toThrow(/no room/);
  });

  test('so it is where the heap is fuller than the memory', () => {
    const heap = { used_heap_size: 79, heap_size_limit: 100 };
    const clock = manualClock(0);
    const ceiling = createCeiling(createTables(), { memory: 2 ** 50, clock, log: () => {}, heap: () => heap });
    ceiling.check();
    heap.used_heap_size = 81;
    clock.advance(1000);
    expect(ceiling.check).toThrow(expect.objectContaining(full));
  });
});
