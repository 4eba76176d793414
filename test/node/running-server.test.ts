import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { announceServer, findServer, findServers } from '../../src/node/running-server.ts';
import { manualClock } from '../../src/domain/clock.ts';
import type { ManualClock } from '../../src/domain/clock.ts';
import type { RunningServer } from '../../src/node/running-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let root: string;
let state: string;
let clock: ManualClock;
let troubles: unknown[];

beforeEach(async () => {
  root = await temporaryDirectory();
  state = join(root, 'state');
  clock = manualClock(0);
  troubles = [];
});

const running = (name: string, change: Partial<RunningServer> = {}): RunningServer => ({
  url: `http://127.0.0.1:4000/${name}`,
  pid: process.pid,
  data_dir: join(root, name),
  admin_token: 'canary-admin',
  started_at: '2026-03-02T11:30:00.000Z',
  ...change,
});

const announced = (server: RunningServer) =>
  announceServer(server, { stateDirectory: state, clock, onTrouble: (error) => void troubles.push(error) });

/** The number of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('a running server', () => {
  it('is found without being named, until it stops', async () => {
    const server = running('a', {
      test_client: { client_id: 'test_tc_local', client_secret: 's', redirect_uri: 'http://127.0.0.1/callback' },
    });
    const withdraw = await announced(server);
    expect(await findServer(state)).toEqual(server);
    expect(await findServer(state, server.data_dir)).toEqual(server);
    if (process.platform !== 'win32')
      expect((await stat(join(server.data_dir, 'server.json'))).mode & 0o777).toBe(0o600);
    await withdraw();
    await expect(findServer(state)).rejects.toMatchObject({ code: 'NETWORK', hint: 'Start one with "laudio serve".' });
    await expect(findServer(state, server.data_dir)).rejects.toMatchObject({ code: 'NETWORK' });
  });

  it('among several must be named; the newest is listed first, and no token is shown', async () => {
    await announced(running('a'));
    await announced(running('b', { started_at: '2026-03-02T12:00:00.000Z' }));
    expect((await findServers(state)).map(({ data_dir }) => data_dir)).toEqual([join(root, 'b'), join(root, 'a')]);
    const error: unknown = await findServer(state).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining(join(root, 'a')) });
    expect(JSON.stringify(error) + String(error)).not.toContain('canary');
    expect((await findServer(state, join(root, 'a'))).data_dir).toBe(join(root, 'a'));
  });

  it('that died is forgotten', async () => {
    await announced(running('a', { pid: await deadPid() }));
    expect(await findServers(state)).toEqual([]);
    expect(await readdir(join(state, 'servers'))).toEqual([]);
    await expect(findServer(state, join(root, 'a'))).rejects.toMatchObject({ code: 'NETWORK' });
  });

  it('whose data directory went away is found, so that its documents can be saved', async () => {
    const withdraw = await announced(running('a'));
    await rm(join(root, 'a'), { recursive: true });
    expect(await findServer(state)).toEqual(running('a'));
    expect(await findServer(state, join(root, 'a'))).toEqual(running('a'));
    await withdraw();
    expect(await findServers(state)).toEqual([]);
  });

  it('is not withdrawn by the one before it', async () => {
    const withdraw = await announced(running('a', { pid: await deadPid() }));
    await announced(running('a'));
    await withdraw();
    expect(JSON.parse(await readFile(join(root, 'a', 'server.json'), 'utf8'))).toMatchObject({ pid: process.pid });
    expect(await findServers(state)).toHaveLength(1);
  });

  it('that cannot write down where it is serves all the same, and is found once it could', async () => {
    await writeFile(state, 'a file in the place of the directory');
    const withdraw = await announced(running('a'));
    expect(troubles).toHaveLength(1);
    clock.advance(5000);
    await expect.poll(() => readdir(join(root, 'a'))).toEqual(['server.json']);
    await rm(state);
    await expect
      .poll(() => {
        clock.advance(5000);
        return findServers(state);
      })
      .toHaveLength(1);
    expect(troubles).toHaveLength(1);
    await withdraw();
    clock.advance(5000);
    expect(await findServers(state)).toEqual([]);
  });
});
