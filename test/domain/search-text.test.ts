import { expect, test } from 'vitest';
import { foldText, textSearch } from '../../src/domain/search-text.ts';

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
