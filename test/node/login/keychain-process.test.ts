/** The keychain's process where Electron runs it: asked through its port, since such a process has no stdin. */
import { manualClock } from '../../../src/domain/clock.ts';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createKeychain } from '../../../src/node/login/keychain.ts';
import type { KeychainProcess } from '../../../src/node/login/keychain.ts';
import { waitingClock } from '../../../src/node/clock.ts';
import { run } from '../../support/process.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

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
    expect(stdout).toMatch(/^port:ready.*port:\{"error":".+"\}$/s);
  });
});

describe('another way to run it', () => {
  const answering = (answer: () => Promise<string>, more: Partial<KeychainProcess> = {}): KeychainProcess => ({
    ready: Promise.resolve(),
    ask: answer,
    kill: () => expect.unreachable(),
    ...more,
  });

  it('is given the program and the request, and its answer counts', async () => {
    const seen: unknown[] = [];
    const launch = (path: string) => ({
      ...answering(() => expect.unreachable()),
      async ask(request: string) {
        seen.push(path.endsWith('keychain-process.ts'), JSON.parse(request));
        return '{"secret":"s"}';
      },
    });
    const keychain = createKeychain({ clock: waitingClock, stateDirectory: await temporaryDirectory(), launch });
    expect(await keychain.get('a')).toBe('s');
    expect(seen).toEqual([true, { action: 'get', service: 'laudio', account: 'a' }]);
  });

  it('has its time measured from when it can answer, however long it takes to start', async () => {
    const clock = manualClock(0);
    const started = Promise.withResolvers<void>();
    const launch = () => answering(async () => '{"secret":"s"}', { ready: started.promise });
    const asked = createKeychain({ clock, stateDirectory: await temporaryDirectory(), launch }).get('a');
    clock.advance(50_000);
    started.resolve();
    expect(await asked).toBe('s');
  });

  it('is asked by one process at a time', async () => {
    let present = 0;
    let most = 0;
    const launch = () =>
      answering(async () => {
        most = Math.max(most, (present += 1));
        await new Promise((resolve) => setImmediate(resolve));
        present -= 1;
        return '{"secret":"s"}';
      });
    const keychain = createKeychain({ clock: waitingClock, stateDirectory: await temporaryDirectory(), launch });
    await Promise.all(['a', 'b', 'c'].map((account) => keychain.get(account)));
    expect(most).toBe(1);
  });

  it('is killed when it is silent, and says so when it dies', async () => {
    let killed = 0;
    const hung = Promise.withResolvers<string>();
    const stateDirectory = await temporaryDirectory();
    const clock = manualClock(0);
    const silent = answering(
      () => {
        setImmediate(() => clock.advance(3000));
        return hung.promise;
      },
      {
        kill() {
          killed += 1;
          hung.reject(new Error('killed'));
        },
      },
    );
    await expect(createKeychain({ clock, stateDirectory, launch: () => silent }).get('a')).rejects.toMatchObject({
      code: 'CREDENTIAL_STORE',
      message: 'The keychain of this system did not answer within 3 seconds.',
    });
    expect(killed).toBe(1);
    const dead = () => answering(() => Promise.reject(new Error('ended')));
    await expect(createKeychain({ clock: waitingClock, stateDirectory, launch: dead }).get('a')).rejects.toMatchObject({
      message: 'The keychain could not be asked.',
    });
  });
});
