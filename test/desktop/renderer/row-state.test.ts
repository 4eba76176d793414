import { expect, test } from 'vitest';
import { rowState } from '../../../desktop/renderer/state/worklist/row-state.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { exams } from './stories/scripted-bridge.ts';

const [first] = exams(Date.parse('2026-03-02T15:00:00Z'));
const who = 'Dr. Nunes';
const [early, late] = ['2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z'];
const draft = { record_id: 'rec_1', report: { status: 'draft', at: early } } as const;
const begun = { status: 'in_progress', assigned_to: who } as const;

test.each<[string, Partial<WorklistItem>, unknown]>([
  ['nobody has it', {}, { word: 'waiting', who: null }],
  ['somebody has it', begun, { word: 'begun', who }],
  ['it has a draft', { ...begun, ...draft }, { word: 'draft', who }],
  ['its draft was released', draft, { word: 'draft', who: null }],
  [
    'its signature can be taken back',
    { ...begun, ...draft, report: { status: 'signing', at: early } },
    { word: 'signing', who },
  ],
  [
    'a resident signed it',
    { ...begun, ...draft, report: { status: 'preliminary', at: early } },
    { word: 'preliminary', who },
  ],
  [
    'it is signed',
    { ...draft, status: 'completed', assigned_to: who, report: { status: 'final', at: late } },
    { word: 'done', who: null },
  ],
  ['it was completed without a document', { status: 'completed', assigned_to: who }, { word: 'done', who: null }],
  ['it is cancelled', { ...draft, status: 'cancelled', corrected_at: late }, { word: 'cancelled', who: null }],
  ['the RIS corrected it after it was begun', { ...begun, ...draft, corrected_at: late }, { word: 'corrected', who }],
  [
    'the RIS corrected it after its signature',
    { ...draft, status: 'completed', report: { status: 'final', at: early }, corrected_at: late },
    { word: 'corrected', who: null },
  ],
  [
    'it was signed after the RIS corrected it',
    { ...draft, status: 'completed', report: { status: 'final', at: late }, corrected_at: early },
    { word: 'done', who: null },
  ],
  ['the RIS corrected it before anybody began', { corrected_at: early }, { word: 'waiting', who: null }],
])('%s', (_name, change, expected) => {
  const { report: _report, corrected_at: _corrected, ...plain } = first!;
  const item: WorklistItem = { ...plain, status: 'new', assigned_to: null, record_id: null, ...change };
  expect(rowState(item)).toEqual(expected);
});
