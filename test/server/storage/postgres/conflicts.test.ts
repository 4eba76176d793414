/** Transactions of two processes that meet: the outcome is that of some order, one after the other. */
import * as fc from '../../../support/properties.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PostgresStore } from '../../../../server/storage/postgres/postgres-store.ts';
import type { ItemChange } from '../../../../server/storage/feeds.ts';
import type { Store, Transaction } from '../../../../server/storage/store.ts';
import { addressIn, newSchema } from '../../../support/postgres-schemas.ts';
import { openProcess } from '../../../support/postgres-process.ts';
import { numbered, storedItem } from '../../../support/stored-item.ts';

let processes: readonly PostgresStore[];
let stores: readonly [Store, Store];

beforeAll(async () => {
  const address = addressIn(newSchema());
  const [one, other] = [await openProcess(address), await openProcess(address)];
  processes = [one, other];
  stores = [one.store, other.store];
});
afterAll(async () => {
  for (const { store } of processes) await store.close();
});
beforeEach(() => stores[0].replace((async function* () {})()));

const value = async (tx: Pick<Transaction, 'get'>, id: string): Promise<number> =>
  Number((await tx.get('settings', id))?.value ?? 0);

const change = (version: number): ItemChange => ({
  space: 'local',
  id: numbered(version),
  accession_number: null,
  status: 'new',
  version,
  change: 'inserted',
});

/** By which process, and of few things, so that they meet. */
const act = fc.record({
  by: fc.constantFrom(0 as const, 1 as const),
  kind: fc.constantFrom('add', 'move', 'shift', 'name', 'rename', 'scan'),
  one: fc.nat(2),
  other: fc.nat(2),
});
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const accounts = ['a', 'b', 'c'] as const;
const names = ['A1', 'A2', 'A3'] as const;

/** Each keeps what holds for the whole: the sum, one on duty, names that are unique. */
const work: Readonly<Record<Act['kind'], (tx: Transaction, act: Act, nth: number) => Promise<void>>> = {
  async add(tx) {
    tx.put('settings', { id: 'count', value: (await value(tx, 'count')) + 1 });
  },
  async move(tx, { one, other }) {
    if (one === other) return;
    const [from, to] = [accounts[one] ?? 'a', accounts[other] ?? 'a'];
    const [left, right] = await Promise.all([value(tx, from), value(tx, to)]);
    tx.put('settings', { id: from, value: left - 1 });
    tx.put('settings', { id: to, value: right + 1 });
  },
  // Write skew: each looks at both, and changes one.
  async shift(tx, { one }) {
    const [first, second] = [await value(tx, 'duty 0'), await value(tx, 'duty 1')];
    const own = one % 2;
    if (first + second < 2) return tx.put('settings', { id: `duty ${own}`, value: 1 });
    tx.put('settings', { id: `duty ${own}`, value: 0 });
  },
  async name(tx, { one }, nth) {
    const accession = names[one] ?? 'A1';
    const [known] = await tx.findEach('items', 'accession', 'local', [accession]);
    if (!known) tx.put('items', storedItem(numbered(nth), { accession_number: accession }));
  },
  async rename(tx, { one, other }) {
    const [from, to] = [names[one] ?? 'A1', names[other] ?? 'A1'];
    const by = (accession: string) => ({ is: { space: 'local', accession } });
    const [[item], taken] = await Promise.all([tx.find('items', by(from)), tx.find('items', by(to))]);
    if (item && taken.length === 0) tx.put('items', { ...item, accession_number: to, version: item.version + 1 });
  },
  // A collection of settings that is read whole: at most three are allowed.
  async scan(tx, _act, nth) {
    const templates = await tx.find('webhooks', { is: { space: 'local' } });
    if (templates.length < 3) tx.put('webhooks', { id: `hook ${nth}`, space: 'local' } as never);
  },
};

test('no update is lost, no rule broken, no name given twice, and both hear all changes in one order', async () => {
  let met = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60 }), async (acts) => {
      await stores[0].replace((async function* () {})());
      const before = await stores[0].transact(async (tx) => {
        for (const id of accounts) tx.put('settings', { id, value: 100 });
        for (const id of ['duty 0', 'duty 1']) tx.put('settings', { id, value: 1 });
      });
      expect(before).toBeUndefined();
      const heard: [number[], number[]] = [[], []];
      const ends = stores.map((store, at) =>
        store.subscribe('items', (changes) => void heard[at]?.push(...changes.map(({ version }) => version))),
      );
      let runs = 0;
      await Promise.all(
        acts.map((each, nth) =>
          stores[each.by].transact(async (tx) => {
            runs++;
            await work[each.kind](tx, each, nth + 1);
            tx.publish('items', change(nth));
          }),
        ),
      );
      met += runs - acts.length;
      const [store] = stores;
      const all = new Map((await store.find('settings', {})).map(({ id, value: is }) => [id, Number(is)]));
      expect(all.get('count') ?? 0).toBe(acts.filter(({ kind }) => kind === 'add').length);
      expect(accounts.reduce((sum, id) => sum + (all.get(id) ?? 0), 0)).toBe(300);
      expect((all.get('duty 0') ?? 0) + (all.get('duty 1') ?? 0)).toBeGreaterThanOrEqual(1);
      const given = (await store.find('items', {})).map(({ accession_number: name }) => name);
      expect(new Set(given).size).toBe(given.length);
      expect(await store.count('webhooks')).toBeLessThanOrEqual(3);
      await expect.poll(() => heard.map(({ length }) => length)).toEqual([acts.length, acts.length]);
      expect(heard[0]).toEqual(heard[1]);
      expect(heard[0].toSorted((a, b) => a - b)).toEqual(acts.map((_, nth) => nth));
      for (const end of ends) end();
    }),
    { numRuns: 6 },
  );
  expect(met).toBeGreaterThan(10);
});
