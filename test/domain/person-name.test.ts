import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { displayName, toComponents } from '../../src/domain/person-name.ts';

test.each([
  ['TESTE^PACIENTE', 'Paciente Teste'],
  ['Teste^Paciente', 'Paciente Teste'],
  ['Test Patient', 'Test Patient'],
  ['TEST PATIENT', 'Test Patient'],
  ['SILVA^JOAO^^DR', 'Dr Joao Silva'],
  ['DA SILVA^JOÃO^PEDRO^DR^JR', 'Dr João Pedro da Silva, Jr'],
  ['Adams^John Robert Quincy^^Rev.^B.A. M.Div.', 'Rev. John Robert Quincy Adams, B.A. M.Div.'],
  ['SOUZA E COSTA^ANA', 'Ana Souza e Costa'],
  ['SMITH^JOHN^E', 'John E Smith'],
  ["O'BRIEN^MARY-JANE", "Mary-Jane O'Brien"],
  ['HENRY^KING^^^VIII', 'King Henry, VIII'],
  ['Yamada^Tarou=山田^太郎=やまだ^たろう', 'Tarou Yamada'],
  ['=山田^太郎', '太郎 山田'],
  ['DE SOUZA', 'De Souza'],
  ['silva^joao', 'joao silva'],
  ['  TESTE ^ PACIENTE  ANA ', 'Paciente Ana Teste'],
  ['TESTE', 'Teste'],
  ['^^^^JR', 'Jr'],
  ['^^', '^^'],
])('%j is shown as %j', (name, shown) => {
  expect(displayName(name)).toBe(shown);
});

test('a name that has letters is shown, without separators and without spaces in excess', () => {
  const component = fc.stringMatching(/^[A-Za-zÀ-ÿ '-]{0,12}$/);
  const names = fc.array(component, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('^'));
  fc.assert(
    fc.property(names, (name) => {
      fc.pre(/\S/.test(name.replaceAll('^', '')));
      const shown = displayName(name);
      expect(shown).not.toMatch(/\^|\s\s|^\s|\s$/);
      const letters = (text: string) => [...text.toLowerCase().replace(/[^\p{L}]/gu, '')].toSorted().join('');
      expect(letters(shown)).toBe(letters(name));
    }),
  );
});

test.each([
  ['Dra. Helena Prado', 'Prado^Helena^^Dra.'],
  ['Prof. Dr. João Pedro da Silva', 'da Silva^João Pedro^^Prof. Dr.'],
  ['Jane Doe, MD', 'Doe^Jane^^^MD'],
  ['Dra. Helena', 'Helena^^^Dra.'],
  ['Helena', 'Helena'],
  ['山田 太郎', '山田^太郎'],
  ['김 철수', '김^철수'],
  ['محمد علي', 'علي^محمد'],
  ['Prado^Helena', 'Prado^Helena'],
  ['', ''],
])('%j has the components %j', (name, components) => expect(toComponents(name)).toBe(components));

test('components are shown as the name that they came from', () => {
  const word = fc.constantFrom('Ana', 'Dra.', 'da', 'Silva', 'Müller', 'Dr.', 'van', 'Ωmega', 'e');
  const names = fc
    .tuple(fc.array(word, { maxLength: 5 }), fc.constantFrom('', ', MD'))
    .map(([words, degree]) => `${[...words, 'Prado'].join(' ')}${degree}`);
  fc.assert(fc.property(names, (name) => void expect(displayName(toComponents(name))).toBe(name)));
});
