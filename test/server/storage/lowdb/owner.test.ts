/** The data directory as two processes and other users of the machine meet it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import { openerOf } from '../../../support/open-stores.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const blob = 'blb_01JNA0000000000000000000AA';
const support = new URL('../../../support/open-stores.ts', import.meta.url).href;
const open = openerOf('lowdb');
const owner = `
  process.umask(0);
  const { openerOf } = await import(${JSON.stringify(support)});
  const { store, blobs } = await openerOf('lowdb')({ directory: process.argv[1] });
  await store.transact(async (tx) => tx.put('settings', { id: 'a', value: 1 }));
  await blobs.write(${JSON.stringify(blob)}, (async function* () { yield Buffer.from('audio'); })(), 100);
  console.log('ready');
  setInterval(() => {}, 1000);
`;

const modesOf = async (directory: string): Promise<Record<string, string>> => {
  const names = ['', ...(await readdir(directory))];
  const modes = await Promise.all(
    names.map(async (name) => [name, ((await stat(join(directory, name))).mode & 0o7777).toString(8)] as const),
  );
  return Object.fromEntries(modes);
};

describe.runIf(process.platform !== 'win32')('a directory that is open to others', () => {
  const journal = 'journal-0000000000000000.laudio';
  const lay = async (directory: string): Promise<void> => {
    const store = await openLowdbStore({ directory });
    await store.transact(async (tx) => tx.put('settings', { id: 'a', value: 1 }));
    await store.close();
    await mkdir(join(directory, 'audio'));
    for (const name of [journal, 'acknowledged']) await chmod(join(directory, name), 0o644);
    for (const name of ['audio', '.']) await chmod(join(directory, name), 0o777);
  };
  const start = async (directory: string): Promise<object[]> => {
    const told: object[] = [];
    await (await openLowdbStore({ directory, log: (entry) => void told.push(entry) })).close();
    return told;
  };

  test('is made private, and the operator is notified', async () => {
    const directory = await temporaryDirectory();
    await lay(directory);
    expect(await start(directory)).toEqual([
      { level: 'warn', event: 'permissions_tightened', names: ['.', 'acknowledged', 'audio', journal] },
    ]);
    expect(await modesOf(directory)).toEqual({
      '': '700',
      acknowledged: '600',
      audio: '700',
      'lock.held': '600',
      'journal-0000000000000000.header': '600',
      [journal]: '600',
    });
    expect(await start(directory)).toEqual([]);
  });

  test.each([
    [
      'that others use too',
      0o777,
      async (directory: string) => writeFile(join(directory, 'notes'), 'of somebody else'),
    ],
    ['in which everybody may put files', 0o1777, async () => {}],
  ])('%s is named, and what is ours in it made private', async (_what, mode, share) => {
    const directory = await temporaryDirectory();
    await lay(directory);
    await share(directory);
    await chmod(directory, mode);
    expect(await start(directory)).toEqual([
      { level: 'warn', event: 'permissions_tightened', names: ['acknowledged', 'audio', journal] },
      { level: 'warn', event: 'permissions_open', names: ['.'] },
    ]);
    expect(await modesOf(directory)).toMatchObject({ '': mode.toString(8), audio: '700', [journal]: '600' });
  });
});

test('is private to its owner, refused to a second process, and whole after the first was killed', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'laudio-owner-'));
  const directory = join(parent, 'data');
  const child = spawn(process.execPath, ['--input-type=module', '-e', owner, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  try {
    await Promise.race([
      once(child.stdout, 'data'),
      exit.then(() => Promise.reject(new Error('The owner ended before it was ready.'))),
    ]);
    if (process.platform !== 'win32') {
      const names = ['', ...(await readdir(directory, { recursive: true }))];
      const modes = await Promise.all(
        names.map(async (name) => [name, ((await stat(join(directory, name))).mode & 0o777).toString(8)] as const),
      );
      expect(Object.fromEntries(modes)).toEqual({
        '': '700',
        acknowledged: '600',
        audio: '700',
        [`audio/${blob}`]: '600',
        'journal-0000000000000000.header': '600',
        'journal-0000000000000000.laudio': '600',
        lock: '600',
        'lock.held': '600',
      });
    }
    await expect(open({ directory })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining(`process ${child.pid}`),
    });

    child.kill('SIGKILL');
    await exit;
    const { store, blobs, close } = await open({ directory });
    expect(await store.get('settings', 'a')).toEqual({ id: 'a', value: 1 });
    expect(await blobs.list()).toEqual([blob]);
    await close();
  } finally {
    child.kill('SIGKILL');
    await rm(parent, { recursive: true });
  }
});
