/** What every store has to do with all it keeps: give it out, take other documents instead, and write it anew. */
import { describe, expect, test } from 'vitest';
import type { Store, StoredDocument, Writer } from '../../server/storage/store.ts';
import { idsOf, numbered, putItems, storedItem } from '../support/stored-item.ts';

const failure = new Error('thrown by the source of the documents');

interface Subject {
  /** That of the present test. */
  readonly store: () => Store;
  /** Opens it again, where it is persistent. */
  readonly reopen: (() => Promise<void>) | undefined;
}

export function describeWholeStore({ store, reopen }: Subject): void {
  describe('everything at once', () => {
    const dumped = async (): Promise<StoredDocument[]> => {
      const all: StoredDocument[] = [];
      for await (const each of store().dump()) all.push(each);
      return all;
    };
    async function* from(...documents: StoredDocument[]): AsyncGenerator<StoredDocument> {
      yield* documents;
    }
    const setting = (id: string, value: unknown = id): StoredDocument => ({
      collection: 'settings',
      document: { id, value },
    });
    const byId = (all: readonly StoredDocument[]): StoredDocument[] =>
      all.toSorted((a, b) => (a.document.id < b.document.id ? -1 : 1));

    test('is dumped as it was at one moment, while other work goes on', async () => {
      await putItems(store(), ...Array.from({ length: 5 }, (_, n) => storedItem(numbered(n))));
      await store().transact(async (tx) => tx.put('settings', { id: 'one', value: 1 }));
      const before = byId(await dumped());
      expect(before).toEqual(
        byId([
          ...Array.from({ length: 5 }, (_, n) => ({
            collection: 'items' as const,
            document: storedItem(numbered(n)),
          })),
          setting('one', 1),
        ]),
      );
      const seen: StoredDocument[] = [];
      for await (const each of store().dump()) {
        seen.push(each);
        await store().transact(async (tx) => {
          tx.remove('settings', 'one');
          tx.put('items', storedItem(numbered(3), { version: seen.length + 1 }));
          tx.put('items', storedItem(numbered(100 + seen.length)));
        });
      }
      expect(byId(seen)).toEqual(before);
      expect(seen.map(({ collection }) => collection)).toEqual([...before.slice(1).map(() => 'items'), 'settings']);
      expect(await store().count('items')).toBe(5 + seen.length);
    });

    test('is compacted with nothing of it changed, while other work goes on', async () => {
      await putItems(store(), ...Array.from({ length: 5 }, (_, n) => storedItem(numbered(n))));
      await store().transact(async (tx) => tx.remove('items', numbered(2)));
      await Promise.all([store().compact(), putItems(store(), storedItem(numbered(9))), store().compact()]);
      // Replaced by itself meanwhile, which may end it.
      await Promise.all([
        store().replace(store().dump()),
        store()
          .compact()
          .catch(() => undefined),
      ]);
      const expected = [9, 4, 3, 1, 0].map(numbered);
      expect(idsOf(await store().find('items', {}))).toEqual(expected);
      await reopen?.();
      expect(idsOf(await store().find('items', {}))).toEqual(expected);
    });

    test('is replaced, with its order and its indexes', async () => {
      await putItems(store(), storedItem(numbered(1), { accession_number: 'A1' }));
      await store().transact(async (tx) => tx.put('settings', { id: 'former', value: 1 }));
      const documents = [9, 8, 7].map((n) => ({
        collection: 'items' as const,
        document: storedItem(numbered(n), { accession_number: 'B1' }),
      }));
      await store().replace(from(...documents, setting('later')));
      const check = async (): Promise<void> => {
        expect(idsOf(await store().find('items', {}))).toEqual([9, 8, 7].map(numbered));
        const by = (accession: string) => ({ is: { space: 'local', accession } }) as const;
        expect(idsOf(await store().find('items', by('B1')))).toEqual([9, 8, 7].map(numbered));
        expect(await store().find('items', by('A1'))).toEqual([]);
        expect(await store().get('items', numbered(1))).toBeUndefined();
        expect(await store().find('settings', {})).toEqual([{ id: 'later', value: 'later' }]);
      };
      await check();
      await reopen?.();
      if (reopen) await check();
      await putItems(store(), storedItem(numbered(10)));
      expect(byId(await dumped())).toHaveLength(5);
    });

    test.each([
      ['of an unknown collection', { collection: 'unknown', document: { id: 'x' } }],
      ['of a collection that only looks like one', { collection: '__proto__', document: { id: 'x' } }],
      ['without an id', { collection: 'settings', document: { value: 1 } }],
      ['with an id that came before', setting('first')],
      ['without what its indexes need', { collection: 'users', document: { id: 'usr_1', space: 'local' } }],
      ['that is none', { collection: 'settings', document: null }],
    ])('stays as it was where one document cannot be kept: %s', async (_what, bad) => {
      await store().transact(async (tx) => tx.put('settings', { id: 'former', value: 1 }));
      const attempt = store().replace(from(setting('first'), bad as StoredDocument, setting('last')));
      await expect(attempt).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { errors: [{ field: 'documents.1', code: 'INVALID_VALUE' }] },
      });
      expect(await store().find('settings', {})).toEqual([{ id: 'former', value: 1 }]);
    });

    test('stays as it was where the documents break off, and other work goes on until they have come', async () => {
      const attempt = store().replace(
        (async function* () {
          yield setting('first');
          await store().transact(async (tx) => tx.put('settings', { id: 'meanwhile', value: 1 }));
          throw failure;
        })(),
      );
      await expect(attempt).rejects.toBe(failure);
      expect(idsOf(await store().find('settings', {}))).toEqual(['meanwhile']);
    });

    test('is overhauled: all at once, by every index, while others read what was there and wait to write', async () => {
      await putItems(store(), storedItem(numbered(1)), storedItem(numbered(2), { accession_number: 'B1' }));
      const by = { is: { space: 'local', accession: 'B1' } } as const;
      let later: Promise<void> | undefined;
      const given = await store().overhaul(async (tx) => {
        tx.remove('items', numbered(1));
        tx.put('items', storedItem(numbered(2)));
        for (let n = 3; n < 3000; n++)
          tx.put('items', storedItem(numbered(n), { accession_number: n < 5 ? 'B1' : null }));
        expect(idsOf(await tx.find('items', by))).toEqual([4, 3].map(numbered));
        expect(await tx.get('items', numbered(1))).toBeUndefined();
        expect(await tx.count('items')).toBe(2998);
        expect(idsOf(await store().find('items', {}))).toEqual([2, 1].map(numbered));
        later = putItems(store(), storedItem(numbered(9999)));
        return 'given';
      });
      expect(given).toBe('given');
      await later;
      const check = async (): Promise<void> => {
        expect(await store().count('items')).toBe(2999);
        expect(idsOf(await store().find('items', by))).toEqual([4, 3].map(numbered));
        expect(await store().get('items', numbered(9999))).toBeDefined();
      };
      await check();
      await reopen?.();
      if (reopen) await check();
    });

    test('stays as it was where an overhaul throws, and nobody can write to what it leaves', async () => {
      await putItems(store(), storedItem(numbered(1)));
      let left: Writer | undefined;
      const attempt = store().overhaul(async (tx) => {
        left = tx;
        tx.remove('items', numbered(1));
        throw failure;
      });
      await expect(attempt).rejects.toBe(failure);
      expect(idsOf(await store().find('items', {}))).toEqual([numbered(1)]);
      expect(() => left!.put('items', storedItem(numbered(2)))).toThrow(/after its end/);
      await putItems(store(), storedItem(numbered(3)));
      expect(await store().count('items')).toBe(2);
    });

    test('is replaced between two transactions, not during one', async () => {
      const outcomes = await Promise.all([
        store().transact(async (tx) => tx.put('settings', { id: 'before', value: 1 })),
        store().replace(from(setting('replaced'))),
        store().transact(async (tx) => {
          const found = idsOf(await tx.find('settings', {}));
          tx.put('settings', { id: 'after', value: found });
          return found;
        }),
      ]);
      const all = new Set(idsOf(await store().find('settings', {})));
      const seen = outcomes[2];
      // Whichever came first, nobody saw a mixture: of those that are there, what `after` saw came before it.
      expect([[], ['before'], ['replaced'], ['replaced', 'before']]).toContainEqual(seen);
      const isLast = !seen.includes('replaced');
      expect(all.has('replaced')).toBe(true);
      expect(all.has('after')).toBe(!isLast);
      if (seen.includes('before') && !isLast) expect(all).toEqual(new Set(['replaced', 'before', 'after']));
    });
  });
}
