/** Runs a module in a separate Node process. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from './own-process.ts';
import type { LaunchProcess, ProcessEnd } from './own-process.ts';

export const launchNode: LaunchProcess = (module, { heapMiB = 256 }) => {
  const child = fork(fileURLToPath(module), {
    env: processEnvironment(),
    // The signal would open a debugger for everybody on this computer.
    execArgv: [`--max-old-space-size=${heapMiB}`, '--disable-sigusr1'],
    // Structured clones: typed arrays are preserved.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const { promise: ended, resolve } = Promise.withResolvers<ProcessEnd>();
  child.once('exit', (code, signal) => resolve({ code, signal }));
  // Emitted if a process cannot be started, or for a message to a process that has just ended.
  child.on('error', () => {
    if (child.pid === undefined) resolve({ code: null, signal: null });
  });
  return {
    pid: child.pid,
    post(message) {
      if (child.connected) child.send(message as object, () => {});
    },
    listen: (listener) => void child.on('message', listener),
    ended,
    kill: () => void child.kill('SIGKILL'),
  };
};
