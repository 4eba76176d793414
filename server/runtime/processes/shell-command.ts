/** Starts a command line of the operator's in the system's shell, without the secrets of the server. */
import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import type { Clock } from '../../../src/domain/clock.ts';

export interface ShellCommand {
  readonly child: ChildProcess;
  /** Kills a running command with all processes that it started. */
  kill(): void;
  /**
   * Asks them to end, and kills them if they don't; also those that a command left behind. Resolves once they are gone, or the system
   * does not end them.
   */
  end(machine: Clock): Promise<void>;
}

/** In ms of the machine's clock: from TERM to KILL, and from KILL until the processes are left to the system. */
const grace = 5000;
/** In ms: the system reports the end of the command, but not of what it started. */
const pollEvery = 20;

export function startShellCommand(command: string, stdio: StdioOptions): ShellCommand {
  const isGroup = process.platform !== 'win32';
  const child = spawn(command, {
    shell: true,
    stdio,
    detached: isGroup,
    windowsHide: true,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LAUDIO_'))),
  });
  const isRunning = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  /** Returns whether a process was there to get it; 0 only asks. */
  function signal(name: 'SIGTERM' | 'SIGKILL' | 0): boolean {
    if (child.pid === undefined) return false;
    try {
      return process.kill(isGroup ? -child.pid : child.pid, name);
    } catch {
      return false;
    }
  }
  const awaitEnd = (machine: Clock): Promise<void> =>
    new Promise((resolve) => {
      const settle = (): void => {
        callOff();
        clearInterval(polling);
        resolve();
      };
      const callOff = machine.schedule(machine.now() + grace, settle);
      const polling = setInterval(() => signal(0) || settle(), pollEvery);
    });
  return {
    child,
    kill() {
      if (isRunning()) signal('SIGKILL');
    },
    async end(machine) {
      // The shell may end before what it started, which then has its number as that of the group.
      for (const name of ['SIGTERM', 'SIGKILL'] as const) if (signal(name)) await awaitEnd(machine);
    },
  };
}
