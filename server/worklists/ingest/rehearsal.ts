/** Ingests items into an empty worklist in memory: the server's rules without a store or network. */
import { WorklistItemInput } from '../../../src/contract/worklist.ts';
import type { IngestResult } from '../../../src/contract/worklist.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { createIds } from '../../storage/ids.ts';
import type { Transaction } from '../../storage/store.ts';
import { newestUnder } from '../../storage/tables/find.ts';
import { Table } from '../../storage/tables/table.ts';
import { createValidation } from '../../runtime/validation.ts';
import { ingest, readBatch } from './ingest.ts';

const space = 'rehearsal';

/** Ingests one request after another, each within the limits of a request. Throws the server's errors. */
export type Rehearsal = (items: readonly unknown[]) => Promise<IngestResult>;

/** `testMode`: applies the rules of test clients. */
export function createRehearsal(clock: Clock, testMode: boolean): Rehearsal {
  const ids = createIds(clock);
  const validate = createValidation()(WorklistItemInput);
  const tx = itemsOnly();
  return async (items) => {
    const batch = await readBatch(items, { validate, testMode });
    const arrival = { space, source_system: null, who: space, at: isoNow(clock) };
    return ingest(tx, ids, batch, arrival);
  };
}

/** The part of a transaction that ingest uses: a table of items. */
function itemsOnly(): Transaction {
  const table = new Table('items');
  const used: Pick<Transaction, 'find' | 'findEach' | 'put' | 'publish'> = {
    // History and ADT patients are empty.
    find: async () => [],
    findEach: async (collection, index, of, names) =>
      (collection === 'items' ? newestUnder(table, index, of, names) : names.map(() => undefined)) as never,
    put: (collection, document) => {
      if (collection === 'items') table.set(document.id, document);
    },
    publish: () => {},
  };
  return used as Transaction;
}
