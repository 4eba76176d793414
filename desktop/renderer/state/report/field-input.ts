/**
 * How typed letters replace a selected field: a blank keeps its unit, and a choice accepts only its options.
 * Independent of the DOM.
 */
import { fold } from '../../../../src/domain/fold.ts';
import { writtenUnits } from '../../../../src/reporting/languages/units.ts';
import type { WrittenUnit } from '../../../../src/reporting/languages/units.ts';
import { fieldsIn } from '../../../../src/reporting/vocabulary/macros.ts';

export type FieldInput =
  /** `text` replaces the field. The caret goes after the typed text, before `suffix`, with which the text ends. */
  | { readonly kind: 'put'; readonly text: string; readonly suffix: string }
  /** The start of an option: the field stays selected. */
  | { readonly kind: 'choosing'; readonly typed: string; readonly choice: string }
  /** No option equals the text or starts with it. */
  | { readonly kind: 'refused' };

const put = (text: string, suffix = ''): FieldInput => ({ kind: 'put', text: text + suffix, suffix });

/**
 * `typed`: the earlier input to the field, if it is a choice. `undefined`: no field is selected, or it accepts any
 * text.
 */
export function replaceField(
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
  // "right" is an option and "right-sided" another one: the next character shows that the first was meant.
  const whole = choices.find((choice) => fold(choice) === fold(typed).trim());
  return whole === undefined ? { kind: 'refused' } : put(whole + data);
}

const symbols = new Set(
  Object.entries<WrittenUnit>(writtenUnits).flatMap(([symbol, { written = '' }]) => [
    symbol.toLowerCase(),
    ...written.split(', '),
  ]),
);

/** Whether the text ends with a number and its unit: the field's unit would be a duplicate. */
export function endsWithUnit(text: string): boolean {
  const unit = /\d\s*(°?[\p{L}²³/]+|%|°)\s*$/u.exec(text)?.[1];
  return unit !== undefined && symbols.has(unit.toLowerCase());
}
