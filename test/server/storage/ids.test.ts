/** Ids sort in order of creation, whatever the clock does. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { createIds, newestId } from '../../../server/storage/ids.ts';
import { createMemoryStore } from '../../../server/storage/memory/memory-documents.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { storedItem } from '../../support/stored-item.ts';

const start = Date.parse('2026-03-02T11:30:00Z');
const day = 24 * 3600 * 1000;

test('sort in order of creation over restarts, however the clock is set', async () => {
  const runs = fc.array(fc.record({ shift: fc.integer({ min: -3 * day, max: 3 * day }), ids: fc.nat(5) }), {
    minLength: 2,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(runs, async (starts) => {
      const store = createMemoryStore();
      const made: string[] = [];
      for (const { shift, ids: count } of starts) {
        const ids = createIds(manualClock(start + shift), { after: await newestId(store) });
        for (let n = 0; n < count; n++) {
          const id = ids('wli');
          made.push(id);
          await store.transact(async (tx) => tx.put('items', storedItem(id)));
        }
      }
      expect(made).toEqual(made.toSorted());
      expect(new Set(made).size).toBe(made.length);
    }),
    { numRuns: 50 },
  );
});

test('follow the clock as soon as it is later than the stored time', async () => {
  const store = createMemoryStore();
  expect(await newestId(store)).toBe(0);
  const before = createIds(manualClock(start))('wli');
  await store.transact(async (tx) => tx.put('items', storedItem(before)));
  expect(await newestId(store)).toBe(start);
  const after = createIds(manualClock(start + day), { after: await newestId(store) })('wli');
  expect(after).toMatch(new RegExp(`^${createIds(manualClock(start + day))('wli').slice(0, 14)}`));
});

test('do not follow what is no id of ours', async () => {
  const store = createMemoryStore();
  await store.transact(async (tx) => tx.put('settings', { id: 'wli_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', value: 1 }));
  expect(await newestId(store)).toBe(0);
});
