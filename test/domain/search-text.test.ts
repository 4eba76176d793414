import { expect, test } from 'vitest';
import { foldText, textSearch } from '../../src/domain/search-text.ts';

test('case, accents and the separators of DICOM names do not matter', () => {
  expect(foldText(' ANÔNIMO^Paciente  São ')).toBe('anonimo paciente sao');
});

test.each([
  ['torax', true],
  ['TÓRAX teste', true],
  ['teste^paciente', true],
  ['paciente teste sl-1', true],
  ['pac', true],
  ['torax cranio', false],
  ['outro', false],
])('%j in name, number and description: %s', (query, found) => {
  expect(textSearch(query)(['TESTE^PACIENTE', 'SL-1', null, 'TC de tórax'])).toBe(found);
});

test('a word is not pieced together from two texts', () => {
  expect(textSearch('ab')(['a', 'b'])).toBe(false);
});
