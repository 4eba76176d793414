/** Waiting changes that the service refused, or repeatedly failed to process. */
import { Section } from '../../src/contract/document.ts';
import { array, boolean, named, nullable, object, oneOf, string, timestamp } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { byId, nothing, sentence } from './shapes.ts';

export const RefusedChange = named(
  'RefusedChange',
  object({
    id: Id,
    kind: oneOf([
      'worklist.status',
      'worklist.assign',
      'record.write',
      'record.save',
      'record.sign',
      'record.take_back',
      'record.send_back',
      'record.reopen',
      'record.addendum',
      'record.delete',
      'macro.create',
      'macro.update',
      'macro.delete',
      'term.create',
      'term.update',
      'term.delete',
    ]),
    subject: string({ description: 'Id of the exam, document, autotext or word.' }),
    item_id: nullable(Id),
    code: string(),
    message: sentence,
    failed: boolean({ description: 'The service failed each time, instead of judging the change.' }),
    at: timestamp('When the change was set aside.'),
    mine: nullable(
      object(
        {},
        { title: string(), sections: array(Section), text: string() },
        { description: 'The words of the person, so that they can copy them.' },
      ),
    ),
  }),
);
export type RefusedChange = TypeOf<typeof RefusedChange>;

export const changeCalls = {
  'changes.refused': call({
    summary: 'Changes that waited and that the service did not take, oldest first',
    input: nothing,
    output: object({ items: array(RefusedChange) }),
  }),
  'changes.dismiss': call({ summary: 'Forget a refused change', input: byId, output: nothing }),
  'changes.retry': call({
    summary: 'Send a refused change again, after others of the same object that wait',
    input: byId,
    output: nothing,
  }),
} as const;
