/** What is told at words of a report, and the way from one to the next. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { countNotes, noteAfter, notesAt, wordNotes } from '../../../desktop/renderer/state/report/word-notes.ts';
import type { Finding } from '../../../src/contract/finding.ts';

const sections = ['findings', 'impression'].map((key) => ({ key, title: key, text: 'x'.repeat(40) }));
const finding = (section: string, start: number, end: number, more: Partial<Finding> = {}): Finding => ({
  id: `f_${section}_${start}_${end}`,
  kind: 'side_not_said',
  severity: 'warning',
  section,
  start,
  end,
  transcript: null,
  message: `${start}`,
  evidence: [],
  status: 'open',
  by: null,
  at: null,
  ...more,
});
const placesOf = (notes: readonly { section: string; start: number }[]) =>
  notes.map((note) => [note.section, note.start]);

test('notes with words are listed in the order of the report; those without words, decided or gone are not', () => {
  const found = [
    finding('impression', 3, 8),
    finding('findings', 20, 25, { kind: 'field_open' }),
    finding('findings', 4, 4),
    finding('findings', 35, 41),
    finding('technique', 0, 3),
    finding('findings', 1, 3, { status: 'dismissed' }),
    finding('findings', 0, 3, { status: 'resolved' }),
    // Said twice of the same words.
    finding('findings', 20, 25, { kind: 'field_open', id: 'other' }),
  ];
  const notes = wordNotes(found, [{ section: 'findings', start: 10, end: 14 }], sections);
  expect(placesOf(notes)).toEqual([
    ['findings', 10],
    ['findings', 20],
    ['impression', 3],
  ]);
  expect(countNotes(notes)).toEqual({ fields: 1, warnings: 1, misspelt: 1 });
});

test('the same place in another section has separate notes', () => {
  const notes = wordNotes([finding('findings', 3, 8), finding('impression', 3, 8)], [], sections);
  expect(notes).toHaveLength(2);
  const at = (section: string, start: number, end = start) => placesOf(notesAt(notes, { section, start, end }));
  expect(at('findings', 5)).toEqual([['findings', 3]]);
  // At either end of the words, too.
  for (const place of [3, 8]) expect(at('impression', place)).toEqual([['impression', 3]]);
  expect(at('impression', 9)).toEqual([]);
  expect(at('impression', 3, 9)).toEqual([]);
});

test('from wherever somebody is, each mark is reached, and each once in a round', () => {
  const places = fc.record({
    section: fc.constantFrom('findings', 'impression'),
    start: fc.nat(30),
    length: fc.nat(9),
  });
  const holds = fc.property(
    fc.uniqueArray(places, { minLength: 1, maxLength: 12, selector: (p) => JSON.stringify(p) }),
    places,
    (all, from) => {
      const found = all.map(({ section, start, length }) =>
        finding(section, start, start + length + 1, { message: JSON.stringify([start, length]) }),
      );
      const notes = wordNotes(found, [], sections);
      const met = new Set<string>();
      let at = noteAfter(notes, { section: from.section, start: from.start, end: from.start }, sections)!;
      for (const _ of notes) {
        met.add(at.id);
        at = noteAfter(notes, at, sections)!;
      }
      expect(met.size).toBe(notes.length);
    },
  );
  fc.assert(holds);
});

test('no notes, no way', () => {
  expect(noteAfter([], null, sections)).toBeUndefined();
});
