import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explored } from '../../../support/explored.ts';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import type { ManualClock } from '../../../../src/domain/clock.ts';
import { afterCrash, dataFiles, failingAtEach, kept, put } from './data-directory.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';
import type { Hook } from '../../../support/hooked-file-system.ts';

let directory: string;
let hook: Hook;
let stores: Store[];
let clock: ManualClock;
let told: string[];

const open = async (): Promise<Store> => {
  const store = await openLowdbStore({
    directory,
    clock,
    fs: hookedFileSystem((call, path) => hook(call, path)),
    log: (entry) => void told.push(entry.event),
  });
  stores.push(store);
  return store;
};
const calm = (): void => {
  hook = () => {};
};
const onDisk = (): Promise<string[]> => afterCrash(directory);
const unavailable = { code: 'STORAGE_UNAVAILABLE', status: 503 };
const unknown = { code: 'OUTCOME_UNKNOWN', status: 503, retryAfter: 1 };

/** Lets everything run that does not wait for the gate. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Holds the next sync of commits until it is told how that goes. */
function gate(): { reached: Promise<void>; open: () => void; fail: (code: string) => void } {
  const reached = Promise.withResolvers<void>();
  const passed = Promise.withResolvers<void>();
  hook = (call) => {
    if (call !== 'handle.datasync') return;
    calm();
    reached.resolve();
    return passed.promise;
  };
  return { reached: reached.promise, open: passed.resolve, fail: (code) => passed.reject(systemError(code)) };
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-lowdb-'));
  stores = [];
  told = [];
  clock = manualClock(Date.UTC(2026, 2, 2));
  calm();
});
afterEach(async () => {
  calm();
  for (const store of stores) await store.close();
  await rm(directory, { recursive: true, force: true });
});

describe('group commit', () => {
  test('puts the commits that wait for a write together into the next one', async () => {
    const store = await open();
    const { reached, open: letPass } = gate();
    const first = put(store, 'a');
    await reached;
    let writes = 0;
    hook = (call) => {
      if (call === 'handle.datasync') writes++;
    };
    const others = [put(store, 'b'), put(store, 'c'), put(store, 'd')];
    letPass();
    await Promise.all([first, ...others]);
    expect(writes).toBe(1);
    expect(await onDisk()).toEqual(['a', 'b', 'c', 'd']);
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

  test('reports an outcome only once its basis is durable', async () => {
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
    const reached = Promise.withResolvers<void>();
    const passed = Promise.withResolvers<void>();
    hook = async (call) => {
      if (call !== 'handle.write') return;
      calm();
      reached.resolve();
      await passed.promise;
      throw systemError('ENOSPC');
    };
    const first = store.transact(async (tx) => {
      tx.put('settings', { id: 'a', value: 'changed' });
      tx.remove('settings', 'b');
      tx.put('settings', { id: 'c', value: 'new' });
      // So much that it is not written at once.
      tx.put('settings', { id: 'e', value: 'x'.repeat(100_000) });
    });
    await reached.promise;
    const second = store.transact(async (tx) => tx.put('settings', { id: 'c', value: 'newer' }));
    const inWork = Promise.withResolvers<void>();
    const third = store.transact(async (tx) => {
      tx.put('settings', { id: 'd', value: (await tx.get('settings', 'c'))?.value });
      await inWork.promise;
    });
    const outcomes = Promise.allSettled([first, second, third]);
    await settle();
    passed.resolve();
    await expect(first).rejects.toMatchObject(unavailable);
    inWork.resolve();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable });
    expect(await store.find('settings', {})).toEqual([
      { id: 'b', value: 'b' },
      { id: 'a', value: 'a' },
    ]);
    expect(await onDisk()).toEqual(['a', 'b']);
    await put(store, 'e');
    expect(await onDisk()).toEqual(['a', 'b', 'e']);
    expect(await kept(store)).toEqual(['a', 'b', 'e']);
  });

  test.each(['EIO', 'ENOSPC', 'short'])(
    'leaves disk and memory alike, at whatever call it fails: %s',
    async (failure) => {
      /** A store whose next commit is the first one, one like most, or the one after a failed sync. */
      const states = {
        first: async (_store: Store) => {},
        further: async (store: Store) => put(store, 'start'),
        recovering: async (store: Store) => {
          await put(store, 'start');
          hook = (call) => {
            if (call === 'handle.datasync') throw systemError('EIO');
          };
          await expect(put(store, 'refused')).rejects.toMatchObject(unknown);
          calm();
        },
      };
      // Only what is written can be short, and what is written fills a disk.
      const isTried = (call: string): boolean =>
        failure === 'EIO' || (failure === 'ENOSPC' && explored.isOn) || call === 'handle.write';
      for (const [state, prepare] of Object.entries(states)) {
        await failingAtEach(async (turn, call) => {
          const store = await open();
          await prepare(store);
          const before = await kept(store);
          let failed = '';
          hook = (name, path) => {
            if (turn(name, path) !== 0) return;
            failed = name;
            if (failure !== 'short') throw systemError(failure);
            return 3;
          };
          const [outcome] = await Promise.allSettled([put(store, 'new')]);
          calm();
          const where = `${state}, ${call}`;
          if (outcome.status === 'rejected') expect(outcome.reason, where).toMatchObject(unavailable);
          if (failed === 'handle.datasync') expect(outcome.status, where).toBe('rejected');
          const expected = outcome.status === 'fulfilled' ? [...before, 'new'].toSorted() : before;
          expect(await kept(store), `memory: ${where}`).toEqual(expected);
          expect(await onDisk(), `disk: ${where}`).toEqual(expected);
          clock.advance(1000);
          await put(store, 'next');
          expect(await onDisk(), `afterwards: ${where}`).toEqual([...expected, 'next'].toSorted());
          await store.close();
          await rm(directory, { recursive: true });
        }, isTried);
      }
    },
  );

  test('of a full disk does not outlast it', async () => {
    const store = await open();
    await put(store, 'a');
    hook = (call) => {
      if (call === 'handle.write') throw systemError('ENOSPC');
    };
    for (const id of ['b', 'c']) await expect(put(store, id)).rejects.toMatchObject(unavailable);
    expect(await kept(store)).toEqual(['a']);
    calm();
    await put(store, 'd');
    expect(await onDisk()).toEqual(['a', 'd']);
    expect(await dataFiles(directory)).toHaveLength(1);
  });
});

describe('a commit that the disk refuses, and refuses to remove again', () => {
  test.each([
    ['handle.datasync', 'handle.truncate'],
    ['handle.datasync', 'handle.datasync'],
    ['handle.write', 'handle.truncate'],
    ['handle.write', 'handle.datasync'],
  ])('has an unknown outcome, for it may be there after a crash: %s, then %s', async (first, second) => {
    const store = await open();
    await put(store, 'a');
    const reached = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let isUnderWay = false;
    hook = async (call, path) => {
      if (!path.endsWith('.laudio')) return;
      if (isUnderWay && call === second) throw systemError('EIO');
      if (call !== first) return;
      isUnderWay = true;
      reached.resolve();
      await release.promise;
      throw systemError('EIO');
    };
    const begun = put(store, 'b');
    await reached.promise;
    setImmediate(release.resolve);
    const outcomes = await Promise.allSettled([
      begun,
      // What follows was not written, or writes nothing.
      put(store, 'c'),
      store.transact(async (tx) => {
        if (await tx.get('settings', 'b')) throw new Error('based on it');
      }),
    ]);
    expect(outcomes).toMatchObject([
      { reason: unknown },
      { reason: { code: 'STORAGE_UNAVAILABLE' } },
      { reason: { code: 'STORAGE_UNAVAILABLE' } },
    ]);
    expect(await kept(store)).toEqual(['a']);
    if (first === 'handle.datasync' && second === 'handle.truncate') expect(await onDisk()).toEqual(['a', 'b']);
    calm();
    clock.advance(1000);
    // Sent again, it is there once, also for a later start.
    await put(store, 'b');
    expect(await onDisk()).toEqual(['a', 'b']);
  });
});

describe('a sync that fails', () => {
  const failing: Hook = (call) => {
    if (call === 'handle.datasync' || call === 'handle.sync') throw systemError('EIO');
  };

  test('is never tried again on that file: the store goes on in fresh ones', async () => {
    const store = await open();
    await put(store, 'a');
    const before = await dataFiles(directory);
    hook = failing;
    await expect(put(store, 'b')).rejects.toMatchObject(unknown);
    calm();
    await put(store, 'c');
    await put(store, 'd');
    const after = await dataFiles(directory);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
    expect(after).toEqual([expect.stringMatching(/^journal/), expect.stringMatching(/^snapshot/)]);
    expect(await onDisk()).toEqual(['a', 'c', 'd']);
    expect(told).toEqual(['store_read_only', 'store_writable_again']);
  });

  test('is over as soon as the disk is well again, though somebody has set the clock back meanwhile', async () => {
    const store = await open();
    await put(store, 'a');
    hook = failing;
    await expect(put(store, 'b')).rejects.toMatchObject(unknown);
    await expect(put(store, 'c')).rejects.toMatchObject(unavailable);
    clock.set(clock.now() - 24 * 3600 * 1000);
    calm();
    clock.advance(1000);
    await put(store, 'd');
    expect(await onDisk()).toEqual(['a', 'd']);
  });

  test('leaves reads up, and is not followed by an attempt at every commit', async () => {
    const store = await open();
    await put(store, 'a');
    hook = failing;
    await expect(put(store, 'b')).rejects.toMatchObject(unknown);
    let attempts = 0;
    hook = (call, path) => {
      if (call === 'open' && path.includes('snapshot')) attempts++;
      return failing(call, path);
    };
    for (let n = 0; n < 10; n++) await expect(put(store, 'c')).rejects.toMatchObject(unavailable);
    expect(attempts).toBe(1);
    clock.advance(999);
    await expect(put(store, 'c')).rejects.toMatchObject(unavailable);
    expect(attempts).toBe(1);
    clock.advance(1);
    await expect(put(store, 'c')).rejects.toMatchObject(unavailable);
    expect(attempts).toBe(2);
    expect(await kept(store)).toEqual(['a']);
    calm();
    clock.advance(1000);
    await put(store, 'd');
    expect(await onDisk()).toEqual(['a', 'd']);
  });
});

describe('replacing everything', () => {
  async function* documents(...ids: string[]) {
    for (const id of ids) yield { collection: 'settings' as const, document: { id, value: id } };
  }

  test('is all or nothing, at whatever call it fails', async () => {
    await failingAtEach(async (turn, where) => {
      const store = await open();
      await put(store, 'a', 'b');
      hook = (call, path) => {
        if (turn(call, path) === 0) throw systemError('EIO');
      };
      const [outcome] = await Promise.allSettled([store.replace(documents('c', 'd'))]);
      calm();
      const expected = outcome.status === 'fulfilled' ? ['c', 'd'] : ['a', 'b'];
      expect(await kept(store), `memory, ${where}`).toEqual(expected);
      expect(await onDisk(), `disk, ${where}`).toEqual(expected);
      clock.advance(1000);
      await put(store, 'e');
      expect(await onDisk(), `afterwards, ${where}`).toEqual([...expected, 'e']);
      await store.close();
      await rm(directory, { recursive: true });
    });
  });

  test('leaves nothing of before', async () => {
    const store = await open();
    await put(store, 'a');
    await store.replace(documents('b'));
    expect(await dataFiles(directory)).toEqual([expect.stringMatching(/^snapshot/)]);
    await put(store, 'c');
    expect(await onDisk()).toEqual(['b', 'c']);
  });
});

describe('opening', () => {
  test('removes temporary files that a crash left, and nothing else', async () => {
    const left = ['.snapshot-0000000000000001.laudio.0123456789abcdef.tmp', '.lock.0123456789abcdef.tmp'];
    for (const name of [...left, 'notes.tmp', 'server.json']) await writeFile(join(directory, name), 'x');
    const store = await open();
    await put(store, 'a');
    const journal = 'journal-0000000000000000.laudio';
    expect((await readdir(directory)).toSorted()).toEqual([
      'acknowledged',
      'journal-0000000000000000.header',
      journal,
      'lock',
      'lock.held',
      'notes.tmp',
      'server.json',
    ]);
    await store.close();
    expect((await readdir(directory)).toSorted()).toEqual([
      'acknowledged',
      'journal-0000000000000000.header',
      journal,
      'lock.held',
      'notes.tmp',
      'server.json',
    ]);
  });

  test('names the file that the system does not read', async () => {
    await (await open()).close();
    hook = (call, path) => {
      if (call === 'readFile' && path.endsWith('acknowledged'))
        throw Object.assign(systemError('EIO'), { syscall: 'read' });
    };
    await expect(open()).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: 'The data directory cannot be used: acknowledged cannot be read (EIO).',
    });
  });

  test.each(['mkdir', 'open', 'link', 'readdir'])('says so where the directory cannot be used: %s', async (failing) => {
    hook = (call) => {
      if (call === failing) throw systemError('EROFS');
    };
    await expect(open()).rejects.toMatchObject({ code: 'CONFIGURATION', message: expect.stringContaining('(EROFS)') });
    calm();
    expect((await readdir(directory)).filter((name) => name !== 'lock.held')).toEqual([]);
  });
});
