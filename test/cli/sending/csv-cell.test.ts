import { parse } from 'csv-parse/sync';
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { csvCell } from '../../../cli/sending/report.ts';

test.each([
  ['SL-2026-004417', 'SL-2026-004417'],
  [null, ''],
  ['', ''],
  ['A,"<&5', '"A,""<&5"'],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['@SUM(1)', "'@SUM(1)"],
  ['+cmd', "'+cmd"],
  ['-1+1', "'-1+1"],
  ['  =1', "  '=1"],
  ['＝1', "'＝1"],
  ['a;=1', `"a;'=1"`],
  ['a\n=1', `"a\n'=1"`],
  ['-12', '-12'],
  ['+55,5', '"+55,5"'],
  ['a-b=c', 'a-b=c'],
])('%j is written %j', (value, written) => {
  expect(csvCell(value)).toBe(written);
});

const units = [...'aB1-+=@＝＠ \'",;|\t\r\n', '\u00a0'];
const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 10 });

test('no spreadsheet computes it, whatever it takes for the end of a cell', () => {
  fc.assert(
    fc.property(text, (value) => {
      const line = `file,${csvCell(value)},end`;
      for (const part of line.split(/[,;|"\t\r\n]/)) {
        if (!/^\s*[+-]?\d+$/.test(part)) expect(part).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a program reads it back, but for the apostrophes', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('\r\n'), (value, end) => {
      const [row] = parse(`x,${csvCell(value)},y${end}`, { record_delimiter: end }) as string[][];
      expect(row).toHaveLength(3);
      const [, read = ''] = row!;
      expect(read.replaceAll("'", '')).toBe(value.replaceAll("'", ''));
      if (!/[=+\-@＝＋－＠]/.test(value)) expect(read).toBe(value);
    }),
  );
});
