/** CSV with a quote that is never closed. */
import { describe, expect, it } from 'vitest';
import type { ReadOptions } from '../../../src/files/worklist/reading.ts';
import { readFile } from '../../support/worklist-readings.ts';

const read = async (lines: readonly string[], options: ReadOptions = {}) => readFile(`${lines.join('\n')}\n`, options);

describe('a quote that is never closed', () => {
  const quote = 'A quote is opened here and never closed.';
  /** Accession numbers, and the lines of problems with what is wrong. */
  const readRows = async (rows: readonly string[], options: ReadOptions = {}) => {
    const { items, problems } = await read(['Accession;Paciente', ...rows], options);
    return [
      items.map(({ item }) => item['accession_number']),
      problems.map(({ position, message }) => [position.line, message]),
    ];
  };

  it.each([
    ['to the end', ['A1;x', 'A2;"open', 'A3;y', 'A4;z'], ['A1', 'A3', 'A4'], [3]],
    ['before a row with another', ['A1;"open', 'A2;"x', 'A3;y'], ['A3'], [2, 3]],
    ['before a quoted row', ['A1;"open', 'A2;y', '"A3";"z"'], ['A2', 'A3'], [2]],
    ['before an empty quoted value', ['A1;"open', 'A2;""', '"A3";"z"'], ['A2', 'A3'], [2]],
    ['and is all there is', ['"', 'A1;x'], ['A1'], [2]],
    ['before a value of several lines', ['A1;"open', 'A2;"y', ' z"', 'A3;x'], ['A2', 'A3'], [2]],
  ])('%s', async (_, rows, ids, lines) => {
    expect(await readRows(rows)).toEqual([ids, lines.map((line) => [line, quote])]);
  });

  it('is distinguished from quotes in a value of several lines', async () => {
    const { items } = await read(['Accession;Obs;Patient', 'A1;"one', 'a ""b""; c', '', 'e";Test Patient', 'A2;;']);
    expect(items.map(({ item }) => item)).toEqual([
      { accession_number: 'A1', patient_name: 'Test Patient', metadata: { notes: 'one\na "b"; c\n\ne' } },
      { accession_number: 'A2' },
    ]);
  });

  it('hides no rows behind the limit of a record', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => `B${at};Test Patient`);
    const [ids, problems] = await readRows(['A1;"open', ...rows], { limits: { line: 1000 } });
    expect(ids).toEqual(rows.map((row) => row.split(';')[0]));
    expect(problems).toEqual([[2, quote]]);
  });

  it.each([
    ['a blank line', ''],
    ['a remark', 'Total of the day'],
    ['a shorter row', 'B'],
    ['a longer row', 'B;x;y;z'],
  ])('hides no rows behind the limit where %s follows', async (_, next) => {
    const rows = Array.from({ length: 200 }, (_each, at) => `B${at};Test Patient`);
    const [ids, problems] = await readRows(['A1;"open', next, ...rows], { limits: { line: 1000 } });
    expect(ids).toEqual(rows.map((row) => row.split(';')[0]));
    expect(problems).toContainEqual([2, quote]);
  });

  it('hides no rows that are shorter than the header', async () => {
    const rows = Array.from({ length: 200 }, (_each, at) => `B${at};Test Patient`);
    const lines = ['Accession;Paciente;Obs', 'A1;"open', ...rows];
    const { problems } = await read(lines, { limits: { line: 1000 } });
    expect(problems).toHaveLength(1 + rows.length);
  });

  it('a text beyond the limit is a text, whatever separates its words', async () => {
    const text = Array.from({ length: 200 }, (_each, at) => `${'a, '.repeat(at % 7)}and so on`).join('\n');
    const lines = ['Accession,Obs,Paciente', `A1,"${text}",Test Patient`];
    await expect(read(lines, { limits: { line: 1000 } })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect((await read(lines)).items).toMatchObject([{ item: { metadata: { notes: text } } }]);
  });

  it.each([
    ['a quote on each line', 'A;"x', 20_000, 20_000],
    ['a value that ends and another that begins on each line', 'x";"', 200_000, 200_000],
    ['a row and a quoted line end', 'A";"\nA";x', 100_000, undefined],
    ['two quotes on each line behind one', '"";""', 200_000, undefined],
  ])('takes no longer than others: %s', async (_, line, count, told) => {
    const { problems } = await read(['Accession;Paciente', 'A;"x', ...Array.from({ length: count }, () => line)]);
    if (told !== undefined) expect(problems.length).toBeGreaterThanOrEqual(told);
  });

  it('and a long run behind it take no longer than other text', async () => {
    const [ids, problems] = await readRows([`A1;"${'x'.repeat(1_000_000)}`, 'A2;y']);
    expect([ids, problems]).toEqual([['A2'], [[2, quote]]]);
    expect((await readRows([`A1;"${'""'.repeat(500_000)}`, 'A2;y']))[0]).toEqual(['A2']);
  });
});
