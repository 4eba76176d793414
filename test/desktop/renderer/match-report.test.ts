/** Whether the words of a dictation stand in a report already, or beside it. */
import { expect, test } from 'vitest';
import { isMadeFrom } from '../../../desktop/renderer/state/report/match-report.ts';

const began = '2026-11-23T10:00:00.000Z';
const later = '2026-11-23T10:01:00.000Z';
const earlier = '2026-11-22T09:00:00.000Z';
const dictation = { state: 'processing', job_id: 'job_2', record_id: null, created_at: began } as const;
const sending = { ...dictation, state: 'sending', job_id: null } as const;
const report = { id: 'rec_2', job_id: 'job_2', created_at: later };

test.each([
  ['its job made the report', dictation, report, true],
  ['another job made the report, before', dictation, { ...report, job_id: 'job_1', created_at: earlier }, false],
  ['another job made the report, since', dictation, { ...report, job_id: 'job_3' }, false],
  ['it is sent, and its report is there before the name of the job', sending, report, true],
  ['it is sent beside an earlier report', sending, { ...report, job_id: 'job_1', created_at: earlier }, false],
  ['it is sent, and somebody has written a report', sending, { ...report, job_id: null }, false],
  ['it waits to be sent again', { ...sending, state: 'queued' }, report, false],
  ['it is recorded beside a report', { ...sending, state: 'recording' }, report, false],
  ['it is done', { ...dictation, state: 'done', record_id: 'rec_2' }, report, true],
  [
    'it is done, and the report is another',
    { ...dictation, state: 'done', record_id: 'rec_2' },
    { ...report, id: 'rec_1' },
    false,
  ],
] as const)('%s', (_, of, made, expected) => {
  expect(isMadeFrom(of, made)).toBe(expected);
});
