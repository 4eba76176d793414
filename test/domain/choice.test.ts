import * as fc from '../support/properties.ts';
import { expect, it, test } from 'vitest';
import { parseChoice } from '../../src/domain/choice.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/).filter((word) => word !== 'use');
const value = fc.stringMatching(/^[!-~]{0,30}$/);

it('is read from words as from an object', () => {
  fc.assert(
    fc.property(
      name,
      fc.option(fc.stringMatching(/^[!-~]{1,20}$/)),
      fc.dictionary(name, value),
      (kind, main, options) => {
        const use = main === null ? kind : `${kind}:${main}`;
        const words = [use, ...Object.entries(options).map(([option, given]) => `${option}=${given}`)].join('  ');
        expect(parseChoice(words)).toEqual({ use, options });
        expect(parseChoice({ use, ...options })).toEqual({ use, options });
      },
    ),
  );
});

it('keeps numbers and truth values of an object', () => {
  expect(parseChoice({ use: 'local', threads: 4, warm: true })).toEqual({
    use: 'local',
    options: { threads: 4, warm: true },
  });
});

test.each([
  '',
  '   ',
  'Local',
  'local:',
  '__proto__',
  'local threads',
  'local =4',
  'local threads=1 threads=2',
  'local __proto__=1',
  'local Threads=4',
  4,
  null,
  [],
  ['local'],
  {},
  { use: 'local', threads: [4] },
  { use: 'local', threads: null },
  { use: 'local', threads: Number.NaN },
])('%j is none', (wrong) => {
  expect(parseChoice(wrong)).toBeUndefined();
});
