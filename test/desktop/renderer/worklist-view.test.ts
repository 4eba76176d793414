import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { tabs } from '../../../desktop/bridge/list-settings.ts';
import { noFilters, buildView } from '../../../desktop/renderer/state/worklist/worklist-view.ts';
import type { Filters } from '../../../desktop/renderer/state/worklist/worklist-view.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { exams } from './stories/scripted-bridge.ts';

const now = Date.parse('2026-03-02T15:00:00Z');
const me = 'Dra. Helena Prado';
const [first] = exams(now);
if (first === undefined) throw new Error('the samples hold no exam');

let count = 0;
const exam = (change: Partial<WorklistItem>): WorklistItem => ({
  ...first,
  id: `wli_x${count++}`,
  status: 'new',
  assigned_to: null,
  metadata: {},
  hospital_name: 'B',
  ...change,
});
const view = (items: WorklistItem[], change: Partial<Filters> = {}) =>
  buildView(items, { ...noFilters, ...change }, me, now);
const headings = (items: WorklistItem[], change: Partial<Filters> = {}) =>
  view(items, change).rows.flatMap((row) => (row.kind === 'heading' ? [row.heading] : []));

test('urgent ones first, emergencies before them all, then hospital by hospital, each by time', () => {
  const at = (time: string) => `2026-03-02T${time}:00-03:00`;
  const items = [
    exam({ id: 'b', hospital_name: 'São Lucas', exam_datetime: at('09:00') }),
    exam({ id: 'a', hospital_name: 'Boa Vista', exam_datetime: at('10:00') }),
    exam({ id: 'high', metadata: { priority: 'HIGH' }, exam_datetime: at('07:00') }),
    exam({ id: 'stat', metadata: { priority: 'stat' }, exam_datetime: at('11:00') }),
    exam({ id: 'c', hospital_name: 'São Lucas', exam_datetime: at('08:00') }),
    exam({ id: 'nowhere', hospital_name: null, exam_datetime: at('06:00') }),
  ];
  expect(view(items).items.map(({ id }) => id)).toEqual(['stat', 'high', 'a', 'c', 'b', 'nowhere']);
  expect(headings(items)).toEqual(['urgent', { hospital: 'Boa Vista' }, { hospital: 'São Lucas' }, { hospital: null }]);
});

test('completed exams come last, the latest first, and are no longer urgent', () => {
  const items = [
    exam({ id: 'early', status: 'completed', updated_at: '2026-03-02T10:00:00Z', metadata: { priority: 'STAT' } }),
    exam({ id: 'late', status: 'completed', updated_at: '2026-03-02T11:00:00Z' }),
    exam({ id: 'off', status: 'cancelled' }),
    exam({ id: 'open' }),
  ];
  expect(view(items, { tab: 'all' }).items.map(({ id }) => id)).toEqual(['open', 'late', 'early', 'off']);
  expect(headings(items, { tab: 'all' })).toEqual([{ hospital: 'B' }, 'done', 'cancelled']);
});

test('mine means in my hands, neither finished nor another person’s', () => {
  const items = [
    exam({ id: 'mine', status: 'in_progress', assigned_to: me }),
    exam({ id: 'finished', status: 'completed', assigned_to: me }),
    exam({ id: 'other', status: 'in_progress', assigned_to: 'Dr. Nunes' }),
  ];
  expect(view(items, { tab: 'mine' }).items.map(({ id }) => id)).toEqual(['mine']);
  expect(view(items).counts).toEqual({ open: 2, mine: 1, done: 1, all: 3 });
});

describe('search', () => {
  const items = [
    exam({ id: 'x', display_name: 'Paciente Anônimo', exam_description: 'TC de tórax', accession_number: 'SL-77' }),
  ];
  test.each(['anonimo', 'TORAX', 'sl-77', 'tórax paciente', 'anôni'])('%s finds it', (query) => {
    expect(view(items, { query }).items).toHaveLength(1);
  });
  test('every word has to be there', () => expect(view(items, { query: 'torax joelho' }).items).toHaveLength(0));
});

test('days are those on the wall of the hospital', () => {
  const items = [
    exam({ id: 'today', exam_datetime: '2026-03-02T00:10:00-03:00' }),
    exam({ id: 'late yesterday', exam_datetime: '2026-03-01T23:50:00-03:00' }),
    exam({ id: 'a week ago', exam_datetime: '2026-02-23T12:00:00-03:00' }),
  ];
  expect(view(items, { day: ['today'] }).items.map(({ id }) => id)).toEqual(['today']);
  expect(view(items, { day: ['yesterday'] }).items.map(({ id }) => id)).toEqual(['late yesterday']);
  expect(view(items, { day: ['week'] }).items).toHaveLength(2);
});

test('each tab shows as many as its count says, whatever the filters', () => {
  const items = exams(now, 120);
  fc.assert(
    fc.property(
      fc.constantFrom('', 'tc', 'paciente', 'torax', 'zzz'),
      fc.subarray(['CT', 'US', 'MR']),
      fc.constantFrom('usual', 'due', 'oldest', 'newest', 'patient'),
      (query, modality, sort) => {
        const { counts } = view(items, { query, modality, sort });
        for (const tab of tabs) {
          const shown = view(items, { query, modality, sort, tab });
          expect(shown.items).toHaveLength(counts[tab]);
          expect(new Set(shown.items.map(({ id }) => id)).size).toBe(counts[tab]);
          expect(shown.rows.filter(({ kind }) => kind === 'item')).toHaveLength(counts[tab]);
        }
      },
    ),
  );
});

test('of 5,000 exams each is prepared for the search once, not at every keystroke', () => {
  let read = 0;
  const items = exams(now, 5000).map(
    (item) => new Proxy(item, { get: (of, name) => (name === 'patient_name' && read++, Reflect.get(of, name)) }),
  );
  for (const query of ['p', 'pa', 'paciente', 'paciente torax']) view(items, { query });
  expect(read).toBe(5000);
});
