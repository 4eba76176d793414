/** What was heard in the pieces of a sound becomes one text: no word is lost, none stands twice, and times never go back. */
import * as fc from '../../support/properties.ts';
import { describe, expect, it, test } from 'vitest';
import type { Word } from '../../../server/speech/hearing/words.ts';
import { joinPieces as join, toHeardText } from '../../../server/speech/hearing/join-pieces.ts';
import type { HeardPiece } from '../../../server/speech/hearing/join-pieces.ts';
import { measureCoverage } from '../../../server/speech/hearing/unheard-speech.ts';
import { excessiveGrowth } from '../../support/growth.ts';

interface Said {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Words with the times at which they are said, at most six in a second. */
const speech = (word: fc.Arbitrary<string>): fc.Arbitrary<Said[]> =>
  fc
    .array(fc.record({ text: word, length: fc.integer({ min: 12, max: 60 }), gap: fc.integer({ min: 5, max: 80 }) }), {
      minLength: 1,
      maxLength: 60,
    })
    .map((entries) => {
      let at = 0;
      return entries.map(({ text, length, gap }) => {
        const from = at + gap;
        at = from + length;
        return { text, from: from / 100, to: at / 100 };
      });
    });

/** How a piece ends: in a silence, or through speech with so much in both pieces. */
const cuts = fc.array(fc.record({ every: fc.integer({ min: 4, max: 20 }), shared: fc.constantFrom(0, 2) }), {
  minLength: 1,
  maxLength: 6,
});

interface Cutting {
  readonly words: readonly Said[];
  readonly overlap?: { from: number; to: number };
}

/**
 * The pieces in which a recogniser hears those words that are wholly in them, and may hear another word in the rest of one that
 * was cut through. A cut without overlap is between two words.
 */
function cut(said: readonly Said[], at: readonly { every: number; shared: number }[], isSpoilt: boolean): Cutting[] {
  const pieces: Cutting[] = [];
  let [from, index] = [0, 0];
  let overlap: { from: number; to: number } | undefined;
  const end = said.at(-1)!.to;
  for (;;) {
    const { every, shared } = at[index++ % at.length]!;
    const middle = from + every;
    const isLast = middle + 2 >= end;
    const straddles = said.some((word) => word.from < middle && middle < word.to);
    const isShared = shared > 0 || straddles;
    const to = isLast ? Infinity : middle + (isShared ? 1 : 0);
    const begin = overlap?.from ?? from;
    const words = said.flatMap((word): Said[] => {
      if (word.to <= begin || word.from >= to) return [];
      const isWhole = word.from >= begin && word.to <= to;
      if (isWhole) return [word];
      return isSpoilt ? [{ text: 'hm', from: Math.max(begin, word.from), to: Math.min(to, word.to) }] : [];
    });
    pieces.push({ words, ...(overlap && { overlap }) });
    if (isLast) return pieces;
    overlap = isShared ? { from: middle - 1, to: middle + 1 } : undefined;
    from = middle;
  }
}

const joinPieces = (pieces: readonly HeardPiece[]) => toHeardText(join(pieces));

const heardIn = ({ words, overlap }: Cutting, wordOf: (said: Said) => Word): HeardPiece => ({
  words: words.map(wordOf),
  suppressed: [],
  ...(overlap && { overlap }),
});
const textOf = (said: readonly Said[]): string => said.map(({ text }) => text).join(' ');
const anyWord = fc.constantFrom('não', 'dois', 'dois', 'direita', 'Direita,', 'cisto', 'de', 'mm', '6');

test('with times: whatever the words and wherever the cuts, the text is what was said', () => {
  fc.assert(
    fc.property(
      speech(anyWord),
      cuts,
      fc.boolean(),
      fc.infiniteStream(fc.integer({ min: -10, max: 10 })),
      (said, at, isSpoilt, jitter) => {
        const pieces = cut(said, at, isSpoilt).map((piece) =>
          heardIn(piece, ({ text, from, to }) => {
            const by = jitter.next().value / 100;
            return { text, data: { from: from + by, to: to + by } };
          }),
        );
        const heard = joinPieces(pieces);
        expect(heard.text).toBe(textOf(said));
        let latest = 0;
        heard.words!.forEach((word, index) => {
          expect(heard.text.slice(word.start, word.end)).toBe(said[index]!.text);
          expect(word.from).toBeGreaterThanOrEqual(latest);
          expect(Math.abs(word.from! - said[index]!.from)).toBeLessThan(0.25);
          latest = word.from!;
        });
      },
    ),
    { numRuns: 300 },
  );
});

test('without times: differing words appear once each', () => {
  fc.assert(
    fc.property(speech(fc.constant('x')), cuts, (entries, at) => {
      const said = entries.map((word, index) => ({ ...word, text: `w${index}` }));
      expect(joinPieces(cut(said, at, false).map((piece) => heardIn(piece, ({ text }) => ({ text })))).text).toBe(
        textOf(said),
      );
    }),
    { numRuns: 300 },
  );
});

test('with or without times, parts cut in silence stay as they were heard', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.record({ text: anyWord, isTimed: fc.boolean() }), { maxLength: 8 })), (parts) => {
      let at = 0;
      const pieces = parts.map((part): HeardPiece => ({
        words: part.map(({ text, isTimed }) => {
          at += 0.3;
          return isTimed ? { text, known: { from: at, to: at + 0.2 } } : { text };
        }),
        suppressed: [],
      }));
      expect(joinPieces(pieces).text).toBe(
        parts
          .flat()
          .map(({ text }) => text)
          .join(' '),
      );
    }),
  );
});

describe('through speech', () => {
  const overlap = { from: 9, to: 11 };
  const words = (text: string): Word[] => text.split(' ').map((word) => ({ text: word }));
  const joined = (before: string, after: string): string =>
    joinPieces([
      { words: words(before), suppressed: [] },
      { words: words(after), suppressed: [], overlap },
    ]).text;

  it.each([
    ['there is no pleural eff', 'no pleural effusion today', 'there is no pleural effusion today'],
    ['there is no pleural effusion', 'oral effusion today', 'there is no pleural effusion today'],
    ['nothing in common', 'here at all', 'nothing in common here at all'],
    ['a small nodule.', 'Nodule, six mm', 'a small nodule. six mm'],
  ])('“%s” and “%s”', (before, after, whole) => {
    expect(joined(before, after)).toBe(whole);
  });
});

test('suppressed text is placed between the words where it would be, and sentences keep their details', () => {
  const known = { from: 1, to: 3, confidence: 0.4 };
  const heard = joinPieces([
    {
      words: [
        { text: 'Sem', data: known },
        { text: 'derrame.', data: known },
      ],
      suppressed: [{ text: 'Amara', reason: 'silence', after: 2 }],
    },
    { words: [{ text: 'Fim.' }], suppressed: [{ text: 'x', reason: 'echo', after: 0, from: 9, to: 10 }] },
  ]);
  expect(heard).toEqual({
    text: 'Sem derrame. Fim.',
    words: [{ start: 0, end: 12, ...known }],
    suppressed: [
      { text: 'Amara', reason: 'silence', at: 13 },
      { text: 'x', reason: 'echo', from: 9, to: 10, at: 13 },
    ],
  });
  expect(joinPieces([])).toEqual({ text: '' });
});

it.each([
  ['with times', (at: number) => ({ from: at, to: at + 0.3 })],
  ['without times', () => ({})],
])('takes time in proportion to the words, %s', async (_name, data) => {
  const make = (count: number) => {
    const words = Array.from({ length: count }, (_, at): Word => ({ text: `w${at % 60}`, data: data(at) }));
    const heard = { words, suppressed: [] };
    return () => [toHeardText(join([heard])), measureCoverage([], heard, count)];
  };
  expect(await excessiveGrowth(make, { from: 2000, largest: 8000 })).toBeUndefined();
});
