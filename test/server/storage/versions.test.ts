/** Data of every former version starts today, and a former version refuses today's data. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { formats, knownFormat } from '../../../server/storage/lowdb/frame.ts';
import { migrations, schemaAfter, schemas } from '../../../server/storage/migrations.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { checkDirectory, openLowdbStore, repairDirectory } from '../../support/lowdb-store.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const { worklists, records } = contract;
const fixtures = join(import.meta.dirname, '../../fixtures/stores');

/** Data that a server of that version wrote: two exams, one of them with a report, and a login. */
const versions = ['format-3-first', 'format-3-last'] as const;

test('every change of meaning has its line', () => {
  expect(schemas).toHaveLength(schemaAfter(migrations));
  expect(Object.keys(formats).map(Number)).toEqual(Array.from({ length: knownFormat }, (_, at) => at + 1));
});

describe.each(versions)('data of %s', (version) => {
  test('starts, with everything in it, and again in the present form', async () => {
    const dataDir = await temporaryDirectory();
    await cp(join(fixtures, version), dataDir, { recursive: true });
    expect(await checkDirectory({ directory: dataDir })).toMatchObject({ sound: true, problems: [] });
    for (const _start of ['of the former files', 'of fresh ones']) {
      const ending: (() => Promise<void>)[] = [];
      const api = await startApi(
        { dataDir, clock: manualClock(Date.parse('2026-11-29T12:00:00Z')) },
        (close) => void ending.push(close),
      );
      const { items } = succeeded(await api.call(worklists.endpoints.list));
      expect(items.map(({ accession_number: number }) => number).toSorted()).toEqual(['OLD-1', 'OLD-2']);
      const found = succeeded(await api.call(records.endpoints.list)).items;
      expect(found).toHaveLength(1);
      const record = succeeded(await api.call(records.endpoints.get, { params: { id: found[0]!.id } }));
      expect(JSON.stringify(record)).toMatch(/lungs are clear/i);
      for (const end of ending) await end();
    }
    expect(await readdir(dataDir)).not.toContain('journal-0000000000000000.laudio');
  });

  test('is kept as it was until an erasure, so that its version can be started again', async () => {
    const directory = await temporaryDirectory();
    await cp(join(fixtures, version), directory, { recursive: true });
    const files = async (folder: string) => {
      const names = (await readdir(folder)).filter((name) => /\.(laudio|header)$/.test(name)).toSorted();
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, (await readFile(join(folder, name))).toString('base64')])),
      ) as Readonly<Record<string, string>>;
    };
    const former = await files(directory);
    const kept = join(directory, 'before-upgrade');
    for (const value of [1, 2]) {
      const store = await openLowdbStore({ directory });
      await store.transact(async (tx) => tx.put('settings', { id: 'a', value }));
      await store.close();
      expect(await files(kept)).toEqual(former);
    }
    expect(Object.keys(await files(directory)).filter((name) => former[name] !== undefined)).toEqual([]);
    const store = await openLowdbStore({ directory });
    await store.compact();
    await store.close();
    expect(await readdir(directory)).not.toContain('before-upgrade');
  });
});

/**
 * The header as versions up to format 3 read it: one of two copies, one after the other. Held here as it was, for what they do
 * with a file of today is decided by that alone.
 */
function formatAsReadBefore(bytes: Buffer): number | undefined {
  const copies = [bytes.subarray(0, 44), bytes.subarray(44, 88)];
  const copy = copies.find((each) => each.length === 44 && crc32(each.subarray(0, -4)) === each.readUInt32BE(40));
  return copy && /^LAUDIO [JS]$/.test(copy.toString('latin1', 0, 8)) ? copy.readUInt16BE(8) : undefined;
}

test('data of today is refused by the version before, for its format is above that', async () => {
  const directory = await temporaryDirectory();
  const store = await openLowdbStore({ directory, journalLimit: undefined });
  await store.transact(async (tx) => tx.put('settings', { id: 'a', value: 1 }));
  await store.close();
  const names = (await readdir(directory)).filter((name) => name.endsWith('.laudio'));
  expect(names).toHaveLength(2);
  for (const name of names) expect(formatAsReadBefore(await readFile(join(directory, name))), name).toBeGreaterThan(3);
});

test.each([
  [
    'format',
    8,
    knownFormat + 1,
    `newer version (format ${knownFormat + 1}); this version reads up to format ${knownFormat}`,
  ],
  ['format', 8, 4, 'format 4, which no published version reads'],
  ['schema', 14, 2, 'newer version (schema 2); this version reads up to schema 1'],
])('data of a later version is refused in one line, and nothing is changed: %s', async (_what, at, number, says) => {
  const directory = await temporaryDirectory();
  const store = await openLowdbStore({ directory });
  await store.transact(async (tx) => tx.put('settings', { id: 'a', value: 1 }));
  await store.close();
  const name = 'journal-0000000000000000';
  const bytes = await readFile(join(directory, `${name}.laudio`));
  for (const begin of [0, 4096]) {
    bytes.writeUInt16BE(number, begin + at);
    bytes.writeUInt32BE(crc32(bytes.subarray(begin, begin + 40)), begin + 40);
  }
  await writeFile(join(directory, `${name}.laudio`), bytes);
  await writeFile(join(directory, `${name}.header`), bytes.subarray(0, 44));
  const refusal = { code: 'CONFIGURATION', message: expect.stringContaining(says) };
  const hint = expect.stringContaining('the version of Laudio that wrote the file');
  await expect(openLowdbStore({ directory })).rejects.toMatchObject({ ...refusal, hint });
  await expect(repairDirectory({ directory })).rejects.toMatchObject(refusal);
  expect(await checkDirectory({ directory })).toMatchObject({
    sound: false,
    problems: [{ file: `${name}.laudio`, what: expect.stringContaining(says), advice: hint }],
  });
  expect(await readFile(join(directory, `${name}.laudio`))).toEqual(bytes);
});
