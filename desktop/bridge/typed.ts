/** Typed words that are not part of a record yet. */
import { maxTextLength, Section } from '../../src/contract/document.ts';
import { array, integer, named, object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { ByHand } from './live.ts';
import { byStroke, nothing } from './shapes.ts';

const typedAbout = { kind: oneOf(['report', 'addendum', 'instruction', 'text', 'dictation']), subject: Id };

/**
 * `report`: changes of a draft, to the version that the person saw; `addendum` and `instruction`: for a record; `text`:
 * the text of a new report, for an exam; `dictation`: edits to the words of a dictation without a record.
 */
export const TypedInput = named(
  'Typed',
  object(typedAbout, {
    version: integer({ minimum: 1 }),
    title: string({ maxLength: 200 }),
    sections: array(Section, { maxItems: 100 }),
    text: string({ maxLength: maxTextLength }),
    by_hand: ByHand,
    ...byStroke,
  }),
);
export type TypedInput = TypeOf<typeof TypedInput>;

export const typedCalls = {
  'typed.list': call({
    summary: 'Typed words that are part of no document yet',
    input: nothing,
    output: object({ items: array(TypedInput) }),
  }),
  'typed.keep': call({
    summary: 'Keep typed words; they are on disk when the call returns',
    input: TypedInput,
    output: nothing,
  }),
  'typed.forget': call({
    summary: 'Forget typed words',
    input: object(typedAbout, byStroke),
    output: nothing,
  }),
} as const;
