/** Trails of any length, over stores in memory, with segments of a few entries. */
import { createSegmenter } from '../../../../server/operations/audit/segmenter.ts';
import type { Segmenter, SegmenterDeps } from '../../../../server/operations/audit/segmenter.ts';
import { appendFacts } from '../../../../server/operations/audit/trail.ts';
import type { Fact } from '../../../../server/operations/audit/trail.ts';
import { createIds } from '../../../../server/storage/ids.ts';
import { serviceActor } from '../../../../server/storage/actor.ts';
import { openBlobs } from '../../../../server/storage/blobs/blobs.ts';
import type { Blobs } from '../../../../server/storage/blobs/blobs.ts';
import { createMemoryBlobs } from '../../../../server/storage/memory/memory-blobs.ts';
import { createMemoryStore } from '../../../../server/storage/memory/memory-documents.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import type { ManualClock } from '../../../../src/domain/clock.ts';
import type { Sealing } from '../../../../src/node/files/sealing.ts';

export const begin = Date.parse('2026-03-02T11:30:00.000Z');
export const second = 1000;

export const fact = (nth: number): Fact => ({
  ...serviceActor(nth % 7 === 0 ? 'records.export' : 'records.get', {
    user_id: `usr_${nth % 3}`,
    client_id: nth % 4 === 0 ? null : `tc_${nth % 2}`,
  }),
  at: new Date(begin + nth * second).toISOString(),
  kind: 'records',
  ids: [`rec_${nth}`, `rec_of_${nth % 5}`],
  outcome: nth % 5 === 0 ? 'refused' : 'done',
});

/** Entries of two documents weigh 384. */
const weight = 384;
/** Segments of eight entries, once there are twenty. */
export const small = { store: 20 * weight, segment: 8 * weight };

export interface TestTrail {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: ManualClock;
  readonly logged: Parameters<SegmenterDeps['log']>[0][];
  /** Enters facts `from` to `to`. */
  enter(from: number, to: number): Promise<void>;
  /** Moves what is due. */
  move(over?: Partial<SegmenterDeps>): Promise<void>;
  segmenter(over?: Partial<SegmenterDeps>): Segmenter;
}

export async function openTestTrail({
  sealing,
  blobs: given,
}: { readonly sealing?: Sealing; readonly blobs?: Blobs } = {}): Promise<TestTrail> {
  const clock = manualClock(begin);
  const store = createMemoryStore({ clock });
  const blobs = given ?? (await openBlobs(createMemoryBlobs(), { sealing }));
  const ids = createIds(clock);
  const logged: TestTrail['logged'] = [];
  const segmenter = (over: Partial<SegmenterDeps> = {}): Segmenter =>
    createSegmenter({ store, blobs, ids, clock, log: (line) => void logged.push(line), ...over }, small);
  return {
    store,
    blobs,
    clock,
    logged,
    async enter(from, to) {
      const facts = Array.from({ length: to - from + 1 }, (_, nth) => fact(from + nth));
      await store.transact((tx) => appendFacts(tx, facts));
    },
    async move(over) {
      const once = segmenter(over);
      await once.run();
      await once.close();
    },
    segmenter,
  };
}
