/** What ingest would make of items on a worklist that is empty: the same rules, nothing kept, no network. */
import { WorklistItemInput } from '../../src/contract/worklist.ts';
import type { IngestResult } from '../../src/contract/worklist.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { createIds } from '../ids.ts';
import type { Transaction } from '../store/store.ts';
import { newestUnder } from '../tables/find.ts';
import { Table } from '../tables/table.ts';
import { createValidation } from '../http/validation.ts';
import { ingest, readBatch } from './ingest.ts';

const space = 'rehearsal';

/** Takes one request after another, each at most what a request may hold; throws as the server answers. */
export type Rehearsal = (items: readonly unknown[]) => Promise<IngestResult>;

/** With `testMode` by the rules for test clients. */
export function createRehearsal(clock: Clock, testMode: boolean): Rehearsal {
  const ids = createIds(clock);
  const validate = createValidation()(WorklistItemInput);
  const tx = itemsAlone();
  return async (items) => {
    const batch = await readBatch(items, { validate, testMode });
    const arrival = { space, source_system: null, who: space, at: isoNow(clock) };
    return ingest(tx, ids, batch, arrival);
  };
}

/** As much of a store as ingest uses: a table of items. */
function itemsAlone(): Transaction {
  const table = new Table('items');
  const used: Pick<Transaction, 'findEach' | 'put' | 'publish'> = {
    findEach: async (_, index, of, names) => newestUnder(table, index, of, names) as never,
    put: (collection, document) => {
      if (collection === 'items') table.set(document.id, document);
    },
    publish: () => {},
  };
  return used as Transaction;
}
