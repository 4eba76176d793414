/** Documents of an earlier version are brought up to date while they are read. */
import { expect, test } from 'vitest';
import { createLineReader } from '../../../../server/operations/maintenance/document-lines.ts';
import type { Migration } from '../../../../server/storage/migrations.ts';
import { createValidation } from '../../../../server/runtime/validation.ts';
import { storedItem } from '../../../support/stored-item.ts';

const compile = createValidation();

/** Settings had another name, and one of them was two. */
const migrations: readonly Migration[] = [
  (collection, document) => [[collection === 'options' ? 'settings' : collection, document]],
  (collection, document) =>
    document.id === 'both'
      ? [
          [collection, { ...document, id: 'one' }],
          [collection, { ...document, id: 'other' }],
        ]
      : [[collection, document]],
];

async function read(schema: number, lines: readonly object[]) {
  const header = { laudio: 'export', schema, version: '0.1.0', created_at: '2026-03-02T11:30:00.000Z' };
  const text = [header, ...lines].map((line) => JSON.stringify(line)).join('\n');
  const found: unknown[] = [];
  const source = (async function* () {
    // Cut in the middle of lines, and of letters.
    for (const byte of Buffer.from(text)) yield Buffer.from([byte]);
  })();
  for await (const each of createLineReader({ compile, migrations })(source)) found.push(each);
  return found;
}

const setting = (id: string) => ({ id, value: 'coração' });

test('each step leads to the next', async () => {
  const lines = [
    { collection: 'options', document: setting('both') },
    { collection: 'options', document: setting('third') },
  ];
  expect(await read(1, lines)).toEqual([
    { collection: 'settings', document: setting('one'), line: 2 },
    { collection: 'settings', document: setting('other'), line: 2 },
    { collection: 'settings', document: setting('third'), line: 3 },
  ]);
});

test('only the steps that are needed are taken', async () => {
  await expect(read(2, [{ collection: 'options', document: setting('a') }])).rejects.toThrow(
    'Line 2: options: there is no such collection.',
  );
  expect(await read(3, [{ collection: 'settings', document: setting('both') }])).toHaveLength(1);
});

test('a name accepted before there was a rule for its characters still works', async () => {
  const document = storedItem('wli_1', { patient_name: 'Test\u0007 Patient\u202e', exam_room: 'one\ntwo' });
  expect(await read(3, [{ collection: 'items', document }])).toEqual([{ collection: 'items', document, line: 2 }]);
});

test('data newer than the last step is refused', async () => {
  await expect(read(4, [])).rejects.toThrow(/newer version wrote these documents \(0\.1\.0, schema 4\)/);
});
