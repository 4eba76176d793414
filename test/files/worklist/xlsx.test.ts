/** Excel workbooks: what a sheet keeps, and what it shows. */
import { strToU8, zipSync } from 'fflate';
import type { Zippable } from 'fflate';
import { expect, test } from 'vitest';
import { readFile } from '../../support/worklist-readings.ts';

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const related = (target: string, type: string, id: string): string =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
const relationships = (...all: readonly string[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;

/** A workbook of one sheet, or two; `formats` are those of cells with the styles 1, 2, … */
function workbook(
  rows: string,
  formats: readonly string[],
  { state = 'visible', second }: { state?: string; second?: string } = {},
): Uint8Array {
  const sheets = ['Agenda', ...(second === undefined ? [] : ['Hoje'])];
  const codes = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`);
  const styles = formats.map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`);
  const parts = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships(related('xl/workbook.xml', 'officeDocument', 'r1')),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><sheets>${sheets.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}"${at === 0 ? ` state="${state}"` : ''} r:id="s${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      ...sheets.map((_, at) => related(`worksheets/sheet${at + 1}.xml`, 'worksheet', `s${at + 1}`)),
      related('styles.xml', 'styles', 'r2'),
    ),
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      [rows, ...(second === undefined ? [] : [second])].map((each, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet ${main}><sheetData>${each}</sheetData></worksheet>`,
      ]),
    ),
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}
const text = (place: string, value: string): string => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (place: string, value: string, style: number): string =>
  `<c r="${place}" s="${style}"><v>${value}</v></c>`;
const header = `<row r="1">${text('A1', 'accession_number')}${text('B1', 'patient_id')}</row>`;

test.each([
  ['0000000', '45871', '0045871'],
  ['0000000;-0000000', '45871', '0045871'],
  ['000', '45871', '45871'],
  ['0', '45871', '45871'],
  ['0.000', '45871', '45871'],
])('a number in the format %s: %s is the id %s', async (format, kept, shown) => {
  const sheet = `${header}<row r="2">${text('A2', 'A1')}${number('B2', kept, 1)}</row>`;
  const { items, problems } = await readFile(Buffer.from(workbook(sheet, [format])));
  expect(problems).toEqual([]);
  expect(items[0]?.item).toMatchObject({ accession_number: 'A1', patient_id: shown });
});

const sheetOf = (number: string) => `${header}<row r="2">${text('A2', number)}${text('B2', 'P1')}</row>`;
test.each([
  ['hidden', sheetOf('SEEN'), 'SEEN'],
  ['veryHidden', sheetOf('SEEN'), 'SEEN'],
  ['visible', sheetOf('SEEN'), 'FIRST'],
  ['hidden', `<row r="1">${text('A1', 'Agenda')}</row>`, 'FIRST'],
])('a first sheet that is %s', async (state, second, expected) => {
  const { items } = await readFile(Buffer.from(workbook(sheetOf('FIRST'), [], { state, second })));
  expect(items.map(({ item }) => item['accession_number'])).toEqual([expected]);
});

test('the sheet and the row that have the headings of a mapping are read', async () => {
  const first = `<row r="1">${text('A1', 'Leia-me')}</row>`;
  const second = `<row r="1">${text('A1', 'Agenda')}</row><row r="2">${text('A2', 'Foo')}${text('B2', 'Bar')}</row><row r="3">${text('A3', 'A1')}${text('B3', 'x')}</row>`;
  const { items } = await readFile(Buffer.from(workbook(first, [], { second })), {
    mapping: { fields: { accession_number: 'Foo' } },
  });
  expect(items.map(({ item }) => item)).toEqual([{ accession_number: 'A1', Bar: 'x' }]);
});

test('a row without values is no exam', async () => {
  const sheet = `${header}<row r="2">${text('A2', '')}${text('B2', ' ')}</row><row r="4">${text('A4', 'A1')}${text('B4', 'P1')}</row>`;
  const { items, problems } = await readFile(Buffer.from(workbook(sheet, [])));
  expect(problems).toEqual([]);
  expect(items.map(({ item, position }) => [item['accession_number'], position.line])).toEqual([['A1', 4]]);
});

test('a sheet of beginnings of cells is reported at once', async () => {
  const file = readFile(Buffer.from(workbook('<c '.repeat(400_000), ['0000000'])));
  await expect(file).rejects.toMatchObject({ message: 'The Excel workbook is damaged.' });
});

test.each([
  ['a binary workbook', { 'xl/workbook.bin': strToU8('x'), 'xl/styles.bin': strToU8('x') }, /\(\.xlsb\)/],
  [
    'an OpenDocument sheet',
    { mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 as const }] as const },
    /an OpenDocument file/,
  ],
])('%s is named, and what to do', async (_name, parts, message) => {
  await expect(readFile(Buffer.from(zipSync(parts as unknown as Zippable)))).rejects.toMatchObject({
    message: expect.stringMatching(message),
    hint: expect.stringContaining('.xlsx'),
  });
});
