/**
 * Suggestions at the caret of a text: autotexts whose name continues the text after a slash, and the options of a
 * selected field. Independent of the DOM.
 */
import { fieldsIn, macroKey } from '../../../../src/reporting/vocabulary/macros.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

export interface Offer {
  readonly name: string;
  /** The text to insert. */
  readonly text: string;
}

/** The range that the chosen suggestion replaces. */
export interface Offers {
  readonly kind: 'macro' | 'choice';
  readonly start: number;
  readonly end: number;
  readonly items: readonly Offer[];
}

/** Maximum number shown: another letter narrows them down. */
export const maxOffers = 8;

/** A slash at the start or after a space: a date and "mg/dl" have none. */
const slash = /(?:^|[\s(])\/([^\n/]{0,40})$/;

/** `undefined`: there are no suggestions. Names that start with the text come first. */
export function findOffers(value: string, start: number, end: number, macros: readonly Offer[]): Offers | undefined {
  if (start !== end) {
    const field = fieldsIn(value).find((each) => each.start === start && each.end === end);
    const choices = field?.choices.filter((choice) => choice !== '') ?? [];
    if (choices.length === 0) return undefined;
    return { kind: 'choice', start, end, items: choices.map((choice) => ({ name: choice, text: choice })) };
  }
  const typed = slash.exec(value.slice(0, end));
  if (!typed) return undefined;
  const wanted = macroKey(elementAt(typed, 1));
  const found = macros
    .map((macro) => ({ macro, at: ` ${macroKey(macro.name)}`.indexOf(` ${wanted}`) }))
    .filter(({ at }) => at >= 0);
  const items = found.toSorted((a, b) => Math.sign(a.at) - Math.sign(b.at)).map(({ macro }) => macro);
  if (items.length === 0) return undefined;
  return { kind: 'macro', start: end - elementAt(typed, 1).length - 1, end, items: items.slice(0, maxOffers) };
}
