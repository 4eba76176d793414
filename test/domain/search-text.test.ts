import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { foldText, textSearch, splitWords } from '../../src/domain/search-text.ts';

test('case, accents and the separators of DICOM names do not matter', () => {
  expect(foldText(' ANÔNIMO^Paciente  São ')).toBe('anonimo paciente sao');
});

test.each([
  ['torax', true],
  ['TÓRAX teste', true],
  ['teste^paciente', true],
  ['paciente teste sl-0042', true],
  ['pac', true],
  ['sl-00', true],
  ['0042', true],
  ['42', true],
  ['d’avila', true],
  ['avila', true],
  ['(contraste', true],
  ['山', true],
  ['太', true],
  ['', true],
  ['^ -', true],
  ['torax cranio', false],
  ['outro', false],
  ['aciente', false],
  ['042', false],
  ['2', false],
  ['田', false],
])('%j in name, number and description: %s', (query, found) => {
  const texts = ['TESTE^PACIENTE=山田^太郎', 'D’Ávila', 'SL-0042', null, 'TC de tórax c/contraste'];
  expect(textSearch(query)(texts)).toBe(found);
});

test('a word is not pieced together from two texts', () => {
  expect(textSearch('ab')(['a', 'b'])).toBe(false);
});

/** Where words begin, after the docstring of search-text.ts. */
const beginnings = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<=(?<![\p{L}\p{N}])0+)[1-9]/gu;

test('any text is folded as Unicode defines, and its words are found by their beginnings', () => {
  const written = fc.string({
    unit: fc.oneof(fc.constantFrom(...'00142 -^aÉß'), fc.string({ unit: 'binary', maxLength: 1 })),
  });
  fc.assert(
    fc.property(written, (text) => {
      fc.pre(!/[\ufdfa\ufdfb]/.test(text));
      const folded = foldText(text);
      const plain = text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase();
      expect(folded).toBe(plain.replace(/[\s^=]+/g, ' ').trim());
      const words = Array.from(folded.matchAll(beginnings), ({ index }) => folded.slice(index).split(' ')[0]);
      expect(splitWords(folded, 1000)).toEqual(words);
    }),
  );
});

test('a character that expands to a sentence makes no text longer', () => {
  expect(foldText('ﷺ'.repeat(1000)).length).toBeLessThanOrEqual(1000);
});
