/** The worklist: the waiting exams, and who has taken them. */
import { array, boolean, integer, nullable, object, oneOf, string, timestamp } from '../../src/contract/schema.ts';
import { Id, languages } from '../../src/contract/shared.ts';
import { Colleague, HistoryEntry, WorklistItem, WorklistStatus } from '../../src/contract/worklist.ts';
import { call } from './call.ts';
import { byId, nothing, revised } from './shapes.ts';
import { ImportResult } from './worklist-import.ts';

export const worklistCalls = {
  'worklist.list': call({
    summary: 'The worklist, as the app last read it',
    input: object(
      {},
      {
        refresh: boolean(),
        ids: array(Id, { description: 'Only these exams; an exam that is missing in the answer is gone.' }),
        first: integer({
          minimum: 1,
          maximum: 500,
          description: 'Only so many exams, the first that wait for a report: for a screen that shows nothing yet.',
        }),
      },
    ),
    output: object({
      items: array(WorklistItem),
      as_of: nullable(timestamp('When the app last read the list from the service; `null`: never.')),
      ...revised,
    }),
  }),
  'worklist.take': call({
    summary: 'Take an exam',
    input: object(
      { id: Id },
      { take_over: boolean(), reopen: boolean({ description: 'Take the exam even if it is completed.' }) },
    ),
    output: object({
      outcome: oneOf(['taken', 'queued', 'held', 'closed']),
      item: WorklistItem,
      holder: nullable(string()),
      ...revised,
    }),
  }),
  'worklist.set_status': call({
    summary: 'Release, cancel or reinstate an exam',
    input: object({ id: Id, status: WorklistStatus }, { reason: string({ maxLength: 500 }) }),
    output: object({ item: WorklistItem, ...revised }),
  }),
  'worklist.colleagues': call({
    summary: 'To whom an exam can be given',
    input: nothing,
    output: object({ items: array(Colleague) }),
  }),
  'worklist.assign': call({
    summary: 'Give an exam to a colleague',
    input: object({ id: Id, to: Colleague }, { reason: string({ maxLength: 500 }) }),
    output: object({ outcome: oneOf(['given', 'queued']), item: WorklistItem, ...revised }),
  }),
  'worklist.sample_day': call({
    summary: 'Bring a day of exams of test patients; only in test mode',
    input: object(
      { language: oneOf(languages) },
      {
        unasked: boolean({ description: 'Nobody asked: does nothing unless the list is empty and this app fills it.' }),
      },
    ),
    output: object({ inserted: integer() }),
  }),
  'worklist.history': call({
    summary: 'How the status of an exam changed',
    input: byId,
    output: object({ items: array(HistoryEntry) }),
  }),
  'worklist.import': call({
    summary: 'Send a worklist file that was dropped on the page',
    input: nothing,
    output: ImportResult,
    bytes: true,
  }),
} as const;
