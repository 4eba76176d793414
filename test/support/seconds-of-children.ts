import { readdirSync, readFileSync } from 'node:fs';

/** Ticks a second of `/proc`, the same on every Linux that Node runs on. */
const ticks = 100;

/** Seconds that the processor worked for a process, and for its children that have ended. Source: proc_pid_stat(5). */
function readTimes(pid: string): { readonly parent: string; readonly own: number; readonly ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name, which may hold blanks: count from its end.
  const [, parent = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(9, 13).map(Number) as [number, number, number, number];
  return { parent, own: (user + system) / ticks, ended: (endedUser + endedSystem) / ticks };
}

/** Seconds that the processor worked for the processes that this one started, and that have ended; 0 where that is not known. */
export const secondsOfChildren = (): number => (process.platform === 'linux' ? readTimes('self').ended : 0);

/** Seconds that the processor has worked for all processes that the one of that id started. Linux alone. */
export function secondsOfFamily(parent: string): number {
  let seconds = readTimes(parent).ended;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const child = readTimes(pid);
      if (child.parent === parent) seconds += child.own;
    } catch {
      // It has ended meanwhile.
    }
  }
  return seconds;
}
