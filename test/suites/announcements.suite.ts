/** What a store announces of its commits, to watchers of collections and subscribers of feeds: a part of the suite. */
import { expect, test } from 'vitest';
import type { ItemChange } from '../../server/storage/feeds.ts';
import type { Store } from '../../server/storage/store.ts';
import { numbered, storedItem } from '../support/stored-item.ts';

const failure = new Error('thrown by the work of the transaction');

/** `current`: the store of the present test. */
export function describeAnnouncements(current: () => Store): void {
  test('notifies the watcher of a collection of durable commits, and of no failed ones', async () => {
    const store = current();
    const heard: (readonly string[])[] = [];
    const stop = store.watch('settings', (ids) => void heard.push(ids));
    await store.transact(async (tx) => {
      tx.put('settings', { id: 'one', value: 1 });
      tx.put('settings', { id: 'two', value: 2 });
      tx.put('items', storedItem(numbered(1)));
    });
    await store.transact(async (tx) => tx.put('items', storedItem(numbered(2))));
    await expect(
      store.transact(async (tx) => {
        tx.put('settings', { id: 'three', value: 3 });
        throw failure;
      }),
    ).rejects.toThrow(failure);
    await store.transact(async (tx) => tx.remove('settings', 'one'));
    expect(heard).toEqual([['one', 'two'], ['one']]);
    stop();
    await store.transact(async (tx) => tx.remove('settings', 'two'));
    expect(heard).toHaveLength(2);
  });

  test('publishes what a transaction says once it is durable, to everybody in one order, and nothing of what failed', async () => {
    const store = current();
    const items: (readonly ItemChange[])[] = [];
    const others: typeof items = [];
    const change = (version: number): ItemChange => ({
      space: 'local',
      id: numbered(version),
      accession_number: null,
      status: 'new',
      version,
      change: 'inserted',
    });
    const stop = store.subscribe('items', (changes) => void items.push(changes));
    store.subscribe('items', (changes) => void others.push(changes));
    store.subscribe('records', () => expect.unreachable());
    await store.transact(async (tx) => {
      tx.publish('items', change(1));
      tx.put('items', storedItem(numbered(1)));
      tx.publish('items', change(2));
      expect(items).toEqual([]);
    });
    await store.transact(async (tx) => tx.put('items', storedItem(numbered(3))));
    await expect(
      store.transact(async (tx) => {
        tx.publish('items', change(4));
        throw failure;
      }),
    ).rejects.toThrow(failure);
    await Promise.all([5, 6, 7].map((version) => store.transact(async (tx) => tx.publish('items', change(version)))));
    await expect.poll(() => others).toHaveLength(4);
    expect(others[0]).toEqual([change(1), change(2)]);
    // In which order transactions commit that run at once is the store's affair.
    expect(new Set(others.slice(1).flat())).toEqual(new Set([5, 6, 7].map(change)));
    expect(items).toEqual(others);
    stop();
    await store.transact(async (tx) => tx.publish('items', change(8)));
    await expect.poll(() => others.at(-1)).toEqual([change(8)]);
    expect(items).toHaveLength(4);
  });
}
