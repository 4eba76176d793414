/** What was typed stands in the document as it was typed, whatever it would be if somebody said it. */
import * as fc from '../support/properties.ts';
import { describe, expect, it, test } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import { typedSections, writeTyped } from '../../src/reporting/typed-report.ts';
import { dictation, runs } from './generated.ts';
import { sections as template } from './written.ts';

describe.each(languages)('%s', (language) => {
  const text = dictation(language).map((words) => words.normalize('NFC'));

  it('keeps each section to the letter, and records who typed it', () =>
    fc.assert(
      fc.property(text, text, (findings, impression) => {
        const typed = [
          { key: 'impression', title: 'Impression', text: impression },
          { key: 'findings', title: 'Findings', text: findings },
        ];
        const { sections, provenance } = writeTyped({ sections: typed, by: 'Dr. A' }, { language, sections: template });
        for (const { key, text: given } of typed) {
          const written = sections.find((section) => section.key === key)?.text ?? '';
          expect(written).toBe(given.trim() === '' ? '' : given);
          const own = provenance.words.filter(({ section }) => section === key);
          expect(own.every(({ origin, by }) => origin === 'edited' && by === 'Dr. A')).toBe(true);
        }
        expect(provenance.heard).toEqual([]);
        expect(provenance.operations).toEqual([]);
      }),
      { numRuns: runs },
    ));

  it('puts a text under its headings without changing anything else in it', () =>
    fc.assert(
      fc.property(text, (given) => {
        const of = { language, template };
        const typed = typedSections({ text: given, verbatim: true }, of)!;
        // Each section is made of pieces of the text, and no mark or word is in none but those of headings.
        for (const section of typed)
          for (const line of section.text.split('\n')) expect(given.replace(/\r/g, '\n')).toContain(line.trim());
        const plain = given.replace(/[:\n\r]/g, ' ').trim();
        if (plain !== '' && !/^[\p{L} ]+$/u.test(plain)) {
          const whole = typedSections({ text: plain, verbatim: true }, of)!;
          expect(whole.map((section) => section.text)).toEqual([plain]);
        }
      }),
      { numRuns: runs },
    ));
});

test('a heading has a colon, or a separate line; a name in a sentence is a word', () => {
  const read = (text: string) =>
    Object.fromEntries(
      typedSections({ text, verbatim: true }, { language: 'en-US', template })!.map(({ key, text: own }) => [key, own]),
    );
  expect(read('Findings: -10 HU.\nNext field. Impression of the dens.\n\nIMPRESSION\n?fracture')).toEqual({
    findings: '-10 HU.\nNext field. Impression of the dens.',
    impression: '?fracture',
  });
  expect(read('Test Patient. **Findings:** .5 cm comma left')).toEqual({
    patient: 'Test Patient.',
    findings: '.5 cm comma left',
  });
});

test('a template fills sections without typed text', () => {
  const sections = [
    { key: 'technique', title: 'Technique', text: 'Without contrast.' },
    { key: 'examination', title: 'Examination' },
  ];
  const typed = [{ key: 'findings', title: 'Findings', text: 'Clear' }];
  const { sections: written, provenance } = writeTyped(
    { sections: typed, by: 'Dr. A' },
    { language: 'en-US', sections },
  );
  expect(written).toEqual([
    { key: 'technique', title: 'Technique', text: 'Without contrast.' },
    { key: 'examination', title: 'Examination', text: 'Clear' },
  ]);
  expect(provenance.words.map(({ section, origin }) => [section, origin])).toEqual([
    ['technique', 'template'],
    ['examination', 'edited'],
  ]);
});
