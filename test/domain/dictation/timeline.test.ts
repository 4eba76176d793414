import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lengthOf, segmentsOf, slice, takesOf } from '../../../src/domain/dictation/timeline.ts';
import type { Edit, Segment, Take } from '../../../src/domain/dictation/timeline.ts';

const wish = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      mode: fc.constantFrom('insert' as const, 'overwrite' as const, 'append' as const),
      at: fc.nat(60),
      length: fc.nat(20),
    }),
  },
  { weight: 1, arbitrary: fc.constant('undo' as const) },
);

/** Takes follow one another in the file. */
const edits = fc.array(wish, { maxLength: 30 }).map((wishes) => {
  let from = 0;
  return wishes.map((one): Edit => {
    if (one === 'undo') return one;
    const take = { ...one, from };
    from += one.length;
    return take;
  });
});

/** As one would do it by hand: every sample is its place in the file. */
function byHand(all: readonly Edit[]): number[] {
  const history: number[][] = [[]];
  for (const edit of all) {
    if (edit === 'undo') {
      if (history.length > 1) history.pop();
      continue;
    }
    if (edit.length === 0) continue;
    const samples = [...history.at(-1)!];
    const heard = Array.from({ length: edit.length }, (_, index) => edit.from + index);
    if (edit.mode === 'append') samples.push(...heard);
    else samples.splice(edit.at, edit.mode === 'insert' ? 0 : edit.length, ...heard);
    history.push(samples);
  }
  return history.at(-1)!;
}

const samplesOf = (segments: readonly Segment[]): number[] =>
  segments.flatMap(({ from, length }) => Array.from({ length }, (_, index) => from + index));

const take = (mode: Take['mode'], at: number, from: number, length: number): Take => ({ mode, at, from, length });

describe('the timeline', () => {
  it('is what doing it by hand gives, sample by sample', () => {
    fc.assert(
      fc.property(edits, (all) => {
        const segments = segmentsOf(all);
        expect(samplesOf(segments)).toEqual(byHand(all));
        expect(lengthOf(segments)).toBe(byHand(all).length);
      }),
    );
  });

  it('has no empty segment and none that goes on where the one before ends', () => {
    fc.assert(
      fc.property(edits, (all) => {
        const segments = segmentsOf(all);
        for (const [index, { from, length }] of segments.entries()) {
          expect(length).toBeGreaterThan(0);
          expect(segments[index + 1]?.from).not.toBe(from + length);
        }
      }),
    );
  });

  it('gives any part of it', () => {
    fc.assert(
      fc.property(edits, fc.nat(200), fc.nat(200), (all, start, length) => {
        const part = samplesOf(slice(segmentsOf(all), start, length));
        expect(part).toEqual(byHand(all).slice(start, start + length));
      }),
    );
  });

  it('is after one undo as before the last take, again and again', () => {
    fc.assert(
      fc.property(edits, (all) => {
        const takes = takesOf(all);
        for (let undone = 0; undone <= takes.length; undone++) {
          const after = segmentsOf([...all, ...Array.from({ length: undone }, () => 'undo' as const)]);
          expect(after).toEqual(segmentsOf(takes.slice(0, takes.length - undone)));
        }
      }),
    );
  });

  it.each([
    ['puts an inserted take between', take('insert', 4, 10, 3), [0, 1, 2, 3, 10, 11, 12, 4, 5, 6, 7, 8, 9]],
    [
      'lets an overwriting take replace as much as it has',
      take('overwrite', 4, 10, 3),
      [0, 1, 2, 3, 10, 11, 12, 7, 8, 9],
    ],
    [
      'lets an overwriting take go on behind the end',
      take('overwrite', 9, 10, 3),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12],
    ],
    ['appends, whatever the place', take('append', 2, 10, 2), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ['takes a place behind the end for the end', take('insert', 99, 10, 1), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])('%s', (_, edit, expected) => {
    expect(samplesOf(segmentsOf([take('append', 0, 0, 10), edit]))).toEqual(expected);
  });

  it('takes nothing back where there is nothing', () => {
    expect(segmentsOf(['undo', take('append', 0, 0, 5), take('append', 0, 5, 0), 'undo', 'undo'])).toEqual([]);
  });
});
