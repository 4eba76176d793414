/** DICOM files and DICOM JSON, on files that dcmtk makes, and against what dcmtk makes of them. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dicomMappings } from '../../../src/files/worklist/dicom/attributes.ts';
import { decodeText } from '../../../src/files/worklist/character-sets.ts';
import { dcm2json, dump2dcm, sampleDumps, transferSyntaxes } from '../../support/dcmtk.ts';
import { explored } from '../../support/explored.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { readFile, sampleBytes } from '../../support/worklist-readings.ts';

/** Attributes of a DICOM JSON data set, a text for each tag. */
const dataSet = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([tag, value]) => [
      tag,
      { vr: 'LO', ...(value !== null && { Value: Array.isArray(value) ? value : [value] }) },
    ]),
  );
const base = { '00080050': 'A1', '00100010': { Alphabetic: 'TESTE^PACIENTE' } };
const readJson = async (values: Readonly<Record<string, unknown>>) =>
  readFile(JSON.stringify([dataSet({ ...base, ...values })]));
const itemOf = async (values: Readonly<Record<string, unknown>>) => (await readJson(values)).items[0]?.item;

describe('mappings', () => {
  const step = { '00080060': 'MR', '00400002': '20260302', '00400003': '083000', '00400009': 'S1' };

  it('take the first attribute that is there', async () => {
    expect(await itemOf({ '00080060': 'OT', '00400100': [dataSet(step)], '00081030': 'study' })).toMatchObject({
      modality: 'MR',
      exam_description: 'study',
    });
    expect(
      await itemOf({ '00080061': ['CT', 'SR'], '00321064': [dataSet({ '00080104': 'meaning' })], '00081030': 'study' }),
    ).toMatchObject({
      modality: 'CT',
      exam_description: 'meaning',
    });
  });

  it.each([
    [{ '00080020': '20260302', '00080030': '0830' }, '2026-03-02T08:30:00-03:00'],
    [{ '00080020': '2026.03.02', '00080030': '08:30:15' }, '2026-03-02T08:30:15-03:00'],
    [{ '00080020': '20260302', '00080030': '235960.5' }, '2026-03-02T23:59:59.5-03:00'],
    [{ '00080020': '20260302', '00080030': '08', '00080201': '+0530' }, '2026-03-02T08:00:00+05:30'],
    [{ '00080020': '20181103', '00080030': '233000' }, '2018-11-03T23:30:00-03:00'],
    // Clocks in São Paulo went from 00:00 to 01:00 that day: what does not exist has the offset of before.
    [{ '00080020': '20181104', '00080030': '003000' }, '2018-11-04T00:30:00-03:00'],
    [{ '00080020': '20181104', '00080030': '013000' }, '2018-11-04T01:30:00-02:00'],
  ])('%j is %s', async (values, expected) => {
    expect(await itemOf(values)).toMatchObject({ exam_datetime: expected });
  });

  it.each([
    ['19710614', '20260302', '054Y'],
    ['20250214', '20260302', '012M'],
    ['20260220', '20260302', '010D'],
    ['20260303', '20260302', undefined],
  ])('born %s, %s is an age of %s', async (birth, date, age) => {
    expect((await itemOf({ '00100030': birth, '00080020': date, '00080030': '08' }))?.['patient_age']).toBe(age);
  });

  it('no time of day, no real date, no UID: each is reported', async () => {
    expect((await readJson({ '00080020': '20260302' })).items[0]?.warnings).toEqual([
      'exam_datetime: (0008,0020) + (0008,0030) has no time of day; midnight was used.',
    ]);
    expect((await readJson({ '00080020': '20260231' })).problems).toMatchObject([
      { message: expect.stringContaining('is not a date and time') },
    ]);
    expect((await readJson({ '0020000D': '1.02.3' })).problems).toMatchObject([
      { message: expect.stringContaining('(0020,000D) is not a DICOM UID') },
    ]);
    expect((await readFile(JSON.stringify([dataSet({ '00100020': '1' })]))).problems).toMatchObject([
      { hint: expect.stringContaining('(0008,0050) and (0020,000D). To read them elsewhere, use a mapping') },
    ]);
  });

  const optional = dicomMappings.filter(({ to }) => !['accession_number', 'patient_name'].includes(to));

  it.each([
    ['without a value', {}],
    ['with no value', { Value: [] }],
    ['with an empty one', { Value: [''] }],
    ['with a null', { Value: [null] }],
    ['with blanks', { Value: ['  ', ' '] }],
    ['with an empty name', { Value: [{ Alphabetic: '' }] }],
  ])('attributes %s are not known to the sender, and say nothing', async (_, empty) => {
    const tags = optional.flatMap(({ from }) => from.flatMap((source) => source.split(/[+]/)));
    const top = tags.filter((tag) => !tag.includes('>'));
    const inner = tags.filter((tag) => tag.startsWith('00400100>')).map((tag) => tag.split('>')[1]!);
    const emptied = (of: readonly string[]) => Object.fromEntries(of.map((tag) => [tag, { vr: 'LO', ...empty }]));
    const steps = { '00400100': { vr: 'SQ', Value: [emptied(inner)] } };
    const { items, problems } = await readFile(JSON.stringify([{ ...dataSet(base), ...emptied(top), ...steps }]));
    expect(problems).toEqual([]);
    expect(items[0]?.item).toEqual({ accession_number: 'A1', patient_name: 'TESTE^PACIENTE' });
  });

  it('several steps are one exam, which is reported', async () => {
    const { items } = await readJson({ '00400100': [dataSet(step), dataSet({ ...step, '00400009': 'S2' })] });
    expect(items).toMatchObject([
      {
        item: { metadata: { scheduled_step_id: 'S1, S2' } },
        warnings: expect.arrayContaining([expect.stringContaining('2 steps')]) as string[],
      },
    ]);
  });

  it.each([
    [['CANCELLED'], 'cancelled', 'MR'],
    [['CANCELED', 'CANCELLED'], 'cancelled', 'MR'],
    [['CANCELLED', 'SCHEDULED'], undefined, 'CT'],
    [['DISCONTINUED'], undefined, 'MR'],
  ])('steps that are %s: %s', async (statuses, status, modality) => {
    const steps = statuses.map((each, at) => dataSet({ ...step, '00080060': ['MR', 'CT'][at], '00400020': each }));
    const { items } = await readJson({ '00400100': steps });
    expect(items).toMatchObject([{ item: { modality } }]);
    expect(items[0]!.status).toBe(status);
    if (statuses[0] === 'DISCONTINUED') expect(JSON.stringify(items)).toContain('"exam_status":"discontinued"');
  });

  it('a name keeps its groups', async () => {
    expect(
      await itemOf({ '00100010': { Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' } }),
    ).toMatchObject({
      patient_name: 'Yamada^Tarou=山田^太郎=やまだ^たろう',
    });
  });
});

describe('character sets (examples of PS3.5 H, I and J)', () => {
  const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
  it.each([
    [
      'Japanese, H.3.1',
      ['', 'ISO 2022 IR 87'],
      '59616d6164615e5461726f753d1b24423b3345441b28425e1b244242404f3a1b28423d1b24422464245e24401b28425e1b2442243f246d24261b2842',
      'Yamada^Tarou=山田^太郎=やまだ^たろう',
    ],
    [
      'Japanese, H.3.2',
      ['ISO 2022 IR 13', 'ISO 2022 IR 87'],
      'd4cfc0de5ec0dbb33d1b24423b3345441b284a5e1b244242404f3a1b284a',
      'ﾔﾏﾀﾞ^ﾀﾛｳ=山田^太郎',
    ],
    [
      'Korean, I.2',
      ['', 'ISO 2022 IR 149'],
      '486f6e675e47696c646f6e673d1b242943fbf35e1b242943d1ced4d73d1b242943c8ab5e1b242943b1e6b5bf',
      'Hong^Gildong=洪^吉洞=홍^길동',
    ],
    ['Chinese, J.1', ['ISO_IR 192'], '57616e675e5869616f446f6e673de78e8b5ee5b08fe69db1', 'Wang^XiaoDong=王^小東'],
    ['Chinese, J.2', ['GB18030'], '57616e675e5869616f446f6e673dcdf55ed0a1b6ab', 'Wang^XiaoDong=王^小东'],
    ['Latin-1', ['ISO_IR 100'], '416e74f46e696f', 'Antônio'],
    ['Cyrillic', ['ISO_IR 144'], 'bbeeda', 'Люк'],
    ['none named, UTF-8', [], '416e74c3b46e696f', 'Antônio'],
    ['none named, Latin-1', [], '416e74f46e696f', 'Antônio'],
  ])('%s', (_, names, hex, expected) => {
    const text = decodeText(bytes(hex), names);

    expect(text).toBe(expected);
  });
});

describe.runIf(process.platform === 'linux')('files made by dcmtk', () => {
  const syntaxes = Object.keys(transferSyntaxes) as (keyof typeof transferSyntaxes)[];

  it('of its sample worklists is read alike in every transfer syntax, and as its own DICOM JSON', async () => {
    const directory = await temporaryDirectory();
    const dumps = sampleDumps();
    expect(dumps.length).toBeGreaterThanOrEqual(10);
    for (const [at, dump] of dumps.entries()) {
      // The first in each, and each in one: what a syntax changes is the same in all of them.
      const [own = syntaxes[0]!] = syntaxes.slice(at % syntaxes.length);
      for (const syntax of explored.isOn || at === 0 ? syntaxes : [own]) {
        const file = await readFile(dump2dcm(dump, syntax, directory));
        const json = await readFile(dcm2json(directory));
        expect([file.format, json.format]).toEqual(['dicom', 'dicom-json']);
        expect(file.problems).toEqual([]);
        expect(file.items, `${dump}, ${syntax}`).toHaveLength(1);
        expect(file.items[0]?.item, `${dump}, ${syntax}`).toEqual(json.items[0]?.item);
        expect(file.items[0]?.item).toMatchObject({
          accession_number: expect.any(String),
          modality: expect.stringMatching(/^[A-Z]{2}$/),
          exam_datetime: expect.any(String),
        });
      }
    }
  });

  it('is read without preamble, without prefix, and as a bare data set', async () => {
    const directory = await temporaryDirectory();
    const [dump] = sampleDumps();
    for (const syntax of ['implicit little endian', 'explicit little endian'] as const) {
      const whole = dump2dcm(dump!, syntax, directory);
      const bare = dump2dcm(dump!, syntax, directory, ['-F']);
      const { items } = await readFile(whole);
      for (const bytes of [whole.subarray(128), whole.subarray(132), bare]) {
        const read = await readFile(bytes);
        expect(read.format).toBe('dicom');
        expect(read.items, syntax).toEqual(items);
      }
    }
  });

  it('of sequences without a length is read as well', async () => {
    const directory = await temporaryDirectory();
    const [dump] = sampleDumps();
    const { items } = await readFile(dump2dcm(dump!, 'explicit little endian', directory));
    expect((await readFile(dump2dcm(dump!, 'explicit little endian', directory, ['-e']))).items).toEqual(items);
  });

  it.each(['ct-torax', 'rm-rodilla'])('of the dump of %s is the sample', async (name) => {
    const directory = await temporaryDirectory();
    const dump = fileURLToPath(new URL(`../../../samples/worklists/${name}.dump`, import.meta.url));
    const made = await readFile(dump2dcm(dump, 'explicit little endian', directory));
    expect(made.items).toEqual((await readFile(sampleBytes(`${name}.wl`))).items);
  });

  it('of a text in the wrong character set costs the item', async () => {
    const directory = await temporaryDirectory();
    const dump = join(directory, 'wrong.dump');
    writeFileSync(dump, '(0008,0005) CS [ISO_IR 192]\n(0008,0050) SH [A1]\n(0010,0010) PN [TESTE^JOSX]\n');
    const bytes = dump2dcm(dump, 'explicit little endian', directory);
    bytes[bytes.indexOf('JOSX') + 3] = 0xc9;
    expect((await readFile(bytes)).problems).toMatchObject([
      { message: 'patient_name: the value of (0010,0010) is not in the named character set.' },
    ]);
  });
});

it('of the modalities in a study that of its images', async () => {
  const study = (...modalities: string[]) =>
    JSON.stringify([{ '00080050': { vr: 'SH', Value: ['A1'] }, '00080061': { vr: 'CS', Value: modalities } }]);
  const modalityOf = async (...of: string[]) => (await readFile(study(...of))).items[0]?.item['modality'];
  expect([await modalityOf('SR', 'CT'), await modalityOf('MR', 'CT'), await modalityOf('SR')]).toEqual([
    'CT',
    'MR',
    'SR',
  ]);
});
