/** Starts a command line of the operator's in the system's shell, without the secrets of the server. */
import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import type { Clock } from '../../../src/domain/clock.ts';

export interface ShellCommand {
  readonly child: ChildProcess;
  /** Kills a running command with all processes that it started. */
  kill(): void;
  /**
   * Asks them to end, and kills them if they don't; also those that a command left behind. Resolves once the command has ended, or
   * the system does not end it.
   */
  end(machine: Clock): Promise<void>;
}

/** In ms of the machine's clock: from TERM to KILL, and from KILL until the command is left to the system. */
const grace = 5000;

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
  function signal(name: 'SIGTERM' | 'SIGKILL'): void {
    if (child.pid === undefined) return;
    try {
      process.kill(isGroup ? -child.pid : child.pid, name);
    } catch {
      // The process has already ended.
    }
  }
  const hasEnded = (machine: Clock): Promise<void> =>
    new Promise((resolve) => {
      if (!isRunning()) return resolve();
      const settle = (): void => {
        callOff();
        child.off('exit', settle);
        resolve();
      };
      const callOff = machine.schedule(machine.now() + grace, settle);
      child.on('exit', settle);
    });
  return {
    child,
    kill() {
      if (isRunning()) signal('SIGKILL');
    },
    async end(machine) {
      // The shell may end before what it started, which then has its number as that of the group.
      for (const name of ['SIGTERM', 'SIGKILL'] as const) {
        signal(name);
        await hasEnded(machine);
      }
    },
  };
}
