/** Data of former versions: documents of an earlier schema, and `database.json`. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkDirectory } from '../../../support/lowdb-store.ts';
import { formatName } from '../../../../server/storage/lowdb/data-files.ts';
import {
  createFrameBuffer,
  decodeCopy,
  copyLength,
  encodeCopy,
  knownFormat,
  newHeader,
} from '../../../../server/storage/lowdb/frame.ts';
import type { FileKind } from '../../../../server/storage/lowdb/frame.ts';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import { createSealing } from '../../../../server/storage/sealing/sealing.ts';
import type { Migration } from '../../../../server/storage/migrations.ts';
import { asCrashed, dataFiles, failingAtEach, foundIn, kept, put } from './data-directory.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-former-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('migrations', () => {
  /** Schema 2 splits what had a comma; schema 3 has no `spare`. */
  const steps: readonly Migration[] = [
    (collection, document) => document.id.split(',').map((id) => [collection, { ...document, id }] as const),
    (collection, document) => (document.id === 'spare' ? [] : [[collection, document]]),
  ];

  const prepare = async (migrations: readonly Migration[]): Promise<void> => {
    const store = await openLowdbStore({ directory, migrations });
    await put(store, 'a,b', 'spare');
    await put(store, 'c');
    await store.close();
  };

  test('run one after the other, once', async () => {
    await prepare([]);
    expect(await foundIn(directory, { migrations: steps })).toEqual(['a', 'b', 'c']);
    const throwing: Migration = () => {
      throw new Error('It ran again.');
    };
    expect(await foundIn(directory, { migrations: [throwing, throwing] })).toEqual(['a', 'b', 'c']);
  });

  test('begin with the first that the data has not seen', async () => {
    await prepare(steps.slice(0, 1));
    expect(await foundIn(directory, { migrations: steps })).toEqual(['a,b', 'c']);
  });

  test('run again where a crash was in between, at whatever call', async () => {
    await prepare([]);
    await failingAtEach((turn, where) =>
      asCrashed(directory, async (copy) => {
        const fs = hookedFileSystem((call, path) => {
          if (turn(call, path) >= 0) throw systemError('EIO');
        });
        const [outcome] = await Promise.allSettled([openLowdbStore({ directory: copy, migrations: steps, fs })]);
        if (outcome.status === 'fulfilled') await outcome.value.close().catch(() => undefined);
        await rm(join(copy, 'lock'), { force: true });
        expect(await foundIn(copy, { migrations: steps }), where).toEqual(['a', 'b', 'c']);
      }),
    );
  });

  test('of a newer version are refused, with nothing changed', async () => {
    await prepare(steps);
    const before = await dataFiles(directory);
    await expect(foundIn(directory)).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringMatching(/newer version \(schema 3\)/),
    });
    expect(await dataFiles(directory)).toEqual(before);
    expect(await foundIn(directory, { migrations: steps })).toEqual(['a,b', 'c', 'spare']);
  });

  test('leave documents of an unknown kind alone', async () => {
    await prepare([]);
    const migrations: Migration[] = [(_collection, document) => [['unheard-of', document]]];
    await expect(foundIn(directory, { migrations })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('unheard-of'),
    });
    expect(await foundIn(directory)).toEqual(['a,b', 'c', 'spare']);
  });
});

describe('files with JSON in them', () => {
  const write = async (
    format: number,
    kind: FileKind,
    sequence: number,
    payloads: readonly unknown[],
  ): Promise<void> => {
    const header = { ...newHeader(kind, { schema: 1, sequence, sealed: false }), format };
    const frames = createFrameBuffer(header, undefined);
    const first = kind === 'journal' ? sequence + 1 : 1;
    for (const [at, payload] of payloads.entries()) frames.add(first + at, Buffer.from(JSON.stringify(payload)));
    await writeFile(
      join(directory, formatName(kind, sequence)),
      Buffer.concat([encodeCopy(header), encodeCopy(header), frames.take()]),
    );
  };
  const setting = (id: string) => ({ id, value: [id] });

  /** Each: a snapshot of a and b, a commit that puts c, one that removes a and changes b. */
  const forms = {
    1: {
      snapshot: [['settings', setting('a'), setting('b')], { documents: 2 }],
      journal: [
        [['settings', setting('c')]],
        [
          ['settings', 'a'],
          ['settings', { id: 'b', value: null }],
        ],
      ],
    },
    2: {
      snapshot: [
        [['settings', { id: null, value: null }, ['id', 'value'], ['a', ['a']], ['b', ['b']]]],
        { documents: 2 },
      ],
      journal: [
        [['settings', setting('c')]],
        [
          ['settings', null, 'a'],
          ['settings', { id: 'b', value: null }],
        ],
      ],
    },
  } as const;

  test.each([1, 2] as const)('of format %s are read, checked, and rewritten', async (format) => {
    await write(format, 'snapshot', 7, forms[format].snapshot);
    await write(format, 'journal', 7, forms[format].journal);
    const report = await checkDirectory({ directory });
    expect(report).toMatchObject({ sound: true, problems: [], found: { sequence: 9, documents: { settings: 2 } } });
    const store = await openLowdbStore({ directory });
    expect(await store.find('settings', {})).toEqual([setting('c'), { id: 'b', value: null }]);
    await put(store, 'd');
    await store.close();
    for (const name of await dataFiles(directory)) {
      const header = decodeCopy((await readFile(join(directory, name))).subarray(0, copyLength));
      expect(header, name).toMatchObject({ format: knownFormat });
    }
    expect(await foundIn(directory)).toEqual(['b', 'c', 'd']);
  });
});

describe('database.json', () => {
  const file = (): string => join(directory, 'database.json');
  const text = JSON.stringify({
    schema: 1,
    collections: {
      settings: [
        { id: 'a', value: 1 },
        { id: 'b', value: [2] },
      ],
    },
  });

  test('is imported once, and kept as a copy', async () => {
    await writeFile(file(), text);
    const store = await openLowdbStore({ directory });
    expect(await store.get('settings', 'b')).toEqual({ id: 'b', value: [2] });
    await put(store, 'c');
    await store.close();
    expect(await readdir(directory)).not.toContain('database.json');
    expect(await readFile(join(directory, 'database.json.imported'), 'utf8')).toBe(text);
    expect(await foundIn(directory)).toEqual(['a', 'b', 'c']);
  });

  test('is taken over again where a crash was in between, at whatever call', async () => {
    await writeFile(file(), text);
    await failingAtEach((turn, where) =>
      asCrashed(directory, async (copy) => {
        const fs = hookedFileSystem((call, path) => {
          if (turn(call, path) >= 0) throw systemError('EIO');
        });
        const [outcome] = await Promise.allSettled([openLowdbStore({ directory: copy, fs })]);
        if (outcome.status === 'fulfilled') await outcome.value.close().catch(() => undefined);
        await rm(join(copy, 'lock'), { force: true });
        const store = await openLowdbStore({ directory: copy });
        expect(await kept(store), where).toEqual(['a', 'b']);
        await put(store, 'c');
        await store.close();
        expect(await foundIn(copy), where).toEqual(['a', 'b', 'c']);
      }),
    );
  });

  test('does not stay with encrypted data', async () => {
    const sealing = async () => createSealing(randomBytes(32));
    await writeFile(file(), text);
    await writeFile(join(directory, 'database.json.imported'), 'of an earlier time');
    await (await openLowdbStore({ directory, sealing })).close();
    const names = await readdir(directory);
    expect(names.filter((name) => !name.startsWith('snapshot-'))).toEqual(['acknowledged', 'lock.held']);
  });

  test('that an earlier version wrote later is not passed over', async () => {
    const store = await openLowdbStore({ directory });
    await put(store, 'a');
    await put(store, 'b');
    await store.close();
    await writeFile(file(), text);
    await expect(foundIn(directory)).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('earlier version'),
    });
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  test.each([
    '',
    '[]',
    'null',
    '{"schema":"1","collections":{}}',
    '{"schema":2,"collections":{}}',
    '{"schema":1}',
    '{"schema":1,"collections":{"unknown":[]}}',
    '{"schema":1,"collections":{"__proto__":[]}}',
    '{"schema":1,"collections":{"items":{}}}',
    '{"schema":1,"collections":{"settings":[null]}}',
    '{"schema":1,"collections":{"settings":[{"value":1}]}}',
    '{"schema":1,"collections":{"settings":[{"id":"a"},{"id":"a"}]}}',
    '{"schema":1,"collections":{"users":[{"id":"usr_1","space":"local"}]}}',
    '{"schema":1,"collections":{"history":[{"id":"his_1","item_id":7}]}}',
    text.slice(0, -1),
  ])('that is damaged is refused, named, and left alone: %s', async (damaged) => {
    await writeFile(file(), damaged);
    const refusal = await openLowdbStore({ directory }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'DATA_DAMAGED', message: expect.stringContaining('database.json') });
    expect((refusal as Error).message).not.toContain(directory);
    expect(await readFile(file(), 'utf8')).toBe(damaged);
    // The directory is free again.
    expect(await readdir(directory)).toEqual(['database.json', 'lock.held']);
  });

  test('that cannot be read is named', async () => {
    await writeFile(file(), text);
    const fs = hookedFileSystem((call, path) => {
      if (call === 'readFile' && path === file()) throw Object.assign(systemError('EACCES'), { syscall: 'read' });
    });
    await expect(openLowdbStore({ directory, fs })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: 'The data directory cannot be used: database.json cannot be read (EACCES).',
    });
  });
});
