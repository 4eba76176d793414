/**
 * How much is taken before memory is full. All documents are in memory, so that ends somewhere; were it the system that ended
 * it, the process would be gone, and with it everybody's reading.
 */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { HeapInfo } from 'node:v8';
import { AppError } from '../../src/contract/errors.ts';
import { memoryFull } from '../../src/contract/system.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Log } from '../log.ts';
import type { CollectionName } from './collections.ts';
import type { Change, Tables } from './tables.ts';

/**
 * The share of memory above which no commit adds a document to that collection: new work first, then what the work that was
 * taken leads to. Of all others little is added, and always taken.
 */
const shares: Partial<Record<CollectionName, number>> = { items: 0.8, jobs: 0.8, records: 0.9 };
const least = Math.min(...Object.values(shares));
/** Where everything is put together anew beside what there is. */
const shareOfCopies = 0.95;

/** Bytes that the program takes before it holds any documents, about. */
export const programBytes = 160 * 2 ** 20;

/** In ms: for how long it is believed how full memory is. */
const stands = 500;

export interface CeilingOptions {
  /** Bytes; default: what the machine, or the container, has. */
  readonly memory?: number | undefined;
  /** Default: that of this process. */
  readonly heap?: () => Pick<HeapInfo, 'used_heap_size' | 'heap_size_limit'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Ceiling {
  /** How many times it has refused. */
  readonly refusals: number;
  /** Throws AppError STORAGE_UNAVAILABLE where memory is too full for the changes, which are not in the tables yet. */
  admit(changes: readonly Change[]): void;
  /** Throws AppError STORAGE_UNAVAILABLE where so many bytes of documents have no room beside those there are. */
  requireRoom(bytes: number): void;
  /** Throws AppError STORAGE_UNAVAILABLE while new work is refused. */
  check(): void;
}

/** Bytes that this process may take. */
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
  let known = { share: 0, until: -Infinity };
  let isFull = false;

  /** Of memory with so much more in it, or of the heap where that is fuller; 1: all of it. */
  function shareWith(further: number): number {
    const { used_heap_size: used, heap_size_limit: most } = heap();
    return Math.max((programBytes + bytesIn(tables) + further) / memory, used / most);
  }

  function share(): number {
    const now = clock.elapsed();
    if (now >= known.until) known = { share: shareWith(0), until: now + stands };
    return known.share;
  }

  function requireBelow(limit: number): void {
    const present = share();
    if (present > least !== isFull) {
      isFull = !isFull;
      log(isFull ? { level: 'error', event: 'memory_full', memory } : { level: 'info', event: 'memory_free' });
    }
    if (present > limit) throw refusal('It takes no new exams and jobs; what it holds can be read and finished.');
  }

  return {
    get refusals() {
      return refusals;
    },
    admit(changes) {
      // Which documents are new is asked where it matters: not while there is room for any.
      if (share() <= least && !isFull) return;
      let limit = Infinity;
      for (const { collection, id, document } of changes) {
        const least = shares[collection];
        if (least !== undefined && least < limit && document && !tables[collection].has(id)) limit = least;
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
      throw refusal('It has no room for so many documents beside those that it holds.');
    },
    check: () => requireBelow(least),
  };
}

const refusal = (what: string): AppError =>
  new AppError('STORAGE_UNAVAILABLE', {
    message: `The memory of the server is nearly full. ${what}`,
    hint: 'Give it more memory (`laudio serve --memory`, the machine, the container), or have what is over removed (`--keep-completed`).',
    details: { full: memoryFull },
    retryAfter: 60,
  });
