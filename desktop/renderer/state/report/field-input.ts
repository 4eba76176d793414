/**
 * What becomes of letters that somebody types over a field that is selected: a blank keeps its unit, and a choice takes none
 * but its choices. Knows no DOM.
 */
import { fold } from '../../../../src/domain/fold.ts';
import { writtenUnits } from '../../../../src/reporting/languages/units.ts';
import type { WrittenUnit } from '../../../../src/reporting/languages/units.ts';
import { fieldsIn } from '../../../../src/reporting/vocabulary/macros.ts';

export type FieldInput =
  /** `text` takes the place of the field; the caret goes behind what was typed, before `suffix`, with which the text ends. */
  | { readonly kind: 'put'; readonly text: string; readonly suffix: string }
  /** A choice begins so: the field stays selected. */
  | { readonly kind: 'choosing'; readonly typed: string; readonly choice: string }
  /** No choice is, or begins, so. */
  | { readonly kind: 'refused' };

const put = (text: string, suffix = ''): FieldInput => ({ kind: 'put', text: text + suffix, suffix });

/**
 * `typed`: what was typed over the field before, where it is a choice. `undefined`: no field is selected, or it takes any text.
 */
export function inputOver(
  value: string,
  { start, end }: { readonly start: number; readonly end: number },
  typed: string,
  data: string,
): FieldInput | undefined {
  const field = start === end ? undefined : fieldsIn(value).find((each) => each.start === start && each.end === end);
  if (!field) return undefined;
  if (field.choices.length > 0) return choosing(field.choices, typed, data);
  if (field.unit === null || data.trim() === '') return undefined;
  return put(data, endsWithUnit(data) ? '' : `${/^[%°]/.test(field.unit) ? '' : ' '}${field.unit}`);
}

function choosing(all: readonly string[], typed: string, data: string): FieldInput {
  const choices = all.filter((choice) => choice !== '');
  const said = fold(typed + data);
  const begun = choices.filter((choice) => fold(choice).startsWith(said.trimStart()));
  const [first, ...others] = begun;
  if (first !== undefined && said.trim() !== '') {
    const isWhole = others.length === 0 && fold(first) === said.trim();
    return isWhole ? put(first) : { kind: 'choosing', typed: typed + data, choice: first };
  }
  // "right" is a choice, and "right-sided" another one: what follows says that the first was meant.
  const whole = choices.find((choice) => fold(choice) === fold(typed).trim());
  return whole === undefined ? { kind: 'refused' } : put(whole + data);
}

const symbols = new Set(
  Object.entries<WrittenUnit>(writtenUnits).flatMap(([symbol, { written = '' }]) => [
    symbol.toLowerCase(),
    ...written.split(', '),
  ]),
);

/** Whether a number with its unit stands at the end: the unit of the field would be the second one. */
export function endsWithUnit(text: string): boolean {
  const unit = /\d\s*(°?[\p{L}²³/]+|%|°)\s*$/u.exec(text)?.[1];
  return unit !== undefined && symbols.has(unit.toLowerCase());
}
