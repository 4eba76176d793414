/** The keychain's process where Electron runs it: asked through its port, since such a process has no stdin. */
import { manualClock } from '../../../src/domain/clock.ts';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createKeychain } from '../../../src/node/login/keychain.ts';
import { waitingClock } from '../../../src/node/waiting-clock.ts';
import { run } from '../../support/process.ts';

const program = fileURLToPath(new URL('../../../src/node/login/keychain-process.ts', import.meta.url));

/** Stands for Electron's `process.parentPort`: one request in, the answer on stdout. */
const port = (request: unknown) =>
  `data:text/javascript,${encodeURIComponent(`
  process.parentPort = {
    once: (event, listener) => setImmediate(listener, { data: ${JSON.stringify(JSON.stringify(request))} }),
    postMessage: (line) => process.stdout.write('port:' + line),
  };
`)}`;

describe.runIf(process.platform === 'linux')('through a port', () => {
  it('answers what it was asked', async () => {
    const request = { action: 'get', service: 'laudio', account: 'default (test)' };
    const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
    const { code, stdout } = await run(process.execPath, ['--import', port(request), program], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^port:\{"error":".+"\}$/s);
  });
});

describe('another way to run it', () => {
  it('is given the program and the request, and its answer counts', async () => {
    const seen: unknown[] = [];
    const keychain = createKeychain(waitingClock, (path, request) => {
      seen.push(path.endsWith('keychain-process.ts'), JSON.parse(request));
      return { answer: Promise.resolve('{"secret":"s"}'), kill: () => expect.unreachable() };
    });
    expect(await keychain.get('a')).toBe('s');
    expect(seen).toEqual([true, { action: 'get', service: 'laudio', account: 'a' }]);
  });

  it('is killed when it is silent, and says so when it dies', async () => {
    let killed = 0;
    const hung = Promise.withResolvers<string>();
    const clock = {
      ...manualClock(0),
      schedule: (_at: number, task: () => void) => (queueMicrotask(task), () => undefined),
    };
    const kill = () => {
      killed += 1;
      hung.reject(new Error('killed'));
    };
    await expect(createKeychain(clock, () => ({ answer: hung.promise, kill })).get('a')).rejects.toMatchObject({
      code: 'CREDENTIAL_STORE',
      message: 'The keychain of this system did not answer within 3 seconds.',
    });
    expect(killed).toBe(1);
    const dead = createKeychain(waitingClock, () => ({
      answer: Promise.reject(new Error('ended')),
      kill: () => undefined,
    }));
    await expect(dead.get('a')).rejects.toMatchObject({ message: 'The keychain could not be asked.' });
  });
});
