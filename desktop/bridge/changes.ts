/** Changes that somebody made offline and that the service refused later. */
import { Section } from '../../src/contract/document.ts';
import { array, named, nullable, object, oneOf, string, timestamp } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { byId, nothing } from './shapes.ts';

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
    code: string(),
    message: string(),
    at: timestamp('When the service refused the change.'),
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
    summary: 'Changes made offline that the service refused, oldest first',
    input: nothing,
    output: object({ items: array(RefusedChange) }),
  }),
  'changes.dismiss': call({ summary: 'Forget a refused change', input: byId, output: nothing }),
} as const;
