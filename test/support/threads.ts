import { createWorkers } from '../../server/runtime/workers/workers.ts';
import type { Workers } from '../../server/runtime/workers/workers.ts';

/** Threads are slow to begin, so that all tests of a process share them. They end with the process. */
export const threads: Workers = createWorkers();
