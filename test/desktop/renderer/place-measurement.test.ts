/** Where a measurement of the viewer goes: never over other words, and never twice. */
import { expect, test } from 'vitest';
import {
  decidePlacing,
  findMeasurement,
  findWords,
  withoutLost,
  withoutSaved,
} from '../../../desktop/renderer/state/report/place-measurement.ts';
import type { KnownMeasurements } from '../../../desktop/renderer/state/report/place-measurement.ts';
import { measurementText } from '../../../src/reporting/measurement-text.ts';

const measured = (value: number, id = 'obs-1') => ({ id, values: [{ value, unit: 'mm' }] });
const unsaved = (value: number, section = 'findings'): KnownMeasurements => ({
  unsaved: [{ section, text: measurementText(measured(value), 'en-US'), viewer: measured(value) }],
  saved: [],
});
const saved = (value: number, start: number | null): KnownMeasurements => {
  const text = measurementText(measured(value), 'en-US');
  const place = start === null ? null : { start, end: start + text.length };
  return { unsaved: [], saved: [{ viewer: measured(value), section: 'findings', text, place }] };
};
const nothing: KnownMeasurements = { unsaved: [], saved: [] };
const findings = (text: string) => [{ section: 'findings', text }];
const at = (start: number, end: number, section = 'findings') => ({ kind: 'correct', at: { section, start, end } });

test.each([
  ['one that is new', nothing, findings('Nodule.'), { kind: 'insert' }],
  ['one that came already, after a reload', saved(6, null), findings('Nodule.'), { kind: 'known' }],
  ['nothing can be edited', nothing, [], { kind: 'wait' }],
  ['a correction', unsaved(5.2), findings('Cyst 15.2 mm. Nodule 5.2 mm.'), at(21, 27)],
  [
    'its words were moved',
    unsaved(5.2),
    [...findings('.'), { section: 'impression', text: '5.2 mm' }],
    at(0, 6, 'impression'),
  ],
  [
    'a person made its figure larger',
    unsaved(5.2),
    findings('Nodule 15.2 mm.'),
    { kind: 'changed', previous: '5.2 mm' },
  ],
  ['equal words elsewhere', unsaved(5), findings('Cyst 5 mm. Nodule 5 mm.'), { kind: 'changed', previous: '5 mm' }],
  [
    'equal words elsewhere, of which the report knows one',
    saved(5, 18),
    findings('Cyst 5 mm. Nodule 5 mm.'),
    at(18, 22),
  ],
  [
    'a person removed its words, and has the same of their own',
    saved(5, null),
    findings('Cyst 5 mm.'),
    { kind: 'changed', previous: '5 mm' },
  ],
  ['the text has changed since', saved(5, 18), findings('Nodule. Cyst 5 mm.'), { kind: 'changed', previous: '5 mm' }],
  ['an addendum of a signed report', saved(5, 18), [{ section: 'addendum', text: '' }], { kind: 'insert' }],
  [
    'a correction in an addendum',
    unsaved(5, 'addendum'),
    [{ section: 'addendum', text: '5 mm' }],
    at(0, 4, 'addendum'),
  ],
] as const)('%s', (_which, known, texts, placing) => expect(decidePlacing(measured(6), known, texts)).toEqual(placing));

test('the place of a saved report counts from then on, and other measurements are none of it', () => {
  const both = { unsaved: unsaved(5).unsaved, saved: saved(5, 18).saved };
  expect(withoutSaved(both)).toEqual([]);
  expect(withoutSaved({ ...both, saved: saved(4, 18).saved })).toEqual(both.unsaved);
  expect(findMeasurement('obs-1', both, findings('Cyst 5 mm. Nodule 5 mm.'))).toMatchObject({ start: 18 });
  expect(findMeasurement('obs-2', both, findings('Cyst 5 mm.'))).toBeUndefined();
});

test('a measurement whose page ended between its note and its words is put in by the next page, and never twice', () => {
  const decide = (text: string) => decidePlacing(measured(5), withoutLost(unsaved(5), findings(text)), findings(text));
  expect(decide('Nodule.')).toEqual({ kind: 'insert' });
  expect(decide('Nodule of 5 mm.')).toEqual({ kind: 'known' });
});

test('the words of a measurement that was deleted are those that are still there, in a signed report too', () => {
  const there = findings('Cyst 5 mm. Nodule 5 mm.');
  expect(findWords('obs-1', saved(5, 18), there)).toBe('5 mm');
  expect(findWords('obs-1', saved(5, 18), [])).toBe('5 mm');
  expect(findWords('obs-1', saved(5, null), there)).toBeUndefined();
  expect(findWords('obs-1', unsaved(5), findings('Nodule 15 mm.'))).toBeUndefined();
  expect(findWords('obs-1', unsaved(5), findings('Nodule 5 mm.'))).toBe('5 mm');
});
