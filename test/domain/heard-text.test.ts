/** Words with their places and times, joined and cut. */
import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { cutHeard, joinHeard } from '../../src/domain/heard-text.ts';
import type { HeardText } from '../../src/domain/heard-text.ts';

/** Words of a tenth of a second each, with marks after some of them. */
const stretch = fc
  .array(fc.constantFrom('pulmão', 'normal.', 'sem', 'derrame,', '5'), { maxLength: 12 })
  .map((words) => {
    let text = '';
    const heard = words.map((word, at) => {
      const start = text === '' ? 0 : text.length + 1;
      text = text === '' ? word : `${text} ${word}`;
      const end = start + word.replace(/[.,]$/, '').length;
      return { start, end, from: at / 10, to: (at + 1) / 10 };
    });
    return { heard: { text, words: heard } as HeardText, from: 0, to: words.length / 10 };
  });
const wordsIn = ({ text, words = [] }: HeardText): string[] => words.map(({ start, end }) => text.slice(start, end));

test('text cut at any moments and joined again is unchanged', () => {
  fc.assert(
    fc.property(stretch, fc.array(fc.double({ min: 0, max: 1.2, noNaN: true })), (whole, places) => {
      const moments = [0, ...places.toSorted((a, b) => a - b), 2];
      const parts = moments.slice(1).map((to, at) => ({ heard: cutHeard(whole, moments[at]!, to)!, by: 0 }));
      const { text, words = [] } = joinHeard(parts);
      expect(text).toBe(whole.heard.text);
      expect(words).toEqual(whole.heard.words);
    }),
  );
});

test('each word is where its position says, whatever it was joined to', () => {
  fc.assert(
    fc.property(fc.array(stretch), (all) => {
      const whole = joinHeard(all.map(({ heard }, at) => ({ heard, by: at })));
      expect(wordsIn(whole)).toEqual(all.flatMap(({ heard }) => wordsIn(heard)));
    }),
  );
});

test('a stretch without times is wanted whole or not at all', () => {
  const whole = { heard: { text: 'no effusion' }, from: 1, to: 2 };
  expect(cutHeard(whole, 0, 2)).toBe(whole.heard);
  expect(cutHeard(whole, 2, 3)).toEqual({ text: '' });
  expect(cutHeard(whole, 1.5, 3)).toBeUndefined();
});
