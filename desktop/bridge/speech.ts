/** Speech that belongs to no dictation. */
import { object, oneOf, string } from '../../src/contract/schema.ts';
import { Id, languages } from '../../src/contract/shared.ts';
import { call } from './call.ts';

export const speechCalls = {
  'speech.write': call({
    summary: 'Write a short spoken text, such as an addendum (a WAV file), as dictated text',
    input: object({ item_id: Id, language: oneOf(languages) }),
    output: object({ text: string() }),
    bytes: true,
  }),
} as const;
