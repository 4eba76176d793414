/** Identifies processes in files: by a process id, which is valid in one container of one computer. */
import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Whether a process with this id runs here. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, but belongs to somebody else.
    return Object(error).code === 'EPERM';
  }
}

/** Linux: the namespace of process ids; `null` if the system has only one. */
export function namespaceOfPids(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** Identifies the place in which process ids are valid, in eight digits: this container of this computer. */
export const placeOfProcesses = (): string =>
  createHash('sha256').update(`${hostname()} ${namespaceOfPids()}`).digest('hex').slice(0, 8);
