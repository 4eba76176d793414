/** The data directory as two processes and other users of the machine meet it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stores } from '../../../../server/store/registry.ts';

const blob = 'blb_01JNA0000000000000000000AA';
const registry = new URL('../../../../server/store/registry.ts', import.meta.url).href;
const owner = `
  process.umask(0);
  const { stores } = await import(${JSON.stringify(registry)});
  const { store, blobs } = await stores.lowdb({ directory: process.argv[1] });
  await store.transact(async (tx) => tx.put('settings', { id: 'a', value: 1 }));
  await blobs.write(${JSON.stringify(blob)}, (async function* () { yield Buffer.from('audio'); })(), 100);
  console.log('ready');
  setInterval(() => {}, 1000);
`;

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
        'journal-0000000000000000.laudio': '600',
        lock: '600',
        'lock.held': '600',
      });
    }
    await expect(stores.lowdb({ directory })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining(`process ${child.pid}`),
    });

    child.kill('SIGKILL');
    await exit;
    const { store, blobs, close } = await stores.lowdb({ directory });
    expect(await store.get('settings', 'a')).toEqual({ id: 'a', value: 1 });
    expect(await blobs.list()).toEqual([blob]);
    await close();
  } finally {
    child.kill('SIGKILL');
    await rm(parent, { recursive: true });
  }
}, 20_000);
