/** `check` says what is there and what a start would make of it; `repair` keeps what can be read and tells the rest. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkDirectory } from '../../../support/lowdb-store.ts';
import { nodeFileSystem } from '../../../../server/storage/data-directory/private-files.ts';
import { openDataFile } from '../../../../server/storage/lowdb/data-files.ts';
import {
  copyLength,
  createFrameBuffer,
  encodeCopy,
  headerLength,
  newHeader,
} from '../../../../server/storage/lowdb/frame.ts';
import type { Frame } from '../../../../server/storage/lowdb/frame.ts';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import { repairDirectory } from '../../../support/lowdb-store.ts';
import { createSealing } from '../../../../server/storage/sealing/sealing.ts';
import type { Store } from '../../../../server/storage/store.ts';
import {
  asCrashed,
  bytesOf,
  dataFiles,
  failingAtEach,
  forgetAcknowledged,
  foundIn,
  kept,
  put,
} from './data-directory.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';

const journal = 'journal-0000000000000000.laudio';
const beside = 'journal-0000000000000000.header';
let directory: string;
const path = (name = journal): string => join(directory, name);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-care-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function flip(name: string, at: number): Promise<void> {
  const bytes = await readFile(path(name));
  bytes[at]! ^= 1;
  await writeFile(path(name), bytes);
}

/** A journal with one commit for each id; gives where each ends. */
async function prepare(ids: readonly string[], options: object = {}): Promise<number[]> {
  const store = await openLowdbStore({ directory, ...options });
  const ends: number[] = [];
  for (const id of ids) {
    await put(store, id);
    ends.push((await readFile(path())).length);
  }
  await store.close();
  return ends;
}

/** Commits until there are two snapshots and a commit after them; gives the ids. */
async function prepareSnapshots(): Promise<string[]> {
  const store: Store = await openLowdbStore({ directory, journalLimit: 1 });
  const ids: string[] = [];
  const count = async (kind: string): Promise<number> =>
    (await dataFiles(directory)).filter((name) => name.startsWith(kind)).length;
  while ((await count('snapshot')) < 2) {
    ids.push(`id ${String(ids.length).padStart(4, '0')}`);
    await put(store, ids.at(-1)!);
  }
  await store.close();
  ids.push('last');
  const again = await openLowdbStore({ directory });
  await put(again, 'last');
  await again.close();
  return ids;
}

describe('check', () => {
  test('lists the contents', async () => {
    await prepare(['a', 'b']);
    const bytes = (await readFile(path())).length;
    expect(await checkDirectory({ directory })).toEqual({
      sound: true,
      files: [
        {
          file: journal,
          kind: 'journal',
          bytes,
          schema: 1,
          encrypted: false,
          commits: { from: 1, to: 2 },
          documents: null,
        },
      ],
      acknowledged: 2,
      audio: { named: 0, bad: 0 },
      snapshots: [],
      problems: [],
      found: { sequence: 2, documents: expect.objectContaining({ settings: 2, items: 0 }) },
    });
  });

  test('of nothing finds nothing', async () => {
    expect(await checkDirectory({ directory })).toMatchObject({ sound: true, files: [], problems: [] });
  });

  test('of no directory says so', async () => {
    await expect(checkDirectory({ directory: path('missing') })).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });

  test('changes nothing, and runs along with the owner', async () => {
    const store = await openLowdbStore({ directory });
    await put(store, 'a');
    const before = await readdir(directory);
    expect(await checkDirectory({ directory })).toMatchObject({ sound: true, found: { sequence: 1 } });
    expect(await readdir(directory)).toEqual(before);
    await put(store, 'b');
    await store.close();
  });

  test('looks again where a running server removed a file meanwhile', async () => {
    await prepare(['a']);
    let missing = true;
    const fs = hookedFileSystem((call, name) => {
      if (call === 'open' && name.endsWith('.laudio') && missing) {
        missing = false;
        throw systemError('ENOENT');
      }
    });
    expect(await checkDirectory({ directory, fs })).toMatchObject({ sound: true, found: { sequence: 1 } });
  });

  test.each([
    { what: 'its end is cut off', change: (bytes: Buffer) => bytes.subarray(0, -3), offset: 1 },
    { what: 'one copy of its header is damaged', change: (bytes: Buffer) => bytes.fill(9, 0, 4), offset: -1 },
  ])('reports as harmless: $what', async ({ change, offset }) => {
    const ends = await prepare(['a', 'b']);
    await forgetAcknowledged(directory);
    await writeFile(path(), change(await readFile(path())));
    expect(await checkDirectory({ directory })).toMatchObject({
      sound: true,
      problems: [{ file: journal, offset: offset === -1 ? 0 : ends[0], harmless: true }],
    });
  });

  test.each([
    { what: 'cut off', change: async () => writeFile(path(), (await readFile(path())).subarray(0, -3)) },
    { what: 'removed', change: () => rm(path()) },
  ])('reports the loss if the newest journal was $what', async ({ what, change }) => {
    await prepare(['a', 'b']);
    await change();
    const from = what === 'removed' ? 1 : 2;
    const report = await checkDirectory({ directory });
    expect(report).toMatchObject({ sound: false, found: null });
    expect(report.problems.at(-1)).toMatchObject({
      file: from === 1 ? 'acknowledged' : journal,
      offset: null,
      harmless: false,
      what:
        from === 1
          ? `the commits from 1 to 2 are missing, which were acknowledged: there is no ${journal}`
          : 'commit 2 is missing, which was acknowledged',
    });
    expect(await repairDirectory({ directory })).toMatchObject({ repaired: true, lost: [{ from, to: 2 }], cut: 0 });
    expect(await checkDirectory({ directory })).toMatchObject({ sound: true, found: { sequence: 3 } });
    expect(await foundIn(directory)).toEqual(from === 1 ? [] : ['a']);
  });

  test('reports a damaged snapshot that another one replaces', async () => {
    const ids = await prepareSnapshots();
    const newest = (await dataFiles(directory)).findLast((name) => name.startsWith('snapshot'))!;
    await flip(newest, headerLength + 30);
    const report = await checkDirectory({ directory });
    expect(report).toMatchObject({
      sound: true,
      problems: [{ file: newest, offset: headerLength, harmless: true }],
      found: { sequence: ids.length, documents: { settings: ids.length } },
    });
  });

  test('says the same as a start for any byte changed', async () => {
    const ends = await prepare(['a', 'b', 'c']);
    const whole = await readFile(path());
    for (const at of bytesOf(ends)) {
      await flip(journal, at);
      const report = await checkDirectory({ directory });
      const starts = await foundIn(directory).then(
        () => true,
        () => false,
      );
      expect(report.sound, `byte ${at}`).toBe(starts);
      expect(report.problems, `byte ${at}`).not.toEqual([]);
      for (const problem of report.problems) expect(problem.harmless).toBe(starts);
      await writeFile(path(), whole);
    }
  });

  test('reports a missing key', async () => {
    const sealing = async () => createSealing(Buffer.alloc(32));
    await prepare(['a'], { sealing });
    const report = await checkDirectory({ directory });
    expect(report).toMatchObject({ sound: false, found: null });
    expect(report.problems[0]).toMatchObject({
      what: expect.stringContaining('encrypted'),
      advice: expect.stringContaining('key'),
    });
    expect(await checkDirectory({ directory, sealing })).toMatchObject({ sound: true, files: [{ encrypted: true }] });
  });

  test('reports a damaged database.json', async () => {
    await writeFile(path('database.json'), '{');
    expect(await checkDirectory({ directory })).toMatchObject({
      sound: false,
      problems: [{ file: 'database.json', harmless: false }],
    });
    await expect(repairDirectory({ directory })).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
    expect(await readdir(directory)).toEqual(['database.json', 'lock.held']);
  });
});

describe('repair', () => {
  test('does nothing where nothing is wrong', async () => {
    await prepare(['a', 'b']);
    const before = await readFile(path());
    expect(await repairDirectory({ directory })).toMatchObject({ repaired: false, lost: [], found: { sequence: 2 } });
    expect(await readFile(path())).toEqual(before);
    expect(await readdir(directory)).toEqual(['acknowledged', beside, journal, 'lock.held']);
  });

  test('does nothing while a server runs', async () => {
    const store = await openLowdbStore({ directory });
    await expect(repairDirectory({ directory })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    await store.close();
  });

  test('of a journal keeps every readable commit, and lists the others', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const ends = await prepare(ids);
    const whole = await readFile(path());
    for (const lost of [0, 1, 2]) {
      await asCrashed(directory, async (copy) => {
        const changed = Buffer.from(whole);
        changed[ends[lost]! - 5]! ^= 1;
        await writeFile(join(copy, journal), changed);
        expect(await repairDirectory({ directory: copy })).toEqual({
          repaired: true,
          lost: [{ from: lost + 1, to: lost + 1 }],
          cut: 0,
          quarantined: [join('quarantine', journal)],
          found: { sequence: 5, documents: expect.objectContaining({ settings: 3 }) },
        });
        expect(await readFile(join(copy, 'quarantine', journal))).toEqual(changed);
        expect(await foundIn(copy)).toEqual(ids.filter((_, n) => n !== lost));
        expect(await checkDirectory({ directory: copy })).toMatchObject({ sound: true, problems: [] });
        // And it goes on from there.
        const store = await openLowdbStore({ directory: copy });
        await put(store, 'e');
        await store.close();
        expect(await foundIn(copy)).toEqual([...ids.filter((_, n) => n !== lost), 'e']);
      });
    }
  });

  test('reports a truncated end as well', async () => {
    const ends = await prepare(['a', 'b', 'c']);
    await forgetAcknowledged(directory);
    const bytes = await readFile(path());
    bytes[ends[0]! - 5]! ^= 1;
    await writeFile(path(), bytes.subarray(0, -2));
    expect(await repairDirectory({ directory })).toMatchObject({
      lost: [{ from: 1, to: 1 }],
      cut: ends[2]! - ends[1]! - 2,
    });
    expect(await foundIn(directory)).toEqual(['b']);
  });

  test('takes what a damaged snapshot still has, where the commits are gone', async () => {
    const store = await openLowdbStore({ directory });
    async function* documents() {
      for (let n = 0; n < 3000; n++) {
        yield {
          collection: 'settings' as const,
          document: { id: `id ${String(n).padStart(4, '0')}`, value: `${n} ${'x'.repeat(50)}` },
        };
      }
    }
    await store.replace(documents());
    await put(store, 'later');
    const all = await kept(store);
    await store.close();
    const [newest] = (await dataFiles(directory)).filter((name) => name.startsWith('snapshot'));
    await flip(newest!, headerLength + 100);
    const report = await repairDirectory({ directory });
    expect(report.repaired).toBe(true);
    expect(report.lost).toEqual([{ from: 1, to: 1, snapshot: { file: newest, documents: expect.any(Number) } }]);
    const found = await foundIn(directory);
    const saved = report.lost[0]!.snapshot!.documents;
    expect(saved).toBeGreaterThan(2000);
    expect(found).toHaveLength(saved + 1);
    expect(found).toContain('later');
    expect(found.filter((id) => !all.includes(id))).toEqual([]);
  });

  test('of an encrypted directory needs its key, and writes nothing in plain', async () => {
    const key = randomBytes(32);
    const sealing = async () => createSealing(key);
    const ends = await prepare(['a', 'recognisable'], { sealing });
    await flip(journal, ends[0]! - 5);
    const before = await readFile(path());
    for (const wrong of [undefined, async () => createSealing(randomBytes(32))]) {
      await expect(repairDirectory({ directory, ...(wrong && { sealing: wrong }) })).rejects.toMatchObject({
        code: 'CONFIGURATION',
      });
      expect(await readdir(directory)).toEqual(['acknowledged', beside, journal, 'lock.held']);
      expect(await readFile(path())).toEqual(before);
    }
    expect(await repairDirectory({ directory, sealing })).toMatchObject({ lost: [{ from: 1, to: 1 }] });
    for (const name of await dataFiles(directory)) {
      expect((await readFile(path(name))).includes('recognisable')).toBe(false);
    }
    expect(await foundIn(directory, { sealing })).toEqual(['recognisable']);
  });

  /** A journal of a former format, with both copies of the header in its first sector. */
  const writeFormer = async (ids: readonly string[]): Promise<number[]> => {
    await prepare(ids);
    const file = await openDataFile(
      { directory, fs: nodeFileSystem, sealing: undefined, schema: 1 },
      {
        kind: 'journal',
        name: journal,
        sequence: 0,
      },
    );
    if (file === 'unfinished') throw new Error('no journal');
    const header = { ...newHeader('journal', { schema: 1, sequence: 0, sealed: false }), format: 3 };
    const frames = createFrameBuffer(header, undefined);
    const ends: number[] = [];
    for await (const { payload, sequence } of file.frames() as AsyncIterable<Frame>) {
      frames.add(sequence, payload);
      ends.push(2 * copyLength + frames.length);
    }
    await file.close();
    await writeFile(path(), Buffer.concat([encodeCopy(header), encodeCopy(header), frames.take()]));
    await rm(path(beside));
    return ends;
  };

  test.each([
    { what: 'of a former format', prepared: writeFormer, header: 2 * copyLength },
    { what: 'of the present format', prepared: prepare, header: headerLength },
  ])('of a journal $what without any header keeps its commits', async ({ prepared, header }) => {
    const ids = ['a', 'b', 'c'];
    await prepared(ids);
    await writeFile(path(), (await readFile(path())).fill(0, 0, header));
    await rm(path(beside), { force: true });
    expect(await checkDirectory({ directory })).toMatchObject({
      sound: false,
      files: [{ file: journal, commits: { from: 1, to: 3 } }],
      problems: [{ file: journal, offset: 0, harmless: false, what: expect.stringContaining('no header') }],
    });
    await expect(foundIn(directory)).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
    expect(await repairDirectory({ directory })).toMatchObject({ repaired: true, lost: [], cut: 0 });
    expect(await foundIn(directory)).toEqual(ids);
  });

  test('of a journal whose first sector is gone keeps the commits after it, and takes nothing that is not whole', async () => {
    const ids = ['a', 'b', 'x'.repeat(60), 'c', 'd', 'e', 'f'];
    const ends = await writeFormer(ids);
    const bytes = (await readFile(path())).fill(0, 0, ends[1]! + 10);
    // A later one is damaged as well.
    bytes[ends[4]! - 3]! ^= 1;
    await writeFile(path(), bytes);
    expect(await repairDirectory({ directory })).toMatchObject({
      lost: [
        { from: 1, to: 3 },
        { from: 5, to: 5 },
      ],
    });
    expect(await foundIn(directory)).toEqual(['c', 'e', 'f']);
  });

  test('of an encrypted journal without any header says that it is lost', async () => {
    await prepare(['a', 'b', 'c'], { sealing: async () => createSealing(Buffer.alloc(32)) });
    await writeFile(path(), (await readFile(path())).fill(0, 0, headerLength));
    await rm(path(beside));
    const sealing = async () => createSealing(Buffer.alloc(32));
    expect(await repairDirectory({ directory, sealing })).toMatchObject({ lost: [{ from: 1, to: 3 }] });
    expect(await readdir(join(directory, 'quarantine'))).toEqual([journal]);
  });

  test('interrupted at any call loses nothing', async () => {
    const ends = await prepare(['a', 'b', 'c']);
    await flip(journal, ends[0]! - 5);
    await failingAtEach((turn, where) =>
      asCrashed(directory, async (copy) => {
        const fs = hookedFileSystem((call, name) => {
          if (turn(call, name) === 0) throw systemError('EIO');
        });
        await repairDirectory({ directory: copy, fs }).catch(() => undefined);
        const names = [...(await readdir(copy)), ...(await readdir(join(copy, 'quarantine')).catch(() => []))];
        expect(names, where).toContain(journal);
        await rm(join(copy, 'lock'), { force: true });
        const report = await repairDirectory({ directory: copy });
        if (report.repaired) expect(report.lost).toEqual([{ from: 1, to: 1 }]);
        expect(await foundIn(copy), where).toEqual(['b', 'c']);
      }),
    );
  });
});
