/** A report that was written elsewhere, read as sections. */
import * as fc from '../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { readReport } from '../../src/reporting/parse-report.ts';

const template = [
  { key: 'technique', title: 'Technique' },
  { key: 'findings', title: 'Findings' },
  { key: 'impression', title: 'Impression', required: true },
];
const read = (text: string) => readReport(text, { language: 'en-US', template });
const textsOf = (text: string) => Object.fromEntries(read(text).sections.map((section) => [section.key, section.text]));

describe('sections by their names', () => {
  test.each([
    [
      'headings on lines of their own',
      'TECHNIQUE\nWithout contrast.\n\nFINDINGS\nClear.\n\nIMPRESSION\nNormal.',
      { technique: 'Without contrast.', findings: 'Clear.', impression: 'Normal.' },
    ],
    ['names with a colon', 'Findings: clear.\nImpression: normal.', { findings: 'clear.', impression: 'normal.' }],
    ['no name at all', 'Clear. Normal.', { findings: 'Clear. Normal.' }],
    ['words before the first name', 'John.\nImpression: normal.', { findings: 'John.', impression: 'normal.' }],
    ['a name twice', 'Findings: a.\nImpression: b.\nFindings: c.', { findings: 'a.\nc.', impression: 'b.' }],
    ['nothing under a name', 'Findings: a.\nImpression:', { findings: 'a.', impression: '' }],
  ])('%s', (_name, text, sections) => expect(textsOf(text)).toEqual(sections));

  test('words stay as they are written: nothing is converted, carried out or taken back', () => {
    const text = 'Findings: six millimeters comma right, I mean left. Scratch that.';
    expect(textsOf(text)).toEqual({ findings: text.slice('Findings: '.length) });
  });
});

test('every word of a section is at its position in the text', () => {
  const word = fc.constantFrom(
    'nodule',
    '6 mm',
    'right',
    '.',
    ',',
    '\n',
    '\r\n',
    'Findings:',
    '\nImpression\n',
    'Technique:',
    'ação',
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join(' ').normalize('NFC');
      const { sections, placeOf } = read(text);
      for (const section of sections) {
        for (const { 0: each, index } of section.text.matchAll(/\S+/g)) {
          const place = placeOf(section.key, index)!;
          expect(text.slice(place, place + each.length)).toBe(each);
        }
      }
    }),
  );
});
