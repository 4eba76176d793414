import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { compareWords } from '../../../desktop/renderer/state/report/word-changes.ts';

const shown = (before: string, after: string): string =>
  compareWords(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'gone' ? `[-${text}-]` : `[+${text}+]`))
    .join('');

test('one word', () => {
  expect(shown('lobo superior esquerdo.', 'lobo superior direito.')).toBe('lobo superior [-esquerdo-][+direito+].');
});

test('a sentence that was replaced is one run', () => {
  expect(shown('Exame normal.', 'Nódulo pequeno.')).toBe('[-Exame normal-][+Nódulo pequeno+].');
});

test('nothing changed', () => {
  expect(shown('A b.', 'A b.')).toBe('A b.');
});

test('unchanged and removed words make the earlier text, unchanged and added ones the later', () => {
  const text = fc
    .array(fc.constantFrom('a', 'bb', 'c.', ' ', '\n', 'ã'), { maxLength: 20 })
    .map((words) => words.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const runs = compareWords(before, after);
      const join = (kind: string) =>
        runs
          .filter((run) => run.kind === 'same' || run.kind === kind)
          .map((run) => run.text)
          .join('');
      expect(join('gone')).toBe(before);
      expect(join('new')).toBe(after);
    }),
  );
});
