/** Starts a command line of the operator's in the system's shell, without the secrets of the server. */
import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';

export interface ShellCommand {
  readonly child: ChildProcess;
  /** Ends a running command with all processes that it started. */
  kill(): void;
}

export function startShellCommand(command: string, stdio: StdioOptions): ShellCommand {
  const isGroup = process.platform !== 'win32';
  const child = spawn(command, {
    shell: true,
    stdio,
    detached: isGroup,
    windowsHide: true,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LAUDIO_'))),
  });
  return {
    child,
    kill() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      try {
        process.kill(isGroup ? -child.pid : child.pid, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    },
  };
}
