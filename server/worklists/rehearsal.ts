/** What ingest would make of items on a worklist that is empty: the same rules, nothing kept, no network. */
import { WorklistItemInput } from '../../src/contract/worklist.ts';
import type { IngestResult } from '../../src/contract/worklist.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { createIds } from '../ids.ts';
import { indexes } from '../store/collections.ts';
import type { Documents } from '../store/collections.ts';
import type { Transaction } from '../store/store.ts';
import { createValidation } from '../validation.ts';
import { ingest, readBatch } from './ingest.ts';

const space = 'rehearsal';

/** Takes one request after another, each at most what a request may hold; throws as the server answers. */
export type Rehearsal = (items: readonly unknown[]) => Promise<IngestResult>;

/** With `testMode` by the rules for test clients. */
export function createRehearsal(clock: Clock, testMode: boolean): Rehearsal {
  const ids = createIds(clock);
  const validate = createValidation()(WorklistItemInput);
  const tx = identifiedItems();
  return async (items) => {
    const batch = readBatch(items, { validate, testMode });
    const arrival = { space, source_system: null, at: isoNow(clock) };
    return (await ingest(tx, ids, batch, arrival)).result;
  };
}

type Item = Documents['items'];
type Identified = 'accession' | 'study';

/** As much of a store as ingest uses: items by their identifiers. */
function identifiedItems(): Transaction {
  const byKey: Record<Identified, Map<string, Item>> = { accession: new Map(), study: new Map() };
  const byId = new Map<string, Item>();
  const names = Object.keys(byKey) as Identified[];
  const used: Pick<Transaction, 'findEach' | 'put'> = {
    async findEach<C extends keyof Documents>(_: C, index: string, keys: readonly string[]) {
      return keys.map((key) => byKey[index as Identified].get(key)) as unknown as (Documents[C] | undefined)[];
    },
    put(_, document) {
      const item = document as Item;
      const before = byId.get(item.id);
      for (const name of names) {
        const [old, fresh] = [before && indexes.items[name](before), indexes.items[name](item)];
        if (old) byKey[name].delete(old);
        if (fresh) byKey[name].set(fresh, item);
      }
      byId.set(item.id, item);
    },
  };
  return used as Transaction;
}
