/** What is read outside a transaction is durable: a part of the suite, for stores that have a disk, which may fail. */
import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import type { Store } from '../../server/storage/store.ts';
import { expectSame, itemWrite, noteWrite, putWrite } from '../support/item-model.ts';
import type { ItemModel, ItemWrite } from '../support/item-model.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A disk on which each sync waits until it is told how that goes. */
export interface UnsteadyDisk {
  /** Whether a sync is waiting. */
  readonly isWaiting: boolean;
  pass(): void;
  fail(): void;
  /** From now on everything passes, until `unsettle`. */
  calm(): void;
  unsettle(): void;
}

/** The store is open and empty; from then on the disk waits. */
export type OpenUnsteady = (directory: string) => Promise<{ readonly store: Store; readonly disk: UnsteadyDisk }>;

const step = fc.oneof(
  { weight: 3, arbitrary: fc.array(itemWrite, { minLength: 1, maxLength: 4 }) },
  { weight: 4, arbitrary: fc.constant('pass' as const) },
  { weight: 1, arbitrary: fc.constant('fail' as const) },
);

export function describeDurableReads(open: OpenUnsteady): void {
  test('read and published data is durable, whatever is under way and however that ends', async () => {
    const seen = { pending: 0, undone: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const { store, disk } = await open(await temporaryDirectory());
        const durable: ItemModel = new Map();
        const underWay = new Set<Promise<void>>();
        let commits = 0;
        const succeeded: number[] = [];
        const published: number[] = [];
        store.subscribe('items', (changes) => published.push(...changes.map(({ version }) => version)));
        try {
          for (const each of steps) {
            if (each === 'pass') disk.pass();
            else if (each === 'fail') disk.fail();
            else {
              const number = ++commits;
              const end = commit(store, each, durable, number).then((kept) => {
                seen.undone += Number(!kept);
                if (kept) succeeded.push(number);
                underWay.delete(end);
              });
              underWay.add(end);
            }
            while (underWay.size > 0 && !disk.isWaiting) await new Promise((resolve) => setImmediate(resolve));
            seen.pending += underWay.size;
            await expectSame(store, durable);
          }
        } finally {
          disk.calm();
          await Promise.all(underWay);
          await expectSame(store, durable);
          expect(published).toEqual(succeeded.toSorted((a, b) => a - b));
          await store.close();
        }
      }),
      { numRuns: 40 },
    );
    expect(seen.pending).toBeGreaterThan(100);
    expect(seen.undone).toBeGreaterThan(10);
  });
}

/** Publishes its number. Whether it was kept; the model is told of it then. */
async function commit(
  store: Store,
  writes: readonly ItemWrite[],
  durable: ItemModel,
  number: number,
): Promise<boolean> {
  try {
    await store.transact(async (tx) => {
      for (const each of writes) putWrite(tx, each);
      tx.publish('items', {
        space: 'local',
        id: 'wli',
        accession_number: null,
        status: 'new',
        version: number,
        change: 'updated',
      });
    });
  } catch (error) {
    expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    return false;
  }
  for (const each of writes) noteWrite(durable, each);
  return true;
}
