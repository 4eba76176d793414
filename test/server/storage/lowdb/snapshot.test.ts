/** Snapshots, which keep the journal short: made while commits go on, and done without where one is bad. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as fc from '../../../support/properties.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampled } from '../../../support/explored.ts';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import { headerLength } from '../../../../server/storage/lowdb/frame.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { afterCrash, asCrashed, dataFiles, failingAtEach, foundIn, kept, put } from './data-directory.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';
import type { Hook } from '../../../support/hooked-file-system.ts';

let directory: string;
let hook: Hook;
let told: object[];

/** Makes a snapshot as often as possible. */
const eager = { journalLimit: 1, log: (entry: object) => void told.push(entry) };
const open = (): Promise<Store> =>
  openLowdbStore({ directory, ...eager, fs: hookedFileSystem((call, path) => hook(call, path)) });
const snapshots = async (): Promise<string[]> =>
  (await dataFiles(directory)).filter((name) => name.startsWith('snapshot'));
const path = (name: string): string => join(directory, name);

/** Until `n` snapshots were made since the store was opened; each commit begins one where none is under way. */
async function commitUntil(store: Store, n: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0, last = ''; made < n;) {
    const id = `id ${String(ids.length).padStart(4, '0')}`;
    await put(store, id);
    ids.push(id);
    const newest = (await snapshots()).at(-1) ?? '';
    if (newest !== last) made++;
    last = newest;
  }
  return ids;
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-files-'));
  hook = () => {};
  told = [];
});
afterEach(() => rm(directory, { recursive: true }));

test('two are kept, and only the journals that they need', async () => {
  const store = await open();
  const ids = await commitUntil(store, 5);
  await store.close();
  const files = await dataFiles(directory);
  const [older] = await snapshots();
  expect(await snapshots()).toHaveLength(2);
  const needed = `journal-${older!.slice('snapshot-'.length)}`;
  for (const name of files.filter((each) => each.startsWith('journal'))) expect(name >= needed, name).toBe(true);
  expect(await foundIn(directory)).toEqual(ids);
});

describe('the first snapshot', () => {
  const openAsServer = () =>
    openLowdbStore({ directory, journalLimit: undefined, log: (entry) => void told.push(entry) });

  test('is made when the store is closed, however little there is, and everything has a second copy', async () => {
    const store = await openAsServer();
    await put(store, 'a');
    expect(await snapshots()).toEqual([]);
    await store.close();
    expect(await snapshots()).toHaveLength(1);
    const [journal] = (await dataFiles(directory)).filter((name) => name.startsWith('journal'));
    for (const lost of [journal!, (await snapshots())[0]!]) {
      await asCrashed(directory, async (copy) => {
        await writeFile(join(copy, lost), (await readFile(path(lost))).fill(0, headerLength));
        expect(await foundIn(copy)).toEqual(['a']);
      });
    }
    // Nothing is outdated, so there is no second one.
    const again = await openAsServer();
    await put(again, 'b');
    await again.close();
    expect(await snapshots()).toHaveLength(1);
    expect(told).toEqual([]);
  });

  test('is made in the background after some commits, and goes on through a stop at any time', async () => {
    const store = await openAsServer();
    const ids = await commitUntil(store, 1);
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.length).toBeLessThan(1000);
    await store.close();
    expect(await foundIn(directory)).toEqual(ids);
  });

  test('of a store that was killed is made when the next one is closed', async () => {
    const store = await openAsServer();
    await put(store, 'a');
    await asCrashed(directory, async (copy) => {
      await (await openLowdbStore({ directory: copy, journalLimit: undefined })).close();
      expect((await dataFiles(copy)).map((name) => name.split('-')[0])).toEqual(['journal', 'snapshot']);
    });
    await store.close();
  });

  test('that cannot be written keeps nobody from closing', async () => {
    hook = (call, name) => {
      if (call === 'open' && name.includes('snapshot')) throw systemError('ENOSPC');
    };
    const store = await openLowdbStore({
      directory,
      journalLimit: undefined,
      fs: hookedFileSystem((call, name) => hook(call, name)),
      log: (entry) => void told.push(entry),
    });
    await put(store, 'a');
    await store.close();
    expect(told).toEqual([{ level: 'warn', event: 'snapshot_failed', code: 'ENOSPC' }]);
    expect(await foundIn(directory)).toEqual(['a']);
  });

  test('is not made where nothing was stored', async () => {
    await (await openAsServer()).close();
    expect(await dataFiles(directory)).toEqual([]);
  });
});

describe('a snapshot that the disk did not write as it said', () => {
  test('is found out before anything that it replaces is removed', async () => {
    const store = await open();
    const ids = await commitUntil(store, 2);
    await store.close();
    const before = await snapshots();
    // What the disk keeps differs from what was written.
    hook = async (call, name) => {
      if (call !== 'open' || !/snapshot.*\.tmp$/.test(name)) return;
      const written = await readFile(name).catch(() => undefined);
      if (!written) return;
      written[headerLength + 40]! ^= 1;
      await writeFile(name, written);
    };
    const again = await open();
    for (const id of ['x', 'y']) {
      await put(again, id);
      await again.compact().catch(() => undefined);
    }
    await again.close();
    expect(await snapshots()).toEqual(before);
    expect(told).toContainEqual({ level: 'warn', event: 'snapshot_failed', code: 'EIO' });
    expect(await foundIn(directory)).toEqual([...ids, 'x', 'y']);
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

/** Numbers from the first up to the last, which is one of them; in the gate but a few. */
const spread = (from: number, to: number, step: number): readonly number[] => [
  ...sampled(
    Array.from({ length: Math.ceil((to - 1 - from) / step) }, (_, n) => from + n * step),
    8,
  ),
  to - 1,
];

describe('a snapshot that is damaged', () => {
  test('is done without, whatever byte of it, and kept for whoever can read it', async () => {
    const store = await open();
    const ids = await commitUntil(store, 2);
    await store.close();
    const newest = (await snapshots()).at(-1)!;
    const whole = await readFile(path(newest));
    const from = headerLength;
    for (const at of spread(from, whole.length, 7)) {
      await asCrashed(directory, async (copy) => {
        const changed = Buffer.from(whole);
        changed[at]! ^= 1;
        await writeFile(join(copy, newest), changed);
        expect(await foundIn(copy, { ...eager, journalLimit: 1e9 }), `byte ${at}`).toEqual(ids);
        expect(await readdir(copy), `byte ${at}`).not.toContain(newest);
        expect(await readFile(join(copy, 'quarantine', newest))).toEqual(changed);
        expect(told.pop()).toEqual({
          level: 'warn',
          event: 'snapshot_damaged',
          file: newest,
          kept: join('quarantine', newest),
        });
      });
    }
    for (const length of spread(0, whole.length, 11)) {
      await asCrashed(directory, async (copy) => {
        await writeFile(join(copy, newest), whole.subarray(0, length));
        expect(await foundIn(copy), `length ${length}`).toEqual(ids);
      });
    }
  });

  test('is missed where nothing else has what is in it', async () => {
    const store = await open();
    await put(store, 'a');
    async function* none() {}
    await store.replace(none());
    await put(store, 'b');
    await store.close();
    const [name] = await snapshots();
    const bytes = await readFile(path(name!));
    await writeFile(path(name!), bytes.subarray(0, -1));
    await expect(foundIn(directory)).rejects.toMatchObject({
      code: 'DATA_DAMAGED',
      message: expect.stringContaining(name!),
      hint: expect.stringContaining('laudio server repair'),
    });
    await rm(path(name!));
    await expect(foundIn(directory)).rejects.toMatchObject({ message: expect.stringContaining('are missing') });
  });
});

describe('a snapshot that cannot be written', () => {
  test.each(['open', 'handle.writeFile', 'handle.sync', 'rename'])(
    'leaves everything as it was, and another is made later: %s',
    async (failing) => {
      const store = await open();
      let failed = 0;
      hook = (call, name) => {
        if (call !== failing || !basename(name).includes('snapshot')) return;
        failed++;
        throw systemError('ENOSPC');
      };
      const ids: string[] = [];
      for (; failed < 2; ids.push(`a ${String(ids.length).padStart(4, '0')}`))
        await put(store, `a ${String(ids.length).padStart(4, '0')}`);
      expect(await snapshots()).toEqual([]);
      expect(await afterCrash(directory)).toEqual(ids);
      hook = () => {};
      const more = await commitUntil(store, 1);
      await store.close();
      expect(told).toContainEqual({ level: 'warn', event: 'snapshot_failed', code: 'ENOSPC' });
      expect(await foundIn(directory)).toEqual([...ids, ...more]);
      expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );
});

describe('compaction', () => {
  const onDisk = async (): Promise<string> =>
    (await Promise.all((await dataFiles(directory)).map((name) => readFile(path(name), 'latin1')))).join('');
  /** Snapshots only where they are asked for. */
  const openPlain = (): Promise<Store> =>
    openLowdbStore({ directory, fs: hookedFileSystem((call, name) => hook(call, name)) });

  test('leaves nothing on disk of what was removed or changed, and two snapshots of what is kept', async () => {
    const store = await openPlain();
    await put(store, 'kept', 'removed', 'changed');
    await store.transact(async (tx) => {
      tx.remove('settings', 'removed');
      tx.put('settings', { id: 'changed', value: 'anew' });
    });
    expect(await onDisk()).toMatch(/"removed"/);
    const writers = Array.from({ length: 20 }, (_, n) => put(store, `while ${n}`));
    await Promise.all([store.compact(), ...writers]);
    expect(await onDisk()).not.toMatch(/removed|"value":"changed"/);
    expect(await snapshots()).toHaveLength(2);
    const ids = await kept(store);
    expect(ids).toHaveLength(22);
    await put(store, 'later');
    await store.close();
    expect(await foundIn(directory)).toEqual([...ids, 'later'].toSorted());
  });

  test('does no harm where it fails, at whatever call', async () => {
    await failingAtEach(async (turn, where) => {
      const store = await openPlain();
      await put(store, 'a', 'b');
      await store.transact(async (tx) => tx.remove('settings', 'b'));
      hook = (call, name) => {
        if (turn(call, name) === 0) throw systemError('EIO');
      };
      const [outcome] = await Promise.allSettled([store.compact()]);
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      hook = () => {};
      expect(await afterCrash(directory), where).toEqual(['a']);
      await store.close();
    });
  });
});

test('closing does not wait for one to be finished', async () => {
  const store = await open();
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  hook = (call, name) => {
    if (call !== 'handle.writeFile' || !basename(name).includes('snapshot')) return;
    reached.resolve();
    return held.promise;
  };
  const ids = ['a', 'b', 'c'];
  for (const id of ids) await put(store, id);
  await reached.promise;
  const closed = store.close();
  held.resolve();
  await closed;
  expect((await readdir(directory)).filter((name) => name.includes('.tmp') || name === 'lock')).toEqual([]);
  expect(await foundIn(directory)).toEqual(ids);
});

/** One commit replaces the whole row, so that half a commit would show. */
const width = 3;
const row = (store: Store, n: number): Promise<void> =>
  store.transact(async (tx) => {
    for (let column = 0; column < width; column++) tx.put('settings', { id: `${n}.${column}`, value: n });
  });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('commits' as const), count: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), torn: fc.nat(400) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replace' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fail' as const),
      call: fc.nat(12),
      code: fc.constantFrom('EIO', 'ENOSPC'),
    }),
  },
);

test('whatever happens, all acknowledged commits are there again, each whole or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.integer({ min: 1, max: 600 }),
      async (steps, limit) => {
        const here = await mkdtemp(join(tmpdir(), 'laudio-steps-'));
        let time = 0;
        let interfere: Hook = () => {};
        const openHere = (): Promise<Store> =>
          openLowdbStore({
            directory: here,
            journalLimit: limit,
            fs: hookedFileSystem((call, name) => interfere(call, name)),
            clock: { ...manualClock(0), elapsed: () => (time += 1000) },
          });
        let store = await openHere();
        const acknowledged = new Set<number>();
        const underWay = new Set<number>();
        let next = 1;

        const commit = async (): Promise<void> => {
          const n = next++;
          underWay.add(n);
          try {
            await row(store, n);
            acknowledged.add(n);
          } catch {
            // Refused: it must not be there.
          }
          underWay.delete(n);
        };
        const expectSafe = async (
          copy: string,
          sure: ReadonlySet<number>,
          maybe: ReadonlySet<number>,
        ): Promise<void> => {
          const found = await foundIn(copy);
          const rows = Map.groupBy(found, (id) => Number(id.split('.')[0]));
          for (const [n, ids] of rows) {
            expect(ids, `commit ${n} is whole`).toHaveLength(width);
            expect(sure.has(n) || maybe.has(n), `commit ${n} was not refused`).toBe(true);
          }
          for (const n of sure) expect(rows.has(n), `commit ${n} was acknowledged`).toBe(true);
        };

        try {
          for (const each of steps) {
            if (each.kind === 'commits') {
              await Promise.all(Array.from({ length: each.count }, commit));
            } else if (each.kind === 'crash') {
              const running = Array.from({ length: 4 }, commit);
              await Promise.resolve();
              const sure = new Set(acknowledged);
              await asCrashed(here, async (copy) => {
                await expectSafe(copy, sure, new Set([...acknowledged, ...underWay]));
              });
              await Promise.all(running);
              await asCrashed(here, async (copy) => {
                // What the disk had not finished is garbage after the end.
                const last = (await dataFiles(copy)).findLast((name) => name.startsWith('journal'));
                if (last) await writeFile(join(copy, last), Buffer.alloc(each.torn, 'x'), { flag: 'a' });
                await expectSafe(copy, acknowledged, new Set());
              });
            } else if (each.kind === 'reopen') {
              await store.close();
              store = await openHere();
            } else if (each.kind === 'replace') {
              const n = next++;
              acknowledged.clear();
              acknowledged.add(n);
              await store.replace(
                (async function* () {
                  for (let column = 0; column < width; column++) {
                    yield { collection: 'settings' as const, document: { id: `${n}.${column}`, value: n } };
                  }
                })(),
              );
            } else {
              let calls = 0;
              interfere = (call) => {
                // What closes or removes tells nobody anything.
                if (calls++ === each.call && call !== 'handle.close') throw systemError(each.code);
              };
              await Promise.all(Array.from({ length: 3 }, commit));
              interfere = () => {};
            }
          }
          await commit();
          expect(acknowledged).toContain(next - 1);
          expect((await kept(store)).length).toBe(acknowledged.size * width);
          await store.close();
          await expectSafe(here, acknowledged, new Set());
        } finally {
          interfere = () => {};
          await store.close();
          await rm(here, { recursive: true });
        }
      },
    ),
    { numRuns: 12 },
  );
});
