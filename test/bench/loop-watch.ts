/**
 * Loaded into a server before its own code: writes down which turns of its event loop take long, in time of the processor, so
 * that what other programs take of it does not count. A line for each: when it had ended, in ms since 1970, and its ms.
 */
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['LAUDIO_BENCH_TURNS'];
/** ms of a turn that is worth a line. */
const long = 2;

if (isMainThread && file !== undefined) {
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    const ms = (user + system) / 1000;
    if (ms >= long) appendFileSync(file, `${Date.now()} ${ms}\n`);
  }, 1).unref();
}
