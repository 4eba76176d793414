/** Names that every object inherits are names like any others, wherever they come in. */
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { listenForKeys } from '../cli/watch/keys.ts';
import { findRemedy } from '../cli/sending/remedies.ts';
import { hl7Report } from '../server/delivery/formats/hl7.ts';
import { createLineReader } from '../server/operations/maintenance/document-lines.ts';
import { createValidation } from '../server/runtime/validation.ts';
import { findEntry } from '../src/domain/find-entry.ts';
import { write } from '../src/reporting/write.ts';
import { settingValue } from '../src/node/settings.ts';
import type { MedicalRecord } from '../src/contract/document.ts';
import { readFile } from './support/worklist-readings.ts';

const record: MedicalRecord = {
  id: 'rec_1',
  version: 1,
  status: 'draft',
  title: 'Chest CT',
  template_id: 'test_template_general',
  language: 'en-US',
  sections: [],
  text: '',
  transcript: null,
  source: { kind: 'text' },
  worklist_item_id: null,
  job_id: null,
  test_mode: true,
  metadata: {},
  created_at: '2026-03-02T11:30:00.000Z',
  updated_at: '2026-03-02T11:30:00.000Z',
};

const inherited = Object.getOwnPropertyNames(Object.prototype);

test.each(inherited)('a table has nothing under %s', (name) => {
  expect(findEntry({ a: 1 }, name)).toBeUndefined();
});

describe.each(inherited)('%s', (name) => {
  test('as a collection that is seeded or restored is none', async () => {
    const header = { laudio: 'export', schema: 1, version: '0.1.0', created_at: '2026-03-02T11:30:00.000Z' };
    const lines = [header, { collection: name, document: { id: 'x' } }].map((line) => JSON.stringify(line)).join('\n');
    const source = async function* () {
      yield Buffer.from(lines);
    };
    const read = createLineReader({ compile: createValidation(), migrations: [] })(source());
    await expect(read.next()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
  });

  test('as an escape of HL7 stays as it was written', async () => {
    const message = [
      'MSH|^~\\&|RIS|HSL|||20260302080000||ORM^O01|1|P|2.5.1',
      `PID|||1||TESTE^PACI\\${name}\\ENTE`,
      'ORC|NW|' + name,
      'OBR|1|P1|F1|CT||||||||||||||A1',
      '',
    ].join('\r');
    const { items } = await readFile(message);
    expect(items[0]?.item).toMatchObject({ accession_number: 'A1', patient_name: `TESTE^PACI\\${name}\\ENTE` });
    expect(JSON.stringify(items)).not.toContain('native code');
  });

  test('as a heading of a table is kept, under a name that is taken', async () => {
    const { items } = await readFile(`accession_number;patient_name;${name}\nA1;TESTE^PACIENTE;kept\n`, {
      delimiter: ';',
    });
    expect(Object.values(items[0]!.item)).toContain('kept');
    expect(Object.keys(items[0]!.item)).not.toContain('__proto__');
  });

  test('as a section is exported as HL7', async () => {
    const sections = [{ key: name, title: 'Title', text: 'Text.' }];
    expect(await hl7Report({ record: { ...record, sections }, item: null, signature: null })).toContain(
      `|${name}^Title^L|`,
    );
  });

  test('as a spoken word is no number, as a setting no value, as a key no command, as a code no advice', () => {
    for (const language of ['pt-BR', 'en-US', 'es-ES'] as const) {
      const heard = { text: `X ${name} ${name.toLowerCase()}.` };
      const { sections } = write({ heard, language, sections: [{ key: 'findings', title: 'F' }] });
      expect(sections).toEqual([{ key: 'findings', title: 'F', text: heard.text }]);
    }
    expect(() => settingValue('input', name, '/')).toThrow(/true or false/);
    const pressed: unknown[] = [];
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    listenForKeys({ stdin }, (key) => pressed.push(key));
    stdin.emit('data', Buffer.from(name));
    expect(pressed).toEqual([]);
    expect(findRemedy({ outcome: 'refused', code: name as never, message: '' })).toBeUndefined();
  });
});

test.each([
  ['a field named __proto__', '{"accession_number":"A1","__proto__":{"x":1}}', /__proto__/],
  ['a field named so further down', '{"accession_number":"A1","metadata":{"a":[{"__proto__":1}]}}', /__proto__/],
  ['more levels than a request takes', `{"a":${'['.repeat(31)}${']'.repeat(31)}}`, /nested/],
])('%s costs its item alone, not the request that it would be in', async (_what, item, message) => {
  for (const text of [`{"accession_number":"A0"}\n${item}\n`, `[{"accession_number":"A0"},${item}]`]) {
    const { items, problems } = await readFile(text);
    expect(items).toHaveLength(1);
    expect(problems).toMatchObject([{ message: expect.stringMatching(message) }]);
  }
});

test('as many levels as a request takes are read', async () => {
  const { items } = await readFile(`[{"accession_number":"A1","a":${'['.repeat(30)}${']'.repeat(30)}}]`);
  expect(items).toHaveLength(1);
});
