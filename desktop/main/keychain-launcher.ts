/** The keychain's process under Electron, whose binary is no Node of its own any more (fuse `runAsNode`). */
import { utilityProcess } from 'electron';
import type { LaunchKeychain } from '../../src/node/keychain.ts';

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
      // One that hangs may not hear of it.
      ended();
      child.kill();
    },
  };
};
