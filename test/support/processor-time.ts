/** Notes with each test file what the processor worked for it, which a busy machine changes less than the wall's time. */
import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds that the processor worked for the file: its own process and, on Linux, those that it started and that ended. */
    processorSeconds?: number;
  }
}

/** Ticks a second of `/proc`, the same on every Linux that Node runs on. */
const ticks = 100;

/** Seconds of the processes that this one started, and that have ended. Source: proc_pid_stat(5), cutime and cstime. */
function secondsOfChildren(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The second field is a name, which may hold blanks: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticks;
}

// Hooks run in reverse order: what the file itself started has ended. Each file has a process of its own.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from it that the hook wants no fixtures.
afterAll(({}, { file }) => {
  const { user, system } = process.cpuUsage();
  file.meta.processorSeconds = (user + system) / 1e6 + secondsOfChildren();
});
