/**
 * Moves the oldest entries of the audit trail from the store to segments, in the background. An entry leaves the store only after
 * its segment was written, read back and referenced by a document, so that a crash at any time leaves it in one of the two.
 */
import { hash } from 'node:crypto';
import { oneChunk } from '../../../src/node/files/pieces.ts';
import type { AuditEntry, AuditHead } from '../../../src/contract/audit.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createIds } from '../../storage/ids.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Log } from '../../runtime/log.ts';
import { randomnessFor } from '../../runtime/randomness.ts';
import { isOutcomeUnknown } from '../../../src/contract/errors.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { Blobs } from '../../storage/blobs/blobs.ts';
import { createBreaks, unhurried } from '../../runtime/breaks.ts';
import type { Reader, Store } from '../../storage/store.ts';
import { readSegmentsEnd, toLine, packSegment, readContent } from './segments.ts';
import type { Segment } from './segments.ts';
import { entryId, hashOf, readLastNumber, segmentId } from './trail.ts';

export interface SegmentLimits {
  /** Weight of the entries in the store above which the oldest ones move. */
  readonly store: number;
  /** Approximate weight of a segment's entries. */
  readonly segment: number;
}

const mebibyte = 2 ** 20;
/** About ten thousand entries of one document each, and eight thousand. */
export const segmentLimits: SegmentLimits = { store: 3.5 * mebibyte, segment: 2.75 * mebibyte };
/** Age in ms above which entries move regardless of weight, so that retention finds segments on quiet servers. */
const oldest = 7 * 24 * 3600 * 1000;

/** Approximate size of an entry in bytes. */
const weightOf = ({ ids }: Pick<AuditEntry, 'ids'>): number => 320 + 32 * ids.length;

/** New entries between two checks. */
const lookEvery = 256;
/** Moved entries removed per transaction: other transactions wait for it. */
const batch = 200;

export interface Segmenter {
  /** Moves what is due; resolves when done. Never rejects. */
  run(): Promise<void>;
  /** Ends after the step in progress. */
  close(): Promise<void>;
}

/** `forgets`: data that ends with the process. `newest`: creation of the newest document, ms since 1970. `undefined`: entries never move. */
export function openSegmenter(
  { newest, ...deps }: Omit<SegmenterDeps, 'ids'> & { readonly newest: number },
  forgets: readonly ('documents' | 'audio')[],
): Segmenter | undefined {
  // Segments must not be lost before the documents that refer to them.
  if (forgets.includes('audio') && !forgets.includes('documents')) return undefined;
  // Not seeded: the number of segments depends on timing.
  const ids = createIds(deps.clock, { after: newest, randomness: randomnessFor(undefined) });
  return createSegmenter({ ...deps, ids });
}

export interface SegmenterDeps {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this member moves entries as they are written; default: always. */
  readonly isOurs?: () => boolean;
}

export function createSegmenter(
  { store, blobs, ids, clock, log, isOurs = () => true }: SegmenterDeps,
  limits: SegmentLimits = segmentLimits,
): Segmenter {
  const ending = new AbortController();
  /** Weight of the entries from `from` to `to`, as far as calculated. */
  let weighed = { from: 1, to: 0, weight: 0 };
  let entered = 0;
  let isWanted = false;
  let isStuck = false;
  let running: Promise<void> | undefined;

  async function isDue(end: AuditHead): Promise<boolean> {
    const from = end.number + 1;
    const to = await readLastNumber(store);
    if (to < from) return false;
    const first = await store.get('audit', entryId(from));
    if (first && clock.now() - Date.parse(first.at) > oldest) return true;
    if (weighed.from !== from || weighed.to > to) weighed = { from, to: end.number, weight: 0 };
    for await (const entry of entriesBetween(store, weighed.to + 1, to, ending.signal)) {
      weighed = { from, to: entry.number, weight: weighed.weight + weightOf(entry) };
      if (weighed.weight >= limits.store) return true;
    }
    return weighed.weight >= limits.store;
  }

  /** `undefined`: there is no entry, or the server is stopping. */
  async function gather(
    end: AuditHead,
  ): Promise<{ segment: Omit<Segment, 'blob' | 'sha256'>; lines: Buffer[] } | undefined> {
    const to = await readLastNumber(store);
    const lines: Buffer[] = [];
    let last: AuditEntry | undefined;
    let [earliest, latest] = [Infinity, -Infinity];
    let weight = 0;
    for await (const entry of entriesBetween(store, end.number + 1, to, ending.signal)) {
      lines.push(Buffer.from(`${toLine(entry)}\n`));
      last = entry;
      const at = Date.parse(entry.at);
      [earliest, latest] = [Math.min(earliest, at), Math.max(latest, at)];
      weight += weightOf(entry);
      if (weight >= limits.segment) break;
    }
    if (!last || ending.signal.aborted) return undefined;
    const first = end.number + 1;
    const segment = {
      id: segmentId(first),
      first,
      last: last.number,
      previous: end.hash,
      hash: hashOf(last),
      from: new Date(earliest).toISOString(),
      to: new Date(latest).toISOString(),
    };
    return { segment, lines };
  }

  /** Returns whether entries moved. */
  async function closeSegment(end: AuditHead): Promise<boolean> {
    const gathered = await gather(end);
    if (!gathered) return false;
    const { segment, lines } = gathered;
    const { packed, text } = await packSegment(segment, lines);
    const blob = ids('blb');
    const written = { ...segment, blob, sha256: hash('sha256', packed, 'hex') };
    await blobs.write(blob, oneChunk(packed), Infinity);
    let isNamed = false;
    try {
      const content = await readContent({ store, blobs }, written);
      if (!content?.isUnchanged || !content.text.equals(text)) throw new Error(notWritten);
      isNamed = await store.transact(async (tx) => {
        if (!(await isNext(tx, written))) return false;
        tx.put('audit_segments', written);
        return true;
      });
    } catch (error) {
      isNamed = isOutcomeUnknown(error);
      throw error;
    } finally {
      // If the disk's answer is lost, the document may exist nevertheless.
      if (!isNamed && (await isUnnamed(store, written))) await blobs.remove(blob).catch(() => undefined);
    }
    return isNamed;
  }

  async function moveAll(): Promise<void> {
    do {
      isWanted = false;
      await removeMoved(store, ending.signal);
      for (;;) {
        const end = await readSegmentsEnd(store);
        if (ending.signal.aborted || !(await isDue(end)) || !(await closeSegment(end))) break;
        await removeMoved(store, ending.signal);
      }
    } while (isWanted && !ending.signal.aborted);
  }

  const run = (): Promise<void> => {
    isWanted = true;
    if (ending.signal.aborted) return Promise.resolve();
    return (running ??= moveAll()
      .then(
        () => void (isStuck = false),
        (error: unknown) => {
          if (!isStuck && !ending.signal.aborted)
            log({ level: 'warn', event: 'audit_not_moved', ...describeError(error) });
          isStuck = true;
        },
      )
      .finally(() => (running = undefined)));
  };

  const unwatch = store.watch('audit', (changed) => {
    entered += changed.length;
    if (entered < lookEvery || !isOurs()) return;
    entered = 0;
    void run();
  });

  return {
    run,
    async close() {
      ending.abort();
      unwatch();
      await running;
    },
  };
}

/** Skips missing entries: verification must find the gap. */
async function* entriesBetween(
  store: Store,
  from: number,
  to: number,
  ending: AbortSignal,
): AsyncGenerator<AuditEntry, void> {
  const breathe = createBreaks(unhurried);
  for (let number = from; number <= to && !ending.aborted; number++) {
    const kept = await store.get('audit', entryId(number));
    if (kept) {
      const { id: _id, ...entry } = kept;
      yield entry;
    }
    const turn = breathe();
    if (turn) await turn;
  }
}

const isUnnamed = (store: Store, { id, blob }: Segment): Promise<boolean> =>
  store.get('audit_segments', id).then(
    (present) => present?.blob !== blob,
    () => false,
  );

/** Removes entries that are in a segment. Reads the store in each step, because a restore may come in between. */
async function removeMoved(store: Store, ending: AbortSignal): Promise<void> {
  const breathe = createBreaks(unhurried);
  for (let isOver = false; !isOver && !ending.aborted;) {
    isOver = await store.transact(async (tx) => {
      const { number: last } = await readSegmentsEnd(tx);
      const first = await tx.oldest('audit', {});
      // An entry under another entry's id was not written by the server: verify finds it.
      if (!first || first.number > last || first.id !== entryId(first.number)) return true;
      for (let number = first.number; number <= Math.min(last, first.number + batch - 1); number++)
        tx.remove('audit', entryId(number));
      return false;
    });
    await breathe();
  }
}

const notWritten = 'The segment on the disk differs from what was written.';

/** Whether the segment follows the others and its entries are still those of the trail, which a restore may have replaced. */
async function isNext(reader: Reader, segment: Segment): Promise<boolean> {
  const end = await readSegmentsEnd(reader);
  const last = await reader.get('audit', entryId(segment.last));
  return (
    end.number === segment.first - 1 &&
    end.hash === segment.previous &&
    last !== undefined &&
    hashOf(last) === segment.hash
  );
}
