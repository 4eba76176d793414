/**
 * Refuses new documents before memory is full. All documents are in memory. Without this limit the system would end the
 * process, and then nobody could read either.
 */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { HeapInfo } from 'node:v8';
import { AppError } from '../../src/contract/errors.ts';
import { memoryFull } from '../../src/contract/system.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { CollectionName } from './collections.ts';
import type { Change, Tables } from './transactions/tables.ts';

/**
 * The share of memory above which no commit adds a document to that collection. New work (items, jobs) is refused first, then
 * the records that follow from accepted work. The other collections grow little and are never refused.
 */
const shares: Partial<Record<CollectionName, number>> = {
  items: 0.8,
  jobs: 0.8,
  transcriptions: 0.8,
  records: 0.9,
  messages: 0.9,
};
const minShare = Math.min(...Object.values(shares));
/** The limit while a second copy of all documents is built. */
const shareOfCopies = 0.95;

/** Approximate bytes of the program without documents. */
export const programBytes = 160 * 2 ** 20;

/** In ms: how long a measurement of memory stays valid. */
const measurementMs = 500;

export interface CeilingOptions {
  /** Bytes; default: the memory of the machine or the container. */
  readonly memory?: number | undefined;
  /** Default: the heap of this process. */
  readonly heap?: () => Pick<HeapInfo, 'used_heap_size' | 'heap_size_limit'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Ceiling {
  /** The number of refused commits. */
  readonly refusals: number;
  /** Throws AppError STORAGE_UNAVAILABLE if memory is too full for the changes. Call before the changes are in the tables. */
  admit(changes: readonly Change[]): void;
  /** Throws AppError STORAGE_UNAVAILABLE if memory has no room for this many more bytes of documents. */
  requireRoom(bytes: number): void;
  /** Throws AppError STORAGE_UNAVAILABLE while new work is refused. */
  check(): void;
}

/** The bytes that this process may use: the limit of the container, or the memory of the machine. */
export function memoryOfMachine(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

export const bytesIn = (tables: Tables): number => Object.values(tables).reduce((sum, { bytes }) => sum + bytes, 0);

export function createCeiling(
  tables: Tables,
  { memory = memoryOfMachine(), heap = getHeapStatistics, clock, log }: CeilingOptions,
): Ceiling {
  let refusals = 0;
  let measurement = { share: 0, until: -Infinity };
  let isFull = false;

  /** The used share of memory after `further` more bytes, or of the heap if the heap is fuller; 1: full. */
  function shareWith(additional: number): number {
    const { used_heap_size: used, heap_size_limit: most } = heap();
    return Math.max((programBytes + bytesIn(tables) + additional) / memory, used / most);
  }

  function share(): number {
    const now = clock.elapsed();
    if (now >= measurement.until) measurement = { share: shareWith(0), until: now + measurementMs };
    return measurement.share;
  }

  function requireBelow(limit: number): void {
    const present = share();
    if (present > minShare !== isFull) {
      isFull = !isFull;
      log(isFull ? { level: 'error', event: 'memory_full', memory } : { level: 'info', event: 'memory_free' });
    }
    if (present > limit)
      throw refusal('The server takes no new exams and jobs; existing work can be read and finished.');
  }

  return {
    get refusals() {
      return refusals;
    },
    admit(changes) {
      // While there is room for any document, the look-up of which documents are new is needless.
      if (share() <= minShare && !isFull) return;
      let limit = Infinity;
      for (const { collection, id, document } of changes) {
        const ownShare = shares[collection];
        if (ownShare !== undefined && ownShare < limit && document && !tables[collection].has(id)) limit = ownShare;
      }
      if (limit === Infinity) return;
      try {
        requireBelow(limit);
      } catch (error) {
        refusals++;
        throw error;
      }
    },
    requireRoom(bytes) {
      if (shareWith(bytes) <= shareOfCopies) return;
      throw refusal('The server has no room for so many documents beside its present ones.');
    },
    check: () => requireBelow(minShare),
  };
}

const refusal = (what: string): AppError =>
  new AppError('STORAGE_UNAVAILABLE', {
    message: `The memory of the server is nearly full. ${what}`,
    hint: 'Give the server more memory (`laudio serve --memory`, the machine, the container), or let it remove completed work sooner (`--keep-completed`).',
    details: { full: memoryFull },
    retryAfter: 60,
  });
