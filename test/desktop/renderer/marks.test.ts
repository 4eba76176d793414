/** Marks behind the words of a section. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { piecesOf } from '../../../desktop/renderer/state/report/marks.ts';
import type { Finding } from '../../../src/contract/finding.ts';
import type { Origin } from '../../../src/contract/provenance.ts';
import type { Run } from '../../../src/domain/report/provenance.ts';

const text = 'Chest CT. Nodule on the left.';
const section = { key: 'findings', text };
const finding = (start: number, end: number, more: Partial<Finding> = {}): Finding => ({
  id: 'f_1',
  kind: 'side_not_said',
  severity: 'warning',
  section: 'findings',
  start,
  end,
  transcript: null,
  message: '',
  evidence: [],
  status: 'open',
  by: null,
  at: null,
  ...more,
});
const run = (start: number, end: number, origin: Origin): Run => ({
  section: 'findings',
  start,
  end,
  origin,
  heard: null,
});
const words = [run(0, 8, 'exam'), run(10, 19, 'said'), run(20, 29, 'edited')];
const marked = (showsOrigins: boolean, findings = [finding(24, 28)]) =>
  piecesOf(section, findings, words, showsOrigins)
    .filter(({ origin, warned }) => origin !== null || warned)
    .map((piece) => [piece.text, piece.origin, piece.warned]);

test('what is warned of, and what nobody said', () => {
  expect(marked(false)).toEqual([
    ['Chest CT', 'exam', false],
    ['left', null, true],
  ]);
});

test('where every word comes from, on wish', () => {
  expect(marked(true)).toEqual([
    ['Chest CT', 'exam', false],
    ['the ', 'edited', false],
    ['left', 'edited', true],
    ['.', 'edited', false],
  ]);
});

test('what was dismissed, is of another section, or of no words, is not marked', () => {
  const others = [finding(24, 28, { status: 'dismissed' }), finding(0, 5, { section: 'impression' }), finding(3, 3)];
  expect(marked(false, others)).toEqual([['Chest CT', 'exam', false]]);
});

test('the pieces are the text, whatever is marked: also by what was found before the last key', () => {
  const span = fc.tuple(fc.nat(40), fc.nat(40)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(fc.string(), fc.array(span), fc.array(fc.nat(20)), fc.boolean(), (given, spans, lengths, shows) => {
      let at = 0;
      const runs = lengths.map((length, n) => run(at, (at += length), n % 2 ? 'macro' : 'edited'));
      const found = spans.map(([start, end]) => finding(start, end));
      const pieces = piecesOf({ key: 'findings', text: given }, found, runs, shows);
      expect(pieces.map((piece) => piece.text).join('')).toBe(given);
    }),
  );
});
