/**
 * Syncs journals, at once while the disk is quick. A thread of the pool has to be woken, and has to wake this one again: where
 * the disk answers within microseconds that takes longer than the sync. A slow disk keeps nobody else waiting.
 */
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../../../src/domain/clock.ts';
import type { FileSystem } from '../../data-directory/private-files.ts';

/** `bytes`: how many were written since the last sync. */
export type Sync = (handle: FileHandle, bytes: number) => Promise<void>;

/** In ms: about as long as it takes to ask a thread and to be told. */
const quick = 0.25;

/** In ms: a disk that takes so long is slow. Between the two something may have come in between, once. */
const slow = 5;

/**
 * Syncs that a thread does after one that kept everybody waiting for a quick one's time on a slow disk; the longer, the more.
 * One that was late on a quick disk costs one of them at first, and twice as many each time until a quick one comes.
 */
const mostPatience = 32;

/** What is larger takes any disk a while. */
const mostBytes = 64 * 1024;

/**
 * On average no sync keeps everybody waiting longer than a quick one, whatever the disk does. `isBusy`: whether the disk
 * has so much else to write that a sync may take long.
 */
export function createQuickSync(fs: FileSystem, clock: Clock, isBusy: () => boolean): Sync {
  let left = mostPatience;
  let patience = 1;

  return async (handle, bytes) => {
    if (left > 0 || bytes > mostBytes || isBusy()) {
      left = Math.max(0, left - 1);
      return fs.syncData(handle);
    }
    const begun = clock.elapsed();
    try {
      fs.syncDataNow(handle);
    } finally {
      const took = clock.elapsed() - begun;
      if (took <= quick) patience = 1;
      else {
        if (took >= slow) patience = mostPatience;
        left = Math.ceil((took / quick) * patience);
        patience = Math.min(2 * patience, mostPatience);
      }
    }
  };
}
