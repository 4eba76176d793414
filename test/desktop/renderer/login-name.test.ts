/** The name to log in with that is offered for a person's name. */
import { expect, test } from 'vitest';
import { deriveLoginName } from '../../../desktop/renderer/views/login/login-name.ts';

test.each([
  ['Dr. Anna Lima', 'anna.lima'],
  ['Dra. Inês da Conceição', 'ines.conceicao'],
  ['DRA HELENA PRADO', 'helena.prado'],
  ["Prof. Dr. Seán O'Neill-Núñez", 'sean.oneillnunez'],
  ['Madonna', 'madonna'],
  ['  ', ''],
  ['Dr.', ''],
  ['山田 太郎', '山田.太郎'],
  ['x'.repeat(300), 'x'.repeat(100)],
])('%s: %s', (name, expected) => {
  expect(deriveLoginName(name)).toBe(expected);
});
