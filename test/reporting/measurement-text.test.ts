/** The words of a viewer's measurement, and where a report has them: no other figure counts as them. */
import { expect, test } from 'vitest';
import { findAddedMeasurement, findMeasurementText, measurementText } from '../../src/reporting/measurement-text.ts';
import { findMeasuredWords, listMeasurements } from '../../src/reporting/versions/measurements.ts';
import { traceEdit } from '../../src/reporting/versions/edits.ts';
import type { Brought, TracedReport } from '../../src/reporting/versions/edits.ts';

const mm = (title: string, value: number) => ({ title, value, unit: 'mm' });

test.each([
  [[mm('Long axis', 12.4), mm('Short axis', 8.1)], '12,4 x 8,1 mm'],
  [[mm('Length', 12), mm('Width', 8)], '12 x 8 mm'],
  [[mm('Mean diameter', 10), mm('Maximum diameter', 12)], 'Mean diameter 10 mm, Maximum diameter 12 mm'],
  [[mm('Long axis', 12), mm('Distance to pleura', 8)], 'Long axis 12 mm, Distance to pleura 8 mm'],
])('%j', (values, text) => expect(measurementText({ values }, 'pt-BR')).toBe(text));

test.each([
  ['Nodule 5,2 mm.', true],
  ['5,2 mm', true],
  ['Nodule (5,2 mm), cyst', true],
  ['- 5,2 mm nodule', true],
  ['Nodule - 5,2 mm', true],
  ['Nodule 15,2 mm.', false],
  ['Nodule 3.5,2 mm.', false],
  ['Nodule 3 x 5,2 mm.', false],
  ['Nodule 3 mm x 5,2 mm.', false],
  ['Nodule 3 por 5,2 mm.', false],
  ['Nodules of 3-5,2 mm.', false],
  ['Nodules of 3 a 5,2 mm.', false],
  ['Nodule < 5,2 mm.', false],
  ['Nodule 5,2 mm x 3 mm.', false],
  ['Area 5,2 mm²', false],
  ['Flow 5,2 mm/s', false],
])('whether “5,2 mm” is a measurement of its own in “%s”: %s', (text, isFound) =>
  expect(findMeasurementText(text, '5,2 mm').map(({ start, end }) => text.slice(start, end))).toEqual(
    isFound ? ['5,2 mm'] : [],
  ),
);

const texts = ['Cyst 5 mm. Nodule.', 'Cyst 5 mm. Nodule 5 mm.'] as const;

test('of equal words, those that the change added are the measurement; where nobody can say which, none', () => {
  expect(findAddedMeasurement(...texts, '5 mm')).toEqual({ start: 18, end: 22 });
  expect(findAddedMeasurement('', texts[1], '5 mm')).toBeUndefined();
});

const section = { key: 'findings', title: 'Findings' };
const viewer = (value: number) => ({ id: 'obs-1', values: [{ value, unit: 'mm' }] });
const bring = (value: number): Brought => ({ section: 'findings', text: `${value} mm`, viewer: viewer(value) });
function write(before: TracedReport, text: string, brought: readonly Brought[] = []): TracedReport {
  const sections = [{ ...section, text }];
  return { sections, provenance: traceEdit(before, sections, { by: 'Ana', transcript: '', brought }) };
}
const typed = write({ sections: [], provenance: { words: [], heard: [], operations: [] } }, texts[0]);

test('the places of measurements follow the edits, until a person changes the words', () => {
  const placed = write(typed, texts[1], [bring(5)]);
  const [first] = findMeasuredWords(placed);
  expect(first).toEqual({ viewer: viewer(5), section: 'findings', text: '5 mm', place: { start: 18, end: 22 } });
  const moved = write(placed, `New. ${texts[1]}`);
  expect(findMeasuredWords(moved)[0]!.place).toEqual({ start: 23, end: 27 });
  const corrected = write(moved, 'New. Cyst 5 mm. Nodule 6 mm.', [bring(6)]);
  expect(findMeasuredWords(corrected)).toMatchObject([{ text: '6 mm', place: { start: 23, end: 27 } }]);
  expect(listMeasurements(corrected)).toMatchObject([{ viewer: viewer(6), text: '6 mm' }]);
  const changed = write(corrected, 'New. Cyst 5 mm. Nodule 16 mm.');
  expect(findMeasuredWords(changed)).toMatchObject([{ text: '6 mm', place: null }]);
  expect(listMeasurements(changed)).toEqual([]);
});

test('a figure that only ends like the measurement is not the viewer’s', () => {
  const placed = write(typed, 'Nodule 15 mm.', [bring(5)]);
  expect(placed.provenance.words.map(({ origin }) => origin)).not.toContain('viewer');
});
