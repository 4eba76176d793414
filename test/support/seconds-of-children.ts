import { readFileSync } from 'node:fs';

/** Ticks a second of `/proc`, the same on every Linux that Node runs on. */
const ticks = 100;

/**
 * Seconds that the processor worked for the processes that this one started, and that have ended; 0 where that is not
 * known. Source: proc_pid_stat(5), cutime and cstime.
 */
export function secondsOfChildren(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The second field is a name, which may hold blanks: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticks;
}
