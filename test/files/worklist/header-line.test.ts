/** The row of a table that names the columns, below titles, where a person says what the columns hold. */
import { expect, it } from 'vitest';
import type { WorklistMapping } from '../../../src/contract/worklist-mapping.ts';
import { readFile } from '../../support/worklist-readings.ts';

const read = async (lines: readonly string[], fields: WorklistMapping['fields'] = {}, skip?: number) =>
  readFile(`${lines.join('\n')}\n`, { mapping: { fields, ...(skip !== undefined && { skip_rows: skip }) } });
const titles = ['Relatório de exames;;;', 'Período: 02/03/2026;;;', ''];

it.each([
  [
    'all its headings',
    ['Foo;Bar;Baz;Qux', 'A1;Test Patient;x;y'],
    { accession_number: 'Foo', patient_name: ['Nome', 'Bar'] },
  ],
  ['its one heading', ['Foo;Bar;Baz;Qux', 'A1;x;y;z'], { accession_number: ['OBR-3', 'Foo'] }],
  [
    'a heading and a number',
    ['Foo;Bar;Baz;Qux', 'A1;Test Patient;x;y'],
    { accession_number: 'Foo', patient_name: '2' },
  ],
  ['numbers, below known headings', ['Foo;Paciente;Sala;Exame', 'A1;Test Patient;x;y'], { accession_number: '1' }],
  ['places of other formats', ['Acesso;Paciente;x;y', 'A1;Test Patient;x;y'], { accession_number: 'OBR-3' }],
])('is found by %s', async (_, lines, fields) => {
  const { items, problems, guesses } = await read([...titles, ...lines], fields);
  expect(problems).toEqual([]);
  expect(items).toMatchObject([{ item: { accession_number: 'A1' }, position: { line: 5 } }]);
  expect(guesses.find(({ what }) => what === 'rows')?.value).toBe('3');
});

it('is that of the mapping, though a row above has two headings that are known', async () => {
  const { items } = await read(['Data;Hospital;HSL', 'Foo;Bar;Data', 'A1;x;02/03/2026'], { accession_number: 'Foo' });
  expect(items).toMatchObject([{ item: { accession_number: 'A1' } }]);
});

it('is where --skip-rows says, whatever comes before', async () => {
  const lines = ['Foo;Bar', 'x;y', 'Foo;Bar', 'A1;z'];
  expect((await read(lines, { accession_number: 'Foo' }, 2)).items.map(({ item }) => item['accession_number'])).toEqual(
    ['A1'],
  );
});

it('is absent if the columns are given by number, though a row contains words that are headings elsewhere', async () => {
  const { items } = await read(['A1;x;y;z', 'A2;;Urgencia;Enfermaria', 'A3;x;y;z'], { accession_number: '1' });
  expect(items.map(({ item }) => item['accession_number'])).toEqual(['A1', 'A2', 'A3']);
});

it('is not found where a heading of the mapping is nowhere', async () => {
  const file = read([...titles, 'Foo;Bar;Baz;Qux', 'A1;x;y;z'], { accession_number: 'Missing' });
  await expect(file).rejects.toMatchObject({ code: 'USAGE' });
});

it.each(['', ';;', '"'])('is not looked for with the delimiter %j, which is none', async (delimiter) => {
  await expect(readFile('Acesso;Paciente\nA1;x\n', { delimiter })).rejects.toMatchObject({ code: 'USAGE' });
});
