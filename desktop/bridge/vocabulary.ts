/** Words of the vocabulary: the person's own and the department's, read and changed on the service. */
import { extended, array, integer, object, only } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { Term } from '../../src/contract/vocabulary.ts';
import { call } from './call.ts';
import { nothing } from './shapes.ts';

/** What a person says of a word. */
export const TermWords = only(Term, 'write', 'for', 'language', 'owner');
export type TermWords = TypeOf<typeof TermWords>;

const version = integer({ minimum: 1, description: 'The version that the person saw.' });

export const vocabularyCalls = {
  'vocabulary.list': call({
    summary: 'All words that count for the person',
    input: nothing,
    output: object({ items: array(Term) }),
  }),
  'vocabulary.save': call({
    summary: 'Add a word, or change the one with this id',
    input: extended(TermWords, {}, { of: object({ id: Id, version }) }),
    output: Term,
  }),
  'vocabulary.delete': call({
    summary: 'Delete a word',
    input: object({ id: Id, version }),
    output: nothing,
  }),
} as const;
