/** The fields of an MRRT template, as texts with fields of ours: `[a|b]`, `[__ mm]`. */
import type { Loss } from '../../../reporting/templates/notes.ts';
import { findAll, rawText, textIn } from './tree.ts';
import type { Element } from './tree.ts';

/** A field of the file, as it can stand in a text. */
export interface ReadField {
  readonly text: string;
  /** Whether the file holds nothing but an empty place for words: a section is one already. */
  readonly isFreeText: boolean;
  /** Content that a template cannot hold. */
  readonly lost: readonly Loss[];
}

/** Longest content of a field of ours (src/reporting/vocabulary/macros.ts). */
const maxFieldLength = 200;

const field = (text: string, lost: readonly Loss[] = []): ReadField => ({ text, isFreeText: false, lost });
const freeText = (label: string): ReadField => ({
  text: label === '' ? '[__]' : `[${inField(label)}: __]`,
  isFreeText: true,
  lost: [],
});

/** Brackets, bars and line ends end a field. */
const inField = (text: string): string =>
  text.replace(/\|/g, '/').replace(/\[/g, '(').replace(/\]/g, ')').replace(/\s+/g, ' ').trim();

/** Escapes text for a report: brackets would make a field of it. */
export const asText = (text: string): string =>
  text.replace(/\[([^[\]\n]*)\]/g, (whole, inside: string) => (/\||_{2,}/.test(inside) ? `(${inside})` : whole));

/** A choice of the options, the preselected one first. */
export function createChoice(given: readonly { text: string; isSelected: boolean }[], several: boolean): ReadField {
  const sorted = given.toSorted((a, b) => Number(b.isSelected) - Number(a.isSelected));
  const options = [...new Set(sorted.map(({ text }) => inField(text)).filter((text) => text !== ''))];
  const selected = given.some(({ isSelected, text }) => isSelected && text.trim() !== '');
  const lost = [
    ...(selected && options.length > 1 ? [{ kind: 'preselected' } as const] : []),
    ...(several && options.length > 1 ? [{ kind: 'several' } as const] : []),
  ];
  const [only] = options;
  if (only === undefined) return freeText('');
  if (options.length === 1) return field(asText(only), lost);
  // A colon would make a name of the text before it.
  const choices = `${options.some((option) => option.includes(':')) ? '_: ' : ''}${options.join('|')}`;
  if (choices.length <= maxFieldLength) return field(`[${choices}]`, lost);
  return field('[__]', [{ kind: 'long_options', what: options.join(' | ').slice(0, 300) }]);
}

/** The options of a list. */
export const optionsOf = (list: Element): { text: string; isSelected: boolean }[] =>
  findAll(list, 'option').map((option) => ({
    text: textIn(option) || (option.attributes['label'] ?? option.attributes['value'] ?? ''),
    isSelected: 'selected' in option.attributes,
  }));

/** Units that stand around a field: "Size (mm)", "[ ] cm". */
const unit =
  /^(?:mm|cm|m|mL|ml|L|cm³|mm³|cm3|mm3|g|kg|mg|mcg|HU|UH|mmHg|m\/s|cm\/s|ms|s|bpm|lpm|%|°C|kVp|mAs|mGy|mSv|MBq|mCi|anos|años|years|semanas|weeks|dias|días|days)\b/;

/** The unit with which a text begins. */
export const unitIn = (text: string): string | undefined => unit.exec(`${text.trim()} `)?.[0];

/** Types of `input` whose form a blank does not keep. */
const moments = new Set(['date', 'time', 'datetime-local', 'month', 'week']);

/** Types of `input` that hold no words of a report. */
const wordless = new Set(['hidden', 'button', 'submit', 'reset', 'image', 'file', 'color', 'password', 'range']);

interface FieldContext {
  /** The label of the field. */
  readonly label: string;
  /** Unit, if the file names one. */
  readonly unit: string | undefined;
  /** Lists of options by their ids. */
  readonly lists: ReadonlyMap<string, Element>;
}

/** An `input`, `select` or `textarea` that is neither a checkbox nor a radio button; `undefined` for one without words. */
export function readField(element: Element, { label, unit: named, lists }: FieldContext): ReadField | undefined {
  const { name, attributes } = element;
  if (name === 'select') return createChoice(optionsOf(element), 'multiple' in attributes);
  if (name === 'textarea') {
    const text = linesOf(rawText(element));
    return text === '' ? freeText('') : field(asText(text));
  }
  const type = (attributes['type'] ?? 'text').toLowerCase();
  if (wordless.has(type)) return undefined;
  const list = lists.get(attributes['list'] ?? '');
  const value = (attributes['value'] ?? '').trim();
  if (list) {
    const options = optionsOf(list).map((option) => ({
      ...option,
      isSelected: option.isSelected || option.text === value,
    }));
    return createChoice(options, false);
  }
  if (value !== '' && value !== label) return field(asText(value));
  const bounds = ['min', 'max', 'step'].filter((bound) => attributes[bound]);
  const lost = [
    ...(bounds.length > 0
      ? [{ kind: 'bounds', what: bounds.map((bound) => `${bound} ${attributes[bound]}`).join(', ') } as const]
      : []),
    ...(moments.has(type) ? [{ kind: 'blank' } as const] : []),
  ];
  const units = attributes['data-field-units'] ?? attributes['data-units'] ?? named;
  if (type === 'number' || units !== undefined) return field(`[__${units ? ` ${inField(units)}` : ''}]`, lost);
  return { ...freeText(''), lost };
}

/** A text with its lines, without the white space that only lays the file out. */
export const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
