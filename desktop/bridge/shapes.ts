/** Schemas that several groups of calls share. */
import type { Sentence } from '../../src/contract/messages/message.ts';
import { anyOf, freeForm, integer, object, string } from '../../src/contract/schema.ts';
import type { Schema, TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';

export const byId = object({ id: Id });
export const nothing = object({});

/** A sentence for the person: the page translates a message by its code; a string is the English of a service. */
export const sentence = anyOf([
  string(),
  object({
    code: string(),
    params: freeForm({ description: 'Texts, numbers, and other messages.' }),
    text: string({ description: 'In English.' }),
  }),
]) as Schema<Sentence>;

/** Answers and events arrive in any order. The page compares their revisions and keeps the latest. */
export const revised = {
  revision: integer({
    minimum: 0,
    description: 'Counts what the app reads: of two answers or events, the one with the greater revision is newer.',
  }),
};

/** Orders the calls during typing. Calls can overtake each other; the newest stroke of a page wins. */
export const Stroke = object({
  page: string({ maxLength: 64, description: 'Random name of the page.' }),
  at: integer({ minimum: 0, description: 'Counts the strokes of that page.' }),
});
export type Stroke = TypeOf<typeof Stroke>;
export const byStroke = { stroke: Stroke };
