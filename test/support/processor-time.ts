/** Notes with each test file what the processor worked for it, which a busy machine changes less than the wall's time. */
import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds that the processor worked for the file: in its process and, on Linux, in those that it started and that ended. */
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

function secondsSoFar(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + secondsOfChildren();
}

// Run before each file. What came before it in the same process is not its own, the start of a process is.
const before = process.uptime() < 2 ? 0 : secondsSoFar();

// Hooks run in reverse order: what the file itself started has ended.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from it that the hook wants no fixtures.
afterAll(({}, { file }) => {
  file.meta.processorSeconds = secondsSoFar() - before;
});
