/** Marks behind the words of a section. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { findDoubts, splitIntoPieces } from '../../../desktop/renderer/state/report/marks.ts';
import type { Finding } from '../../../src/contract/finding.ts';
import type { Origin } from '../../../src/contract/provenance.ts';
import type { Run } from '../../../src/reporting/versions/provenance.ts';

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
  splitIntoPieces(section, findings, words, showsOrigins)
    .filter(({ origin, warned }) => origin !== null || warned)
    .map((piece) => [piece.text, piece.origin, piece.warned]);

test('marks for warnings, and for words that nobody spoke', () => {
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

test('dismissed findings, and those of another section or without words, are not marked', () => {
  const others = [finding(24, 28, { status: 'dismissed' }), finding(0, 5, { section: 'impression' }), finding(3, 3)];
  expect(marked(false, others)).toEqual([['Chest CT', 'exam', false]]);
});

test('marks for doubted words, unless they have a warning or were reviewed', () => {
  const places = [{ section: 'findings', start: 10, end: 16 }];
  const said = [
    { start: 0, end: 6, confidence: 0.3, places },
    { start: 7, end: 9, confidence: 0.9, places: [{ section: 'findings', start: 17, end: 19 }] },
    { start: 10, end: 13, places: [{ section: 'findings', start: 20, end: 23 }] },
  ];
  const doubted = (findings: Finding[]) =>
    splitIntoPieces(section, findings, [], false, findDoubts(said, findings)).flatMap((piece) =>
      piece.doubted ? [piece.text] : [],
    );
  expect(doubted([])).toEqual(['Nodule']);
  expect(doubted([finding(10, 16, { kind: 'low_confidence' })])).toEqual([]);
  expect(doubted([finding(10, 16, { kind: 'low_confidence', status: 'dismissed' })])).toEqual([]);
});

test('a field is not a warning, and stays a field whatever was decided about it before', () => {
  const fields = (['open', 'dismissed', 'resolved'] as const).map((status, at) =>
    finding(at * 2, at * 2 + 2, { kind: 'field_open', status }),
  );
  const pieces = splitIntoPieces(section, fields, [], false).filter(({ isField, warned }) => isField || warned);
  expect(pieces.map((piece) => [piece.text, piece.isField, piece.warned])).toEqual([
    ['Ch', true, false],
    ['es', true, false],
  ]);
});

test('a field is one piece, whatever the origin of its words', () => {
  const open = [finding(10, 19, { kind: 'field_open' }), finding(12, 14)];
  const pieces = splitIntoPieces(section, open, [run(0, 12, 'macro'), run(12, 16, 'edited')], true);
  expect(pieces.filter(({ isField }) => isField).map((piece) => piece.text)).toEqual([text.slice(10, 19)]);
});

test('the pieces make up the text, whatever is marked: also with findings from before the last key', () => {
  const span = fc.tuple(fc.nat(40), fc.nat(40)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(fc.string(), fc.array(span), fc.array(fc.nat(20)), fc.boolean(), (given, spans, lengths, shows) => {
      let at = 0;
      const runs = lengths.map((length, n) => run(at, (at += length), n % 2 ? 'macro' : 'edited'));
      const found = spans.map(([start, end], n) => finding(start, end, n % 2 ? { kind: 'field_open' } : {}));
      const pieces = splitIntoPieces({ key: 'findings', text: given }, found, runs, shows);
      expect(pieces.map((piece) => piece.text).join('')).toBe(given);
    }),
  );
});
