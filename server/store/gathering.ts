/** Has the words of what is at rest gathered (server/tables/words.ts) before somebody searches, while others work. */
import { collectionNames } from './collections.ts';
import type { Tables } from './tables.ts';

/** In ms: how long after a change it is looked for more. */
const pause = 500;

export interface Gathering {
  /** To be called when there may be something to gather. */
  begin(): void;
  stop(): void;
}

/** One chunk at a time, for at most half of the time. */
export function createGathering(tables: Tables): Gathering {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function gatherOne(): boolean {
    for (const name of collectionNames) {
      const table = tables[name];
      if (table.text && table.chunks.some((chunk) => table.gatherAtRest(chunk))) return true;
    }
    return false;
  }

  function work(): void {
    const begun = performance.now();
    timer = gatherOne() ? wait(performance.now() - begun) : undefined;
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
