/**
 * Removes the oldest segments of the audit trail when their retention ends. The rest begins with an anchor, a document and an entry
 * with the number and hash of the last removed entry, and the retention setting.
 */
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Reader, Store } from '../../storage/store.ts';
import { findSegment } from './segments.ts';
import type { Segment } from './segments.ts';
import { appendFacts, readHead, segmentId } from './trail.ts';
import { elementAt } from '../../../src/domain/elements.ts';

/** Segments per transaction. */
const batch = 100;

/**
 * Segments from the beginning whose entries are all older than `keptMs`. The trail is chronological: a segment that ends in the
 * future or before its predecessor was written by a wrong clock, and is retained as long as its successor.
 */
async function* findExpiredSegments(store: Reader, now: number, keptMs: number): AsyncGenerator<Segment, void> {
  const waiting: Segment[] = [];
  const removed = await store.get('audit_segments', segmentId(1));
  const isGone = removed?.blob === null;
  let next = isGone ? removed.last + 1 : 1;
  let previousEnd = isGone && Date.parse(removed.to) <= now ? Date.parse(removed.to) : -Infinity;
  for (;;) {
    const segment = await findSegment(store, next);
    if (!segment || segment.blob === null) return;
    waiting.push(segment);
    next = segment.last + 1;
    const end = Date.parse(segment.to);
    if (end > now || end < previousEnd) continue;
    if (end >= now - keptMs) return;
    previousEnd = end;
    yield* waiting.splice(0);
  }
}

/** Number of entries that retention would remove now. */
export async function countRetirable(store: Reader, clock: Clock, keptMs: number): Promise<number> {
  let entries = 0;
  for await (const { first, last } of findExpiredSegments(store, clock.now(), keptMs)) entries += last - first + 1;
  return entries;
}

export interface RetiredSegments {
  readonly entries: number;
  /** Audio ids that no document refers to any more. */
  readonly blobs: readonly string[];
}

/** Removes segments, and records that in the same transaction. `store` must not be the audited one. */
export async function retireSegments(store: Store, clock: Clock, keptMs: number): Promise<RetiredSegments> {
  let entries = 0;
  const blobs: string[] = [];
  for (;;) {
    const retired = await store.transact(async (tx) => {
      const over: Segment[] = [];
      for await (const segment of findExpiredSegments(tx, clock.now(), keptMs)) {
        over.push(segment);
        if (over.length === batch) break;
      }
      const last = over.at(-1);
      // Only a manipulated head lies before the end of a segment.
      if (!last || last.last > (await readHead(tx)).number) return [];
      for (const { id } of over) tx.remove('audit_segments', id);
      const anchor = await tx.get('audit_segments', segmentId(1));
      const kept_s = Math.max(1, Math.floor(keptMs / 1000));
      const { hash, last: number, to } = last;
      const from = (anchor ?? elementAt(over, 0)).from;
      tx.put('audit_segments', {
        id: segmentId(1),
        first: 1,
        last: number,
        previous: '',
        hash,
        from,
        to,
        blob: null,
        sha256: null,
        kept_s,
      });
      const removed = { number, hash, kept_s };
      const actor = serviceActor('audit.remove');
      await appendFacts(tx, [{ ...actor, at: isoNow(clock), kind: 'audit', ids: [], outcome: 'done', removed }]);
      return over;
    });
    for (const { first, last, blob } of retired) {
      entries += last - first + 1;
      if (blob !== null) blobs.push(blob);
    }
    if (retired.length < batch) return { entries, blobs };
  }
}
