/** What every store of documents has to do, whichever it is. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from '../support/properties.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAll, scan } from '../../server/storage/scan.ts';
import { unnumbered } from '../../server/storage/store.ts';
import type { Query, Reader, Store } from '../../server/storage/store.ts';
import type { WorklistStatus } from '../../src/contract/worklist.ts';
import { describeAuditTrail } from './audit-trail.suite.ts';
import { describeAnnouncements } from './announcements.suite.ts';
import { describeDurableReads } from './durable-reads.suite.ts';
import type { OpenUnsteady } from './durable-reads.suite.ts';
import { describeWholeStore } from './whole-store.suite.ts';
import { expectSame, itemWrite, noteWrite, putWrite } from '../support/item-model.ts';
import type { ItemModel } from '../support/item-model.ts';
import { idsOf, numbered, putItems, storedItem } from '../support/stored-item.ts';
import type { OpenStores } from '../support/open-stores.ts';

const failure = new Error('thrown by the work of the transaction');

export interface StoreTraits {
  /** Whether what was committed is there again when the same directory is opened later. */
  readonly persistent: boolean;
  /** Opens it on a disk that fails when it is told to, where it has a disk. */
  readonly openUnsteady?: OpenUnsteady;
}

export function describeStore(name: string, open: OpenStores, { persistent, openUnsteady }: StoreTraits): void {
  describe(`store ${name}`, () => {
    let directory: string;
    let opened: Awaited<ReturnType<OpenStores>>;
    let store: Store;

    const reopen = async (): Promise<void> => {
      await opened.close();
      opened = await open({ directory });
      store = opened.store;
    };

    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'laudio-store-'));
      opened = await open({ directory });
      store = opened.store;
    });
    afterEach(async () => {
      await opened.close();
      await rm(directory, { recursive: true });
    });

    test('says its name', () => expect(store.name).toBe(name));

    test('numbers its commits in their order, and goes on from its items when it is opened again', async () => {
      const numbers: number[] = [];
      const putItem = (commit: number) =>
        store.transact(async (tx) => tx.put('items', { ...storedItem(numbered(1)), commit }));
      const put = async (): Promise<void> => {
        await putItem(unnumbered);
        numbers.push((await store.get('items', numbered(1)))?.commit ?? 0);
      };
      await put();
      await put();
      expect(await store.commits()).toEqual({ from: 0, to: numbers[1] });
      await store.transact(async (tx) => tx.put('settings', { id: 'one', value: 1 }));
      await putItem(numbers[1] ?? 0);
      expect((await store.commits()).to).toBe(numbers[1]);
      if (persistent) {
        await reopen();
        expect(await store.commits()).toEqual({ from: 0, to: numbers[1] });
      }
      await put();
      await store.overhaul(async () => {});
      expect((await store.commits()).from).toBeGreaterThan(numbers[2]!);
      await put();
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    });

    describeAnnouncements(() => store);

    describe('transactions', () => {
      test('give their result, and all they wrote is there', async () => {
        const result = await store.transact(async (tx) => {
          tx.put('settings', { id: 'one', value: 1 });
          tx.put('settings', { id: 'two', value: [2, null, 'ü'] });
          tx.put('items', storedItem(numbered(1)));
          return 42;
        });
        expect(result).toBe(42);
        expect(await store.get('settings', 'two')).toEqual({ id: 'two', value: [2, null, 'ü'] });
        expect(await store.count('settings')).toBe(2);
        expect(await store.get('items', numbered(1))).toEqual(storedItem(numbered(1)));
        expect(await store.get('items', 'one')).toBeUndefined();
      });

      test('let one in of many who each add what they found missing: names are unique by that', async () => {
        const by = { is: { space: 'local', accession: 'A1' } } as const;
        const attempts = Array.from({ length: 10 }, (_, n) =>
          store.transact(async (tx) => {
            if ((await tx.find('items', by)).length > 0) return false;
            tx.put('items', storedItem(numbered(n), { accession_number: 'A1' }));
            return true;
          }),
        );
        expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
        expect(await store.find('items', by)).toHaveLength(1);
      });

      test('leave nothing behind when their work throws', async () => {
        await putItems(store, storedItem(numbered(1), { accession_number: 'A1' }));
        const attempt = store.transact(async (tx) => {
          tx.put('items', storedItem(numbered(1), { accession_number: 'A2' }));
          tx.put('items', storedItem(numbered(2), { accession_number: 'A3' }));
          tx.put('settings', { id: 'one', value: 1 });
          await tx.find('items', {});
          throw failure;
        });
        await expect(attempt).rejects.toBe(failure);
        expect(await store.find('items', {})).toEqual([storedItem(numbered(1), { accession_number: 'A1' })]);
        expect(await store.count('settings')).toBe(0);
        for (const [accession, ids] of [
          ['A1', [numbered(1)]],
          ['A2', []],
          ['A3', []],
        ] as const) {
          expect(idsOf(await store.find('items', { is: { space: 'local', accession } }))).toEqual(ids);
        }
      });

      test('show nothing to others before they commit', async () => {
        await store.transact(async (tx) => {
          tx.put('settings', { id: 'one', value: 1 });
          expect(await store.get('settings', 'one')).toBeUndefined();
          expect(await store.count('settings')).toBe(0);
          expect(await store.find('settings', {})).toEqual([]);
        });
        expect(await store.get('settings', 'one')).toEqual({ id: 'one', value: 1 });
      });

      test('do not lose updates of each other', async () => {
        const increment = (): Promise<void> =>
          store.transact(async (tx) => {
            const value = ((await tx.get('settings', 'counter'))?.value as number | undefined) ?? 0;
            await Promise.resolve();
            tx.put('settings', { id: 'counter', value: value + 1 });
          });
        await Promise.all(Array.from({ length: 100 }, increment));
        expect(await store.get('settings', 'counter')).toEqual({ id: 'counter', value: 100 });
      });

      test('go on after one that threw', async () => {
        const outcomes = await Promise.allSettled([
          store.transact(async () => Promise.reject(failure)),
          store.transact(async (tx) => tx.put('settings', { id: 'one', value: 1 })),
        ]);
        expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
        expect(await store.count('settings')).toBe(1);
      });

      test.each([0, 200])('see their own writes, by every index, with %i others', async (others) => {
        await putItems(
          store,
          storedItem(numbered(1), { accession_number: 'A1' }),
          storedItem(numbered(3), { accession_number: 'A3' }),
          storedItem(numbered(5), { accession_number: 'A5' }),
        );
        await store.transact(async (tx) => {
          for (let other = 0; other < others; other++) {
            tx.put('items', storedItem(numbered(10 + other)));
            tx.remove('items', numbered(10 + other));
          }
          tx.put('items', storedItem(numbered(4), { accession_number: 'A4' }));
          expect(idsOf(await tx.find('items', { is: { space: 'local', accession: 'A4' } }))).toEqual([numbered(4)]);
          tx.put('items', storedItem(numbered(3), { accession_number: 'A4' }));
          tx.remove('items', numbered(1));
          tx.put('items', storedItem(numbered(6)));
          tx.remove('items', numbered(6));
          tx.remove('items', numbered(7));
          const find = async (accession: string): Promise<string[]> =>
            idsOf(await tx.find('items', { is: { space: 'local', accession } }));
          expect(await find('A4')).toEqual([numbered(4), numbered(3)]);
          expect(await find('A3')).toEqual([]);
          expect(await find('A1')).toEqual([]);
          expect(idsOf(await tx.find('items', {}))).toEqual([5, 4, 3].map(numbered));
          expect(idsOf(await tx.find('items', { before: numbered(5), limit: 1 }))).toEqual([numbered(4)]);
          expect(await tx.get('items', numbered(1))).toBeUndefined();
          expect((await tx.get('items', numbered(3)))?.accession_number).toBe('A4');
          expect(await tx.count('items')).toBe(3);
        });
        expect(idsOf(await store.find('items', {}))).toEqual([5, 4, 3].map(numbered));
        expect(await store.count('items')).toBe(3);
      });

      test('cannot be used after their end', async () => {
        const kept = await store.transact(async (tx) => ({ tx }));
        expect(() => kept.tx.put('settings', { id: 'late', value: 1 })).toThrow('after its end');
        await expect(kept.tx.get('settings', 'late')).rejects.toThrow('after its end');
        expect(await store.count('settings')).toBe(0);
      });
    });

    describe('find', () => {
      const inStatus = (status: WorklistStatus) => ({ is: { space: 'local', status } }) as const;

      test('follows a document whose key changes', async () => {
        await putItems(store, storedItem(numbered(1)), storedItem(numbered(2)));
        await putItems(store, storedItem(numbered(1), { status: 'completed' }));
        expect(idsOf(await store.find('items', inStatus('new')))).toEqual([numbered(2)]);
        expect(idsOf(await store.find('items', inStatus('completed')))).toEqual([numbered(1)]);
        await store.transact(async (tx) => tx.remove('items', numbered(1)));
        expect(await store.find('items', inStatus('completed'))).toEqual([]);
      });

      test('leaves out documents without a key, until they get one', async () => {
        const withKey = { is: { space: 'local', accession: 'A1' } };
        await putItems(store, storedItem(numbered(1)));
        expect(await store.find('items', withKey)).toEqual([]);
        await putItems(store, storedItem(numbered(1), { accession_number: 'A1' }));
        expect(await store.find('items', withKey)).toHaveLength(1);
        await putItems(store, storedItem(numbered(1)));
        expect(await store.find('items', withKey)).toEqual([]);
        expect(await store.count('items')).toBe(1);
      });

      test('keeps spaces apart', async () => {
        await putItems(store, storedItem(numbered(1)), storedItem(numbered(2), { space: 'other' }));
        expect(idsOf(await store.find('items', { is: { space: 'other' } }))).toEqual([numbered(2)]);
        expect(idsOf(await store.find('items', inStatus('new')))).toEqual([numbered(1)]);
      });

      test('goes newest first, in whatever order the documents came', async () => {
        const order = Array.from({ length: 3000 }, (_, n) => (n * 1789) % 3000);
        await putItems(store, ...order.map((n) => storedItem(numbered(n))));
        const expected = order.map((_, n) => numbered(2999 - n));
        expect(idsOf(await store.find('items', {}))).toEqual(expected);
        expect(idsOf(await store.find('items', inStatus('new')))).toEqual(expected);
        expect(idsOf(await store.find('items', { before: numbered(1500), limit: 3 }))).toEqual(
          [1499, 1498, 1497].map(numbered),
        );
        expect(await store.find('items', { before: numbered(0) })).toEqual([]);
        expect(await store.find('items', { limit: 0 })).toEqual([]);
      });

      test('is read in pieces, each document once, also where some go meanwhile; counts may be estimates', async () => {
        await putItems(store, ...Array.from({ length: 1200 }, (_, n) => storedItem(numbered(n))));
        const seen: string[] = [];
        for await (const { id } of scan(store, 'items', inStatus('new'))) {
          if (seen.length === 600) await store.transact(async (tx) => tx.remove('items', numbered(3)));
          seen.push(id);
        }
        const expected = Array.from({ length: 1200 }, (_, n) => numbered(1199 - n)).filter((id) => id !== numbered(3));
        expect(seen).toEqual(expected);
        expect(idsOf(await readAll(store, 'items', inStatus('completed')))).toEqual([]);
        expect(await store.count('items', { roughly: true })).toBeGreaterThanOrEqual(0);
      });

      test('gives the newest document under each of many names, in their order, with the writes of the transaction', async () => {
        const item = (n: number, accession: string) => storedItem(numbered(n), { accession_number: accession });
        await putItems(store, item(1, 'A1'), item(2, 'A1'), item(3, 'A3'));
        const names = ['A3', 'A2', 'A1', 'A1'];
        const idsUnder = async (reader: Reader): Promise<(string | undefined)[]> =>
          (await reader.findEach('items', 'accession', 'local', names)).map((found) => found?.id);
        expect(await idsUnder(store)).toEqual([numbered(3), undefined, numbered(2), numbered(2)]);
        await store.transact(async (tx) => {
          tx.put('items', item(4, 'A2'));
          tx.remove('items', numbered(2));
          expect(await idsUnder(tx)).toEqual([numbered(3), numbered(4), numbered(1), numbered(1)]);
        });
        expect(await store.findEach('items', 'accession', 'local', [])).toEqual([]);
        expect(await store.findEach('items', 'accession', 'elsewhere', ['A1'])).toEqual([undefined]);
      });

      test('goes newest first through a period, with the writes of the transaction', async () => {
        const onDay = (n: number, changes = {}) =>
          storedItem(numbered(n), { exam_datetime: `2026-03-0${(n * 5) % 7}T08:00:00-03:00`, ...changes });
        const between = (from: string, to: string) => ({
          is: { space: 'local' },
          during: { exam: { from: Date.parse(from), to: Date.parse(to) } },
        });
        const third = between('2026-03-02T08:00:00-03:00', '2026-03-04T08:00:00-03:00');
        const expected = (from: number, to: number): string[] =>
          Array.from({ length: from - to }, (_, i) => from - i)
            .filter((n) => [2, 3, 4].includes((n * 5) % 7))
            .map(numbered);
        await putItems(store, ...Array.from({ length: 100 }, (_, n) => onDay((n * 37) % 100)));
        await putItems(store, onDay(101, { space: 'other', exam_datetime: '2026-03-03T08:00:00-03:00' }));
        expect(idsOf(await store.find('items', third))).toEqual(expected(99, -1));
        expect(idsOf(await store.find('items', { ...third, before: numbered(50), limit: 4 }))).toEqual(
          expected(49, -1).slice(0, 4),
        );
        await store.transact(async (tx) => {
          for (let n = 102; n < 110; n++) tx.put('items', onDay(n));
          const [newest] = expected(109, 101);
          tx.remove('items', newest!);
          expect(idsOf(await tx.find('items', third))).toEqual([
            ...expected(109, 101).filter((id) => id !== newest),
            ...expected(99, -1),
          ]);
        });
        expect(await store.find('items', between('2026-03-04T08:00:01-03:00', '2026-03-05T07:59:59-03:00'))).toEqual(
          [],
        );
      });

      test('applies the conditions before the limit', async () => {
        const changes = (n: number) =>
          ({ status: n % 2 ? 'completed' : 'new', modality: n % 5 ? 'CT' : 'MR' }) as const;
        await putItems(store, ...Array.from({ length: 40 }, (_, n) => storedItem(numbered(n), changes(n))));
        const found = await store.find('items', { is: { status: 'new', modality: 'MR' }, limit: 3 });
        expect(idsOf(found)).toEqual([30, 20, 10].map(numbered));
      });

      test('refuses an index that is not declared, of another kind, or without its space', async () => {
        const bad: readonly Query<'items'>[] = [
          { is: { unknown: 'x' } as never },
          { is: { toString: 'x' } as never },
          { is: { exam: 'x' } as never },
          { during: { status: { from: 0, to: 1 } } as never },
          { is: { accession: 'A1' } },
        ];
        for (const query of bad) await expect(store.find('items', query)).rejects.toThrow(TypeError);
        await expect(store.find('history', { text: 'x' })).rejects.toThrow(TypeError);
        expect(await store.find('items', { is: { accession: undefined }, text: undefined })).toEqual([]);
      });

      test('pages neither skip nor repeat while documents come and go', async () => {
        await putItems(store, ...Array.from({ length: 60 }, (_, n) => storedItem(numbered(2 * n + 100))));
        const seen: string[] = [];
        for (let round = 0; ; round++) {
          const before = seen.at(-1);
          const page = await store.find('items', {
            ...inStatus('new'),
            limit: 7,
            ...(before === undefined ? {} : { before }),
          });
          if (page.length === 0) break;
          seen.push(...idsOf(page));
          await store.transact(async (tx) => {
            tx.put('items', storedItem(numbered(1000 + round)));
            // The very one where the next page goes on, and one that was shown.
            tx.remove('items', seen.at(-1)!);
            tx.remove('items', seen.at(-3)!);
          });
        }
        expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => numbered(218 - 2 * n)));
      });
    });

    describeAuditTrail(() => opened);
    describeWholeStore({ store: () => store, reopen: persistent ? reopen : undefined });

    if (openUnsteady) describeDurableReads(openUnsteady);

    test('behaves as a plain map would, whatever is done to it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
          await store.transact(async (tx) => {
            for (const { id } of await tx.find('items', {})) tx.remove('items', id);
          });
          let model: ItemModel = new Map();
          for (const { writes, end } of operations) {
            if (end === 'reopen') {
              if (persistent) await reopen();
            } else {
              const draft = new Map(model);
              const attempt = store.transact(async (tx) => {
                for (const each of writes) {
                  putWrite(tx, each);
                  noteWrite(draft, each);
                  await expectSame(tx, draft);
                }
                if (end === 'throw') throw failure;
              });
              if (end === 'throw') await expect(attempt).rejects.toBe(failure);
              else await attempt;
              if (end === 'commit') model = draft;
            }
            await expectSame(store, model);
          }
        }),
        { numRuns: 20 },
      );
    });

    test(persistent ? 'has everything again when it is opened again' : 'is empty when it is opened again', async () => {
      await putItems(
        store,
        ...Array.from({ length: 50 }, (_, n) => storedItem(numbered(n), { accession_number: `A${n}` })),
      );
      await store.transact(async (tx) => {
        tx.remove('items', numbered(7));
        tx.put('settings', { id: '__proto__', value: { nested: ['\u2028', '"', '\u0000'] } });
      });
      const before = await store.find('items', {});
      const setting = await store.get('settings', '__proto__');
      expect(before).toHaveLength(49);
      await reopen();
      if (!persistent) {
        expect(await store.find('items', {})).toEqual([]);
        return;
      }
      expect(await store.find('items', {})).toEqual(before);
      expect(await store.get('settings', '__proto__')).toEqual(setting);
      expect(await store.find('items', { is: { space: 'local', accession: 'A8' } })).toHaveLength(1);
    });

    test('takes changes, says so when it is asked, and changes nothing for that', async () => {
      await putItems(store, storedItem(numbered(1)));
      await Promise.all([store.probe(), store.probe(), putItems(store, storedItem(numbered(2)))]);
      expect(store.setbacks()).toBe(0);
      expect(idsOf(await store.find('items', {}))).toEqual([2, 1].map(numbered));
    });

    test('finishes what is under way when it is closed, and then refuses every call', async () => {
      let committed = false;
      const running = putItems(store, storedItem(numbered(1))).then(() => (committed = true));
      await store.close();
      expect(committed).toBe(true);
      await running;
      for (const call of [
        () => store.get('items', numbered(1)),
        () => store.find('items', {}),
        () => store.count('items'),
        () => store.transact(async () => 1),
        () => store.probe(),
        () => store.dump()[Symbol.asyncIterator]().next(),
        () => store.replace((async function* () {})()),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      }
    });
  });
}

const operation = fc.record({
  writes: fc.array(itemWrite, { maxLength: 6 }),
  end: fc.constantFrom('commit' as const, 'commit' as const, 'throw' as const, 'reopen' as const),
});
