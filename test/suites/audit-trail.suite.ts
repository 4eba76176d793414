/** The audit trail over a store: sound as it was written, and broken by whatever somebody changes in it. */
import * as fc from '../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { openTrail } from '../../server/operations/audit/audited-store.ts';
import { listEntries } from '../../server/operations/audit/read-trail.ts';
import { appendFacts, hashOf, readHead } from '../../server/operations/audit/trail.ts';
import type { Fact } from '../../server/operations/audit/trail.ts';
import { verifyTrail } from '../../server/operations/audit/verify-trail.ts';
import { serviceActor } from '../../server/storage/actor.ts';
import type { Store } from '../../server/storage/store.ts';
import type { OpenedStores } from '../../server/storage/stores.ts';
import { manualClock } from '../../src/domain/clock.ts';
import { workTwice } from '../support/work-twice.ts';
import { numbered, storedItem } from '../support/stored-item.ts';

const fact = (nth: number): Fact => ({
  ...serviceActor('records.get', { user_id: `usr_${nth % 3}` }),
  at: new Date(nth * 1000).toISOString(),
  kind: 'records',
  ids: [`rec_${nth}`, 'rec_same'],
  outcome: nth % 5 === 0 ? 'refused' : 'done',
});

const idOfNumber = (number: number): string => `aud_${String(number).padStart(12, '0')}`;

async function emptied(store: Store): Promise<void> {
  await store.transact(async (tx) => {
    for (const { id } of await tx.find('audit', {})) tx.remove('audit', id);
    for (const { id } of await tx.find('audit_head', {})) tx.remove('audit_head', id);
  });
}

async function filled(store: Store, count: number): Promise<void> {
  await emptied(store);
  const facts = Array.from({ length: count }, (_, nth) => fact(nth + 1));
  await store.transact((tx) => appendFacts(tx, facts.slice(0, count / 2)));
  await store.transact((tx) => appendFacts(tx, facts.slice(count / 2)));
}

const trailOf = (store: Store) =>
  openTrail(store, { clock: manualClock(0), log: () => undefined, enterFacts: appendFacts });

type Tampering = (store: Store, number: number, other: number) => Promise<void>;

const change =
  (fields: object): Tampering =>
  async (store, number) => {
    await store.transact(async (tx) => tx.put('audit', { ...(await tx.get('audit', idOfNumber(number)))!, ...fields }));
  };

const tamperings: Readonly<Record<string, Tampering>> = {
  'who is changed': change({ user_id: 'usr_somebody_else' }),
  'a document is taken out': change({ ids: [] }),
  'the time is changed': change({ at: '1999-01-01T00:00:00.000Z' }),
  'the outcome is changed': change({ outcome: 'done', action: 'records.list' }),
  'the link is changed': change({ previous: 'A'.repeat(43) }),
  'one is removed': (store, number) => store.transact(async (tx) => tx.remove('audit', idOfNumber(number))),
  'the end is cut off': (store, number) =>
    store.transact(async (tx) => {
      for (const { id } of await tx.find('audit', {})) if (id >= idOfNumber(number)) tx.remove('audit', id);
    }),
  'all are removed': (store) =>
    store.transact(async (tx) => {
      for (const { id } of await tx.find('audit', {})) tx.remove('audit', id);
    }),
  'two change places': (store, number, other) =>
    store.transact(async (tx) => {
      const [one, two] = [(await tx.get('audit', idOfNumber(number)))!, (await tx.get('audit', idOfNumber(other)))!];
      tx.put('audit', { ...one, id: two.id, number: two.number });
      tx.put('audit', { ...two, id: one.id, number: one.number });
    }),
  'one is put in, and the rest moves on': (store, number) =>
    store.transact(async (tx) => {
      const all = await tx.find('audit', {});
      for (const entry of all) {
        if (entry.number < number) continue;
        tx.put('audit', { ...entry, id: idOfNumber(entry.number + 1), number: entry.number + 1 });
      }
    }),
  'one is put behind the end': (store) =>
    store.transact(async (tx) => {
      const { number, hash } = await readHead(tx);
      tx.put('audit', { ...fact(99), id: idOfNumber(number + 1), number: number + 1, previous: hash });
    }),
};

/** The entry that the trail names as broken is the one that was touched, or stands beside it. */
export function describeAuditTrail(opened: () => Pick<OpenedStores, 'store' | 'blobs'>): void {
  const open = (): Store => opened().store;
  describe('audit trail', () => {
    test('is sound as it was written, however it was written', async () => {
      const store = open();
      await filled(store, 12);
      expect(await verifyTrail(opened())).toMatchObject({
        sound: true,
        entries: 12,
        head: { number: 12 },
        broken: null,
      });
      const head = await readHead(store);
      await store.transact((tx) =>
        appendFacts(tx, [{ ...fact(13), ids: Array.from({ length: 2500 }, (_, n) => `wli_${n}`) }]),
      );
      expect(await verifyTrail(opened(), head)).toMatchObject({ sound: true, entries: 15 });
      expect(await verifyTrail(opened(), { ...head, hash: 'B'.repeat(43) })).toMatchObject({ broken: { number: 12 } });
      expect(await verifyTrail(opened(), { number: 16, hash: head.hash })).toMatchObject({ broken: { number: 16 } });
    });

    test('shows any tampering, and where it begins', async () => {
      const store = open();
      const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 2, maxLength: 2 });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.keys(tamperings)),
          numbers,
          async (name, [number = 1, other = 2]) => {
            await filled(store, 8);
            const before = await store.find('audit', {});
            await tamperings[name]!(store, number, other);
            // What leaves everything as it was is no tampering.
            fc.pre(JSON.stringify(await store.find('audit', {})) !== JSON.stringify(before));
            const { sound, broken } = await verifyTrail(opened());
            expect(sound, name).toBe(false);
            expect(broken!.number).toBeGreaterThanOrEqual(name === 'all are removed' ? 1 : Math.min(number, other) - 1);
          },
        ),
        { numRuns: 60 },
      );
    });

    test('the head shows entries rewritten from the middle on, where it was noted', async () => {
      const store = open();
      await filled(store, 6);
      const noted = await readHead(store);
      // Somebody who can write everything makes a trail that is sound in itself.
      await emptied(store);
      await store.transact((tx) => appendFacts(tx, [1, 2, 3, 7, 5, 6].map(fact)));
      expect(await verifyTrail(opened())).toMatchObject({ sound: true });
      expect(await verifyTrail(opened(), noted)).toMatchObject({ sound: false, broken: { number: 6 } });
    });

    test('an entry is written by the same commit that it describes, or not at all', async () => {
      const store = open();
      await emptied(store);
      const { store: audited } = trailOf(workTwice(store));
      const actor = () => serviceActor('worklists.setStatus');
      const put = (nth: number) => audited.transact(async (tx) => tx.put('items', storedItem(numbered(nth))), actor);
      await Promise.all([1, 2, 3].map(put));
      await audited
        .transact(async (tx) => {
          tx.put('items', storedItem(numbered(4)));
          throw new Error('refused');
        })
        .catch(() => undefined);
      const { items } = await listEntries(opened(), {});
      expect(items.map(({ number, ids }) => [number, ids.length])).toEqual([
        [3, 1],
        [2, 1],
        [1, 1],
      ]);
      expect(items[1]!.previous).toBe(hashOf(items[2]!));
      expect(await verifyTrail(opened())).toMatchObject({ sound: true });
      expect((await listEntries(opened(), { id: items[1]!.ids[0]! })).items).toEqual([items[1]]);
      expect(await listEntries(opened(), { limit: 2 })).toMatchObject({
        items: [{ number: 3 }, { number: 2 }],
        next_before: 2,
      });
    });

    test('separate events of systems are entered together, and only accepted ones', async () => {
      const store = open();
      await emptied(store);
      const { store: audited, gathered } = trailOf(workTwice(store));
      const sender = (client_id: string) => () => ({
        ...serviceActor('worklists.ingest', { client_id }),
        request_id: `req_${client_id}`,
      });
      const put = (nth: number, client = 'ris') =>
        audited.transact(async (tx) => tx.put('items', storedItem(numbered(nth))), sender(client));
      for (const nth of [1, 2, 3]) await put(nth);
      await audited
        .transact(async (tx) => {
          tx.put('items', storedItem(numbered(4)));
          throw new Error('refused');
        }, sender('ris'))
        .catch(() => undefined);
      await put(5, 'pacs');
      await put(6);
      await gathered.flush();
      const { items } = await listEntries(opened(), {});
      const idsOf = (...numbers: number[]) => numbers.map((nth) => storedItem(numbered(nth)).id);
      expect(items.map(({ client_id, request_id, ids }) => [client_id, request_id, ids])).toEqual([
        ['ris', 'req_ris', idsOf(6)],
        ['pacs', 'req_pacs', idsOf(5)],
        ['ris', null, idsOf(1, 2, 3)],
      ]);
      expect(await verifyTrail(opened())).toMatchObject({ sound: true });
    });
  });
}
