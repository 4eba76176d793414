/** Speech of which a server gave no words is found by the times of its answers. */
import { expect, it, test } from 'vitest';
import { findHoles, findUnheard, measureCoverage } from '../../../server/speech/hearing/unheard-speech.ts';
import type { Transcript } from '../../../server/speech/hearing/join-pieces.ts';
import type { Word } from '../../../server/speech/hearing/words.ts';
import * as fc from '../../support/properties.ts';

type Spans = readonly (readonly [number, number])[];
const spans = (each: Spans) => each.map(([from, to]) => ({ from, to }));
const found = (voices: Spans, words: Spans) =>
  findUnheard([{ voices: spans(voices), words: spans(words) }]).map(({ from, to }) => [from, to]);

it.each<[string, Spans, Spans, Spans]>([
  [
    'all of it has words',
    [[0, 20]],
    [
      [0, 9],
      [9, 20],
    ],
    [],
  ],
  ['the segments end early', [[0, 20]], [[0, 12]], [[12.5, 20]]],
  [
    'a hole in the middle',
    [[0, 20]],
    [
      [0, 6],
      [12, 20],
    ],
    [[6.5, 11.5]],
  ],
  [
    'the last sentence',
    [
      [0, 5],
      [7, 10],
    ],
    [[0, 5]],
    [[7, 10]],
  ],
  [
    'the first sentence',
    [
      [0, 5],
      [7, 10],
    ],
    [[7, 10]],
    [[0, 5]],
  ],
  [
    'a cough',
    [
      [0, 5],
      [7, 8],
    ],
    [[0, 5]],
    [],
  ],
  [
    'words in a row of syllables',
    [
      [0, 0.4],
      [0.6, 1.3],
      [1.5, 2.2],
      [2.4, 3.2],
    ],
    [],
    [[0, 3.2]],
  ],
  [
    'two places',
    [
      [0, 4],
      [5, 6],
      [8, 11],
    ],
    [[4.5, 6]],
    [
      [0, 4],
      [8, 11],
    ],
  ],
  [
    'times a little beside the voice',
    [[0, 20]],
    [
      [0.4, 9],
      [9.8, 19.6],
    ],
    [],
  ],
  ['nobody speaks', [], [], []],
])('%s', (_, voices, words, wanted) => expect(found(voices, words)).toEqual(wanted));

test('words shared by two pieces count for both', () => {
  const pieces = [
    { voices: spans([[0, 10]]), words: spans([[0, 6]]) },
    { voices: spans([[6, 20]]), words: spans([[6, 20]]) },
  ];
  expect(findUnheard(pieces)).toEqual([]);
});

test('words without times may be anywhere; no words are nowhere; and no word is as long as a sentence', () => {
  const uncovered = (words: readonly Word[], suppressed: Transcript['suppressed'] = []) =>
    findUnheard([measureCoverage(spans([[0, 10]]), { words, suppressed }, 10)]);
  const word = (from: number, to: number): Word => ({ text: 'clear', data: { from, to } });
  expect(uncovered([{ text: 'clear' }])).toEqual([]);
  expect(uncovered([])).toEqual(spans([[0, 10]]));
  expect(uncovered([word(0, 2), { text: 'lungs' }, word(8, 9.5)])).toEqual([]);
  expect(uncovered([word(0, 2), { text: 'lungs' }])).toEqual([]);
  expect(uncovered([word(0, 9)])).toEqual(spans([[2.5, 10]]));
  expect(uncovered([{ text: '4,7', data: { from: 0, to: 4 } }])).toEqual(spans([[4.5, 10]]));
  const shared = { from: 0, to: 6 };
  expect(uncovered(['the', 'lungs', 'are'].map((text) => ({ text, data: shared })))).toEqual(spans([[6.5, 10]]));
  expect(uncovered([word(0, 2)], [{ text: 'x', reason: 'echo', after: 1, from: 2, to: 10 }])).toEqual([]);
});

test('a word that is stretched over speech is seen by the pace of the others, and a short hole is heard again', () => {
  // Two words a second.
  const said = Array.from({ length: 16 }, (_, at): Word => ({
    text: 'lungs',
    data: { from: at / 2, to: at / 2 + 0.45 },
  }));
  const holes = (words: readonly Word[]) => findHoles(spans([[0, 8]]), { words, suppressed: [] }, 8);
  const unheard = (words: readonly Word[]) =>
    findUnheard([measureCoverage(spans([[0, 8]]), { words, suppressed: [] }, 8)]);
  const without = (from: number, to: number, end: number) =>
    said.flatMap((word, at) =>
      at === from ? [{ text: 'of', data: { from: at / 2, to: end } }] : at > from && at < to ? [] : [word],
    );
  expect(holes(said)).toEqual([]);
  expect(holes(without(3, 6, 3))).toEqual([]);
  expect(holes(without(3, 9, 4.5))).toHaveLength(1);
  expect(unheard(without(3, 9, 4.5))).toHaveLength(0);
  expect(unheard(without(3, 12, 6))).toHaveLength(1);
});

test('gaps have voice without words, and more words make no more gaps', () => {
  const some = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 12 })), { maxLength: 8 });
  const asSpans = (each: readonly (readonly [number, number])[]) =>
    each.map(([from, length]) => [from, from + length] as const);
  fc.assert(
    fc.property(some, some, (said, told) => {
      const [voices, words] = [asSpans(said), asSpans(told)];
      const all = found(voices, words);
      for (const [from, to] of all) {
        expect(to! - from!).toBeGreaterThanOrEqual(1.5);
        expect(words.some((word) => word[0] - 0.5 < to! - 1e-9 && word[1] + 0.5 > from! + 1e-9)).toBe(false);
      }
      const sum = (each: number[][]) => each.reduce((seconds, [from, to]) => seconds + to! - from!, 0);
      expect(sum(found(voices, words.slice(1)))).toBeGreaterThanOrEqual(sum(all) - 1e-9);
      expect(found(voices, [[0, 100]])).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
