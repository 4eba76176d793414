/** Builds the word lists of chunks (server/storage/tables/chunk-words.ts) before a search needs them, during other work, the newest first. */
import { performance } from 'node:perf_hooks';
import { collectionNames } from '../collections.ts';
import type { Tables } from './tables.ts';

/** In ms: how long after a change the next gathering begins. */
const pause = 500;

export interface Gathering {
  /** Call this when documents may have changed. */
  begin(): void;
  stop(): void;
}

/** After each slice a busy server gets this many times the slice's own time for other work; an idle server gets that time once. */
const leftToOthers = 200;

/** Gathers a slice at a time: half of the time on an idle server, and less the busier the server is. */
export function createGathering(tables: Tables): Gathering {
  let timer: NodeJS.Timeout | undefined;
  let before = performance.eventLoopUtilization();
  let isStopped = false;

  function gatherSlice(): boolean {
    for (const name of collectionNames) {
      const table = tables[name];
      if (table.text && table.chunks.findLast((chunk) => table.prepareWords(chunk))) return true;
    }
    return false;
  }

  function work(): void {
    const { utilization } = performance.eventLoopUtilization(before);
    const begun = performance.now();
    const isDone = !gatherSlice();
    before = performance.eventLoopUtilization();
    timer = isDone ? undefined : wait((performance.now() - begun) * (1 + (leftToOthers - 1) * utilization));
  }

  function wait(ms: number): NodeJS.Timeout {
    return setTimeout(work, ms).unref();
  }

  return {
    begin() {
      if (!isStopped) timer ??= wait(pause);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
