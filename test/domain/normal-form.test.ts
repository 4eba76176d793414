import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { normalForm } from '../../src/domain/normal-form.ts';

test.each(['NFC', 'NFD', 'NFKD'] as const)('any text is in %s afterwards', (form) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(normalForm(text, form)).toBe(text.normalize(form));
    }),
  );
  const marked = `a${'\u0301'.repeat(30)}`;
  expect(normalForm(marked, form)).toBe(marked.normalize(form));
});

test('more marks in a row than any language writes are left as they are: to order them takes the square of their number', () => {
  const hostile = `e\u0301a${'\u0301'.repeat(200_000)}${'\u0316'.repeat(200_000)}`;
  // It would take minutes otherwise.
  expect(normalForm(hostile)).toBe(hostile);
  expect(normalForm(normalForm(hostile, 'NFKD'))).toBe(hostile);
});
