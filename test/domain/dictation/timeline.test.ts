import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  editedBy,
  findLastTake,
  lengthOf,
  listSegments,
  slice,
  takenBack,
} from '../../../src/domain/dictation/timeline.ts';
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
  { weight: 1, arbitrary: fc.record({ undo: fc.oneof(fc.nat(25), fc.constant(Infinity)) }) },
  { weight: 1, arbitrary: fc.constant('redo' as const) },
);

/** Takes follow one another in the file. */
const edits = fc.array(wish, { maxLength: 30 }).map((wishes) => {
  let from = 0;
  return wishes.map((one): Edit => {
    if (one === 'redo' || 'undo' in one) return one;
    const take = { ...one, from };
    from += one.length;
    return take;
  });
});

/** As one would do it by hand, every sample being its place in the file: an undo is as if the last take had ended earlier. */
function byHand(all: readonly Edit[]): number[] {
  let takes: Take[] = [];
  let undone: Take[][] = [];
  for (const edit of all) {
    if (edit === 'redo') takes = undone.pop() ?? takes;
    else if (!('undo' in edit)) {
      if (edit.length === 0) continue;
      takes = [...takes, edit];
      undone = [];
    } else if (takes.length > 0 && edit.undo > 0) {
      undone.push(takes);
      const last = takes.at(-1)!;
      const left = last.length - edit.undo;
      takes = [...takes.slice(0, -1), ...(left > 0 ? [{ ...last, length: left }] : [])];
    }
  }
  const samples: number[] = [];
  for (const { mode, at, from, length } of takes) {
    const heard = Array.from({ length }, (_, index) => from + index);
    if (mode === 'append') samples.push(...heard);
    else samples.splice(at, mode === 'insert' ? 0 : length, ...heard);
  }
  return samples;
}

const samplesOf = (segments: readonly Segment[]): number[] =>
  segments.flatMap(({ from, length }) => Array.from({ length }, (_, index) => from + index));

const take = (mode: Take['mode'], at: number, from: number, length: number): Take => ({ mode, at, from, length });

describe('the timeline', () => {
  it('equals manual editing, sample by sample', () => {
    fc.assert(
      fc.property(edits, (all) => {
        const segments = listSegments(all);
        expect(samplesOf(segments)).toEqual(byHand(all));
        expect(lengthOf(segments)).toBe(byHand(all).length);
      }),
    );
  });

  it('is without the samples that are left out, and with all others in their order', () => {
    const parts = fc.array(fc.record({ from: fc.nat(300), length: fc.nat(15) }), { maxLength: 5 });
    const appended = fc.array(fc.nat(30), { maxLength: 8 }).map((lengths) => {
      let from = 0;
      return lengths.map((length): Edit => take('append', 0, (from += length) - length, length));
    });
    fc.assert(
      fc.property(appended, parts, (all, out) => {
        const isOut = (sample: number): boolean =>
          out.some(({ from, length }) => from <= sample && sample < from + length);
        expect(samplesOf(listSegments(all, out))).toEqual(byHand(all).filter((sample) => !isOut(sample)));
      }),
    );
    // Places of later takes count what is heard, and so do the samples that an overwriting one replaces.
    const out = [{ from: 2, length: 3 }];
    const first = take('append', 0, 0, 10);
    expect(samplesOf(listSegments([first, take('insert', 2, 10, 1)], out))).toEqual([0, 1, 10, 5, 6, 7, 8, 9]);
    const over = take('overwrite', 0, 10, 4);
    expect(samplesOf(listSegments([first, over], [{ from: 11, length: 3 }]))).toEqual([10, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(editedBy([first, { undo: 2 }], out).at).toBe(5);
  });

  it('has no empty segment and none that goes on where the one before ends', () => {
    fc.assert(
      fc.property(edits, (all) => {
        const segments = listSegments(all);
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
        const part = samplesOf(slice(listSegments(all), start, length));
        expect(part).toEqual(byHand(all).slice(start, start + length));
      }),
    );
  });

  it('is after an undo of whole takes as before them, again and again', () => {
    fc.assert(
      fc.property(edits, (all) => {
        const { takes } = editedBy(all);
        for (let undone = 0; undone <= takes.length; undone++) {
          const after = listSegments([...all, ...Array.from({ length: undone }, () => ({ undo: Infinity }))]);
          expect(after).toEqual(listSegments(takes.slice(0, takes.length - undone)));
        }
      }),
    );
  });

  it('is the same after as many redos as undos, and reports how much can be redone', () => {
    fc.assert(
      fc.property(edits, fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 8 }), (all, cuts) => {
        // A take that was taken back before is no part of this.
        const done = [...all, { mode: 'append', at: 0, from: 1000, length: 7 } as const];
        let now: Edit[] = done;
        const states = [listSegments(now)];
        for (const undo of cuts) {
          now = [...now, { undo }];
          states.push(listSegments(now));
        }
        const recorded = (some: readonly Edit[]): number =>
          editedBy(some).takes.reduce((sum, { length }) => sum + length, 0);
        expect(takenBack(now)).toBe(recorded(done) - recorded(now));
        // An undo of nothing is none.
        for (const state of states
          .filter((one, n) => n === 0 || one.length > 0 || states[n - 1]!.length > 0)
          .toReversed()) {
          expect(listSegments(now)).toEqual(state);
          now = [...now, 'redo'];
        }
        expect(listSegments(now)).toEqual(states[0]);
        expect(takenBack(now)).toBe(0);
      }),
    );
  });

  it('forgets undone audio with the next word', () => {
    fc.assert(
      fc.property(edits, fc.nat(20), (all, undo) => {
        const spoken = [...all, { undo }, take('append', 0, 1000, 1)];
        expect(takenBack(spoken)).toBe(0);
        expect(listSegments([...spoken, 'redo'])).toEqual(listSegments(spoken));
      }),
    );
  });

  it('continues where the undone words were, and after restored ones', () => {
    const inserted = [take('append', 0, 0, 10), take('insert', 4, 10, 6)];
    expect(editedBy([...inserted, { undo: 2 }]).at).toBe(8);
    expect(editedBy([...inserted, { undo: 99 }]).at).toBe(4);
    expect(editedBy([...inserted, { undo: 2 }, 'redo']).at).toBe(10);
    expect(editedBy([...inserted, { undo: 99 }, { undo: 3 }]).at).toBe(7);
    const over = [take('append', 0, 0, 10), take('overwrite', 4, 10, 6)];
    expect(samplesOf(listSegments([...over, { undo: 2 }]))).toEqual([0, 1, 2, 3, 10, 11, 12, 13, 8, 9]);
  });

  it('takes a take that was cut off back over its parts', () => {
    const parts: Edit[] = [
      take('append', 0, 0, 4),
      { ...take('append', 4, 4, 3), id: 'cut' },
      { ...take('insert', 7, 7, 2), id: 'cut' },
    ];
    expect(findLastTake(parts)).toEqual([
      { from: 4, length: 3 },
      { from: 7, length: 2 },
    ]);
    expect(samplesOf(listSegments([...parts, { undo: 3 }]))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(listSegments([...parts, { undo: 9 }])).toEqual([{ from: 0, length: 4 }]);
    expect(editedBy([...parts, { undo: 3 }]).at).toBe(6);
    expect(listSegments([...parts, { undo: 3 }, 'redo'])).toEqual(listSegments(parts));
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
    expect(samplesOf(listSegments([take('append', 0, 0, 10), edit]))).toEqual(expected);
  });

  it('takes nothing back where there is nothing', () => {
    expect(
      listSegments([{ undo: 3 }, 'redo', take('append', 0, 0, 5), take('append', 0, 5, 0), { undo: 9 }, { undo: 1 }]),
    ).toEqual([]);
  });
});
