/** Dictation into other programs, from the small window of the desktop app. */
import { maxTextLength } from '../../src/contract/document.ts';
import { object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { call } from './call.ts';
import { nothing } from './shapes.ts';

const Insertion = object({
  way: oneOf(['inserted', 'copied'], {
    description:
      '`copied`: the app may not press keys here, so the text waits in the clipboard until the window closes.',
  }),
});
export type InsertionWay = TypeOf<typeof Insertion>['way'];

/** The part of the address after `#` at which the page is the small window. */
export const anywherePlace = '/anywhere';

export const anywhereCalls = {
  'anywhere.insert': call({
    summary: 'Insert a text in the program that has the focus, by the clipboard',
    input: object({ text: string({ minLength: 1, maxLength: maxTextLength }) }),
    output: Insertion,
  }),
  'anywhere.close': call({
    summary: 'Close the small window, and give the clipboard its previous content back',
    input: nothing,
    output: object({}),
  }),
} as const;
