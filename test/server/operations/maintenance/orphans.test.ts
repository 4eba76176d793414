/** Which audio the documents name. */
import { expect, test } from 'vitest';
import { findNamed } from '../../../../server/operations/maintenance/orphans.ts';
import { createMemoryStore } from '../../../../server/storage/memory/memory-documents.ts';
import type { CollectionName, Documents } from '../../../../server/storage/collections.ts';
import type { Store, Transaction } from '../../../../server/storage/store.ts';
import { manualClock } from '../../../../src/domain/clock.ts';

const blob = (nth: number): string => `blb_${String(nth).padStart(26, '0')}`;

test('audio is named by whatever refers to it, and looked for in a few queries', async () => {
  const store = createMemoryStore({ clock: manualClock(0) });
  const documents: Partial<Record<CollectionName, Readonly<Record<string, unknown>>>> = {
    records: { id: 'rec_1', space: 'local', worklist_item_id: null, title: null, text: '', audio_blob: blob(1) },
    jobs: { id: 'job_1', space: 'local', status: 'failed', audio: { blob: blob(2) } },
    trash: { id: 'trash_1', space: 'local', audio: [blob(3), blob(4)], expires_at: 1 },
    audit_segments: { id: 'seg_1', blob: blob(5) },
    sounds: { id: blob(6), transcription_id: 'live_1' },
  };
  await store.transact(async (tx) => {
    for (const [collection, document] of Object.entries(documents))
      tx.put(collection as 'records', document as unknown as Documents['records']);
    // Its sound is in the document.
    tx.put('sounds', { id: blob(7), transcription_id: 'live_1', content: '' } as unknown as Documents['sounds']);
  });
  let queries = 0;
  const counted: Store = {
    ...store,
    transact: (work, actor) =>
      store.transact((tx) => {
        const count = <Ask extends (...input: never[]) => unknown>(ask: Ask): Ask =>
          ((...input: never[]) => (queries++, ask(...input))) as Ask;
        const counting: Transaction = { ...tx, find: count(tx.find), findEach: count(tx.findEach) };
        return work(counting);
      }, actor),
  };
  const all = Array.from({ length: 250 }, (_, nth) => blob(nth));
  expect([...(await findNamed(counted, all))].toSorted()).toEqual([1, 2, 3, 4, 5, 6].map(blob));
  // Of three batches.
  expect(queries).toBe(12);
});
