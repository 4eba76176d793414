import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLowdbStore } from '../../../../server/store/lowdb/lowdb-store.ts';
import { formatState, parseState } from '../../../../server/store/lowdb/state.ts';
import type { Store } from '../../../../server/store/store.ts';
import { hookedFileSystem, systemError } from './hooked-file-system.ts';
import type { Hook } from './hooked-file-system.ts';

let directory: string;
let hook: Hook;
let stores: Store[];

const open = async (): Promise<Store> => {
  const store = await openLowdbStore({ directory, fs: hookedFileSystem((call, path) => hook(call, path)) });
  stores.push(store);
  return store;
};
const calm = (): void => {
  hook = () => {};
};
const put = (store: Store, ...ids: string[]): Promise<void> =>
  store.transact(async (tx) => ids.forEach((id) => tx.put('settings', { id, value: id })));
const kept = async (store: Store): Promise<string[]> => (await store.find('settings', {})).map(({ id }) => id);
const file = (): string => join(directory, 'database.json');
const onDisk = async (): Promise<string[]> =>
  [...parseState(await readFile(file(), 'utf8'), 'database.json').collections.settings.keys()].toSorted().toReversed();

/** Lets everything run that does not wait for the gate. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Holds the next sync of a file until it is told how that goes. */
function gate(): { reached: Promise<void>; open: () => void; fail: (code: string) => void } {
  const reached = Promise.withResolvers<void>();
  const passed = Promise.withResolvers<void>();
  hook = (call) => {
    if (call !== 'handle.sync') return;
    calm();
    reached.resolve();
    return passed.promise;
  };
  return { reached: reached.promise, open: passed.resolve, fail: (code) => passed.reject(systemError(code)) };
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-lowdb-'));
  stores = [];
  calm();
});
afterEach(async () => {
  calm();
  for (const store of stores) await store.close();
  await rm(directory, { recursive: true });
});

describe('group commit', () => {
  test('puts the commits that wait for a write together into the next one', async () => {
    const store = await open();
    const { reached, open: letPass } = gate();
    const first = put(store, 'a');
    await reached;
    let writes = 0;
    hook = (call, path) => {
      if (call === 'rename' && basename(path).startsWith('.database.json')) writes++;
    };
    const others = [put(store, 'b'), put(store, 'c'), put(store, 'd')];
    letPass();
    await Promise.all([first, ...others]);
    expect(writes).toBe(2);
    expect(await onDisk()).toEqual(['d', 'c', 'b', 'a']);
  });

  test('has each commit on the disk before it is acknowledged', async () => {
    const store = await open();
    const { reached, open: letPass } = gate();
    let acknowledged = false;
    const commit = put(store, 'a').then(() => (acknowledged = true));
    await reached;
    await settle();
    expect(acknowledged).toBe(false);
    letPass();
    await commit;
    expect(await onDisk()).toEqual(['a']);
  });

  test('lets an outcome stand only once what it was based upon is durable', async () => {
    const store = await open();
    const { reached, fail } = gate();
    const outcomes = Promise.allSettled([
      put(store, 'a'),
      store.transact((tx) => tx.get('settings', 'a')),
      store.transact(async (tx) => {
        if (await tx.get('settings', 'a')) throw new Error('already there');
      }),
    ]);
    let settled = false;
    void outcomes.then(() => (settled = true));
    await reached;
    await settle();
    expect(settled).toBe(false);
    fail('EIO');
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_UNAVAILABLE' } });
    }
  });
});

describe('a write that fails', () => {
  test('refuses every waiting commit and takes the memory back to what is durable', async () => {
    const store = await open();
    await put(store, 'a', 'b');
    const { reached, fail } = gate();
    const first = store.transact(async (tx) => {
      tx.put('settings', { id: 'a', value: 'changed' });
      tx.remove('settings', 'b');
      tx.put('settings', { id: 'c', value: 'new' });
    });
    await reached;
    const second = store.transact(async (tx) => tx.put('settings', { id: 'c', value: 'newer' }));
    const inWork = Promise.withResolvers<void>();
    const third = store.transact(async (tx) => {
      tx.put('settings', { id: 'd', value: (await tx.get('settings', 'c'))?.value });
      await inWork.promise;
    });
    const outcomes = Promise.allSettled([first, second, third]);
    await settle();
    fail('ENOSPC');
    await expect(first).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    inWork.resolve();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_UNAVAILABLE' } });
    }
    expect(await store.find('settings', {})).toEqual([
      { id: 'b', value: 'b' },
      { id: 'a', value: 'a' },
    ]);
    expect(await onDisk()).toEqual(['b', 'a']);
    await put(store, 'e');
    expect(await onDisk()).toEqual(['e', 'b', 'a']);
    expect(await kept(store)).toEqual(['e', 'b', 'a']);
  });

  test('leaves disk and memory alike, at whatever call it fails', async () => {
    const store = await open();
    await put(store, 'start');
    const calls: string[] = [];
    hook = (call) => void calls.push(call);
    await put(store, 'counted');
    expect(calls).toEqual(expect.arrayContaining(['open', 'handle.writeFile', 'handle.sync', 'rename', 'unlink']));
    const acknowledged = ['start', 'counted'];
    for (let at = 0; at < calls.length; at++) {
      let count = 0;
      hook = () => {
        if (count++ === at) throw systemError(at % 2 === 0 ? 'EIO' : 'ENOSPC');
      };
      const id = `step ${at}`;
      const [outcome] = await Promise.allSettled([put(store, id)]);
      calm();
      if (outcome.status === 'fulfilled') acknowledged.push(id);
      // Only what tidies up behind a finished write may fail without consequence.
      expect(outcome.status, `${calls[at]}, call ${at}`).toBe(calls[at] === 'unlink' ? 'fulfilled' : 'rejected');
      expect(await kept(store), `memory, call ${at}`).toEqual(acknowledged.toSorted().toReversed());
      expect(await onDisk(), `disk, call ${at}`).toEqual(acknowledged.toSorted().toReversed());
    }
    await put(store, 'end');
    expect(await onDisk()).toEqual([...acknowledged, 'end'].toSorted().toReversed());
  });

  test('of a disk that is gone leaves reads up, and the next commit tries again', async () => {
    const store = await open();
    await put(store, 'a');
    hook = () => {
      throw systemError('EIO');
    };
    for (const id of ['b', 'c']) await expect(put(store, id)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await kept(store)).toEqual(['a']);
    calm();
    await put(store, 'd');
    expect(await onDisk()).toEqual(['d', 'a']);
  });
});

describe('opening', () => {
  test('removes temporary files that a crash left, and nothing else', async () => {
    const left = ['.database.json.0123456789abcdef.tmp', '.lock.0123456789abcdef.tmp'];
    for (const name of [...left, 'notes.tmp', 'server.json']) await writeFile(join(directory, name), 'x');
    const store = await open();
    await put(store, 'a');
    expect((await readdir(directory)).toSorted()).toEqual(['database.json', 'lock', 'notes.tmp', 'server.json']);
    await store.close();
    expect((await readdir(directory)).toSorted()).toEqual(['database.json', 'notes.tmp', 'server.json']);
  });

  test('refuses data of a newer schema', async () => {
    const text = '{"schema":2,"collections":{}}';
    await writeFile(file(), text);
    await expect(open()).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringMatching(/newer.*schema 2/),
    });
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  test.each([
    '',
    '[]',
    'null',
    '{"schema":"1","collections":{}}',
    '{"schema":0,"collections":{}}',
    '{"schema":1}',
    '{"schema":1,"collections":{"unknown":[]}}',
    '{"schema":1,"collections":{"__proto__":[]}}',
    '{"schema":1,"collections":{"items":{}}}',
    '{"schema":1,"collections":{"settings":[null]}}',
    '{"schema":1,"collections":{"settings":[{"value":1}]}}',
    '{"schema":1,"collections":{"settings":[{"id":"a"},{"id":"a"}]}}',
    '{"schema":1,"collections":{"users":[{"id":"usr_1","space":"local"}]}}',
    '{"schema":1,"collections":{"history":[{"id":"his_1","item_id":7}]}}',
  ])('refuses a damaged file, names it and leaves it alone: %s', async (text) => {
    await writeFile(file(), text);
    const refusal = await open().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'CONFIGURATION', message: expect.stringContaining('database.json') });
    expect((refusal as Error).message).not.toContain(directory);
    expect(await readFile(file(), 'utf8')).toBe(text);
    // The directory is free again.
    expect(await readdir(directory)).toEqual(['database.json']);
  });

  test('refuses a file that was cut off, wherever', async () => {
    const store = await open();
    await put(store, 'a', 'b');
    await store.close();
    const text = await readFile(file(), 'utf8');
    expect(formatState(parseState(text, 'database.json'))).toBe(text);
    for (let length = 0; length < text.length - 1; length++) {
      expect(() => parseState(text.slice(0, length), 'database.json')).toThrow('database.json');
    }
  });

  test.each(['mkdir', 'open', 'link', 'readdir'])('says so where the directory cannot be used: %s', async (failing) => {
    hook = (call) => {
      if (call === failing) throw systemError('EROFS');
    };
    await expect(open()).rejects.toMatchObject({ code: 'CONFIGURATION', message: expect.stringContaining('(EROFS)') });
    calm();
    expect(await readdir(directory)).toEqual([]);
  });

  test('says so where the file cannot be read', async () => {
    await writeFile(file(), '{}');
    hook = (call, path) => {
      if (call === 'readFile' && path === file()) throw systemError('EACCES');
    };
    await expect(open()).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('cannot be read'),
    });
  });
});
