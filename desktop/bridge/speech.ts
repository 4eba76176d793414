/** Speech that belongs to no dictation. */
import { nullable, object, oneOf, string } from '../../src/contract/schema.ts';
import { Id, languages } from '../../src/contract/shared.ts';
import { call } from './call.ts';

export const speechCalls = {
  'speech.write': call({
    summary:
      'Write a short spoken text (a WAV file), such as an addendum, as dictated text; `item_id: null`: about no exam',
    input: object({ item_id: nullable(Id), language: oneOf(languages) }),
    output: object({ text: string() }),
    bytes: true,
  }),
} as const;
