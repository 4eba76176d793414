/**
 * Syncs journals, at once while the disk is quick. A thread of the pool has to be woken, and has to wake this one again: where
 * the disk answers within microseconds that takes longer than the sync. A slow disk keeps nobody else waiting.
 */
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../../../src/domain/clock.ts';
import type { FileSystem } from '../../data-directory/private-files.ts';

/** What was written since the last sync. */
export interface Unsynced {
  readonly bytes: number;
  /** Whether all of it is one commit: then nobody else waits for this sync. */
  readonly isAlone: boolean;
}

/** There is something to wait for only where a thread syncs. */
export type Sync = (handle: FileHandle, unsynced: Unsynced) => Promise<void> | undefined;

/** In ms: about as long as it takes to ask a thread and to be told. */
const quick = 0.25;

/** In ms: the sync of a lone commit may take so long. Whoever asks for something else meanwhile hardly notices. */
const quickAlone = 1;

/** In ms: the time that quick syncs may leave to a late one. No disk is quick each time. */
const mostCredit = 8;

/** In ms: a disk that takes so long, and was not quick the last time, is slow. Otherwise something may have come in between, once. */
const slow = 5;

/** How many times more syncs are left to threads after late ones in a row: twice as many after each. */
const mostPatience = 32;

/** The first syncs after a start, which are left to threads: much else is done then. */
const firstInThreads = 32;

/** What is larger takes any disk a while. */
const mostBytes = 64 * 1024;

/**
 * On average no sync keeps everybody waiting longer than a quick one, or 1 ms where a commit is alone, whatever the disk does.
 * `isBusy`: whether the disk has so much else to write that a sync may take long.
 */
export function createQuickSync(fs: FileSystem, clock: Clock, isBusy: () => boolean): Sync {
  /** In ms: the time that others may be kept waiting, on average; less than none after a late sync. */
  let credit = -firstInThreads * quick;
  let patience = 1;
  let wasQuick = false;

  return (handle, { bytes, isAlone }) => {
    if (credit < 0 || bytes > mostBytes || isBusy()) {
      if (credit < 0) credit += quick;
      return fs.syncData(handle);
    }
    const begun = clock.elapsed();
    try {
      fs.syncDataNow(handle);
    } finally {
      const took = clock.elapsed() - begun;
      if (took <= quick) {
        credit = Math.min(credit + quick - took, mostCredit);
        patience = 1;
      } else if (took > (isAlone ? quickAlone : quick)) {
        credit -= took;
        if (credit < 0) {
          if (took >= slow && !wasQuick) patience = mostPatience;
          credit *= patience;
          patience = Math.min(2 * patience, mostPatience);
        }
      }
      wasQuick = took <= quick;
    }
    return undefined;
  };
}
