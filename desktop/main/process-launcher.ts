/** Runs a module of the server in a utility process: Electron's binary no longer runs as Node (fuse `runAsNode`). */
import { fileURLToPath } from 'node:url';
import { utilityProcess } from 'electron';
import { processEnvironment } from '../../server/index.ts';
import type { LaunchProcess, ProcessEnd } from '../../server/index.ts';

export const launchUtilityProcess: LaunchProcess = (module, { name, heapMiB = 256 }) => {
  const child = utilityProcess.fork(fileURLToPath(module), [], {
    env: processEnvironment(),
    execArgv: [`--max-old-space-size=${heapMiB}`],
    serviceName: name,
    stdio: 'ignore',
  });
  const { promise: ended, resolve } = Promise.withResolvers<ProcessEnd>();
  child.once('exit', (code) => resolve({ code, signal: null }));
  return {
    get pid() {
      return child.pid;
    },
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
    post: (message) => child.postMessage(message),
    listen: (listener) => void child.on('message', listener),
    ended,
    kill: () => void child.kill(),
  };
};
