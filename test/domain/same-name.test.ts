/** The word of a name by which people are looked up. */
import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { isSameName, findLongestWord } from '../../src/domain/same-name.ts';

test.each([
  ['SILVA^MARIA JOSE', 'MARIA'],
  ['SOUZA^ANA^^PROFESSORA', 'SOUZA'],
  ['Profa. Ana de Souza', 'PROFA'],
  ['D’Ávila-Sá^Zoë', 'DAVILA'],
  ['Weiß^Jörg', 'WEISS'],
  ['Dr^Ana=X', 'ANA'],
  ['=山田^太郎', '太郎'],
  ['Ана Петрова', 'ПЕТРОВА'],
  ['^^', ''],
])('%s is looked up by %s', (name, word) => {
  expect(findLongestWord(name)).toBe(word);
});

/** Letters up to U+017F, and what stands between them. */
const latinName = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(..."ABCxyzáÇñößøŁłŉı ^^=,.-’'1") },
    fc.integer({ min: 0x20, max: 0x17f }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 40,
});

test('a name and its spelling with national marks are looked up by the same word', () => {
  fc.assert(
    fc.property(latinName, (name) => {
      expect(findLongestWord(name.normalize('NFD'))).toBe(findLongestWord(name));
    }),
    { numRuns: 500 },
  );
});

test('one name has one word, whatever its case', () => {
  fc.assert(
    fc.property(latinName, (name) => {
      fc.pre(isSameName(name, name.toLowerCase()));
      expect(findLongestWord(name.toLowerCase())).toBe(findLongestWord(name));
    }),
  );
});
