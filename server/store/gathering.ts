/** Has the words of what is at rest gathered (server/tables/chunk-words.ts) before somebody searches, while others work. */
import { performance } from 'node:perf_hooks';
import { collectionNames } from './collections.ts';
import type { Tables } from './tables.ts';

/** In ms: how long after a change it is looked for more. */
const pause = 500;

export interface Gathering {
  /** To be called when there may be something to gather. */
  begin(): void;
  stop(): void;
}

/** How many times as long as one chunk took is left to others who have all hands full; who have none get as long as it took. */
const leftToOthers = 50;

/** One chunk at a time: for half of the time while there is nothing else to do, and the less the more there is. */
export function createGathering(tables: Tables): Gathering {
  let timer: NodeJS.Timeout | undefined;
  let before = performance.eventLoopUtilization();
  let isStopped = false;

  function gatherOne(): boolean {
    for (const name of collectionNames) {
      const table = tables[name];
      if (table.text && table.chunks.some((chunk) => table.gatherAtRest(chunk))) return true;
    }
    return false;
  }

  function work(): void {
    const { utilization } = performance.eventLoopUtilization(before);
    const begun = performance.now();
    const isDone = !gatherOne();
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
