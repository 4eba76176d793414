/** Starts the keychain process under Electron, whose binary no longer runs as Node (fuse `runAsNode`). */
import { utilityProcess } from 'electron';
import type { LaunchKeychain } from '../../src/node/login/keychain.ts';

export const launchUtility: LaunchKeychain = (program) => {
  const child = utilityProcess.fork(program, [], {
    env: { ...process.env, NODE_OPTIONS: '' },
    serviceName: 'Laudio keychain',
    stdio: 'ignore',
  });
  const ready = Promise.withResolvers<string>();
  const answer = Promise.withResolvers<string>();
  // Prevents unhandled rejections of the promise that is not awaited.
  for (const { promise } of [ready, answer]) promise.catch(() => undefined);
  const ended = (): void => {
    for (const { reject } of [ready, answer]) reject(new Error('The keychain’s process ended without an answer.'));
  };
  child.once('message', () => {
    child.once('message', (message: unknown) => {
      answer.resolve(String(message));
      child.kill();
    });
    ready.resolve('');
  });
  child.once('exit', ended);
  return {
    ready: ready.promise,
    ask(request) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
      child.postMessage(request);
      return answer.promise;
    },
    kill() {
      // A hung process may not react to the message.
      ended();
      child.kill();
    },
  };
};
