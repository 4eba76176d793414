import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { moveCaret } from '../../../desktop/renderer/state/report/caret.ts';

/** Both texts with `|` for the caret. */
const moved = (marked: string, after: string): string => {
  const caret = moveCaret(marked.replace('|', ''), after, marked.indexOf('|'));
  return `${after.slice(0, caret)}|${after.slice(caret)}`;
};

test.each([
  ['Lungs are| clear.', 'Lungs are clear. No effusion.', 'Lungs are| clear. No effusion.'],
  ['Lungs are| clear.', 'Both lungs are clear.', 'Both lungs are| clear.'],
  ['Lungs are clear.|', 'Lungs are clear. No effusion.', 'Lungs are clear.| No effusion.'],
  ['Left kn|ee.', 'Right knee.', 'Right kn|ee.'],
  ['Left| knee.', 'Right knee.', 'Right| knee.'],
  ['Lun|gs', '', '|'],
  ['|', 'Lungs', '|Lungs'],
  ['aa|a', 'aaaa', 'aa|aa'],
])('%s → %s', (before, after, expected) => {
  expect(moved(before, after)).toBe(expected);
});

test('it never leaves the text, and stays where nothing changed', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(), (before, after, at) => {
      const caret = at % (before.length + 1);
      const found = moveCaret(before, after, caret);
      expect(found).toBeGreaterThanOrEqual(0);
      expect(found).toBeLessThanOrEqual(after.length);
      expect(moveCaret(before, before, caret)).toBe(caret);
    }),
  );
});
