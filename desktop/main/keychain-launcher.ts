/** Starts the process of the keychain under Electron, whose binary no longer runs as Node (fuse `runAsNode`). */
import { utilityProcess } from 'electron';
import type { LaunchKeychain } from '../../src/node/login/keychain.ts';

export const launchUtility: LaunchKeychain = (program, request) => {
  const child = utilityProcess.fork(program, [], {
    env: { ...process.env, NODE_OPTIONS: '' },
    serviceName: 'Laudio keychain',
    stdio: 'ignore',
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const ended = (): void => reject(new Error('The keychain’s process ended without an answer.'));
  child.once('message', (message: unknown) => {
    resolve(String(message));
    child.kill();
  });
  child.once('exit', ended);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
  child.postMessage(request);
  return {
    answer: promise,
    kill() {
      // A process that hangs may not react to the message.
      ended();
      child.kill();
    },
  };
};
