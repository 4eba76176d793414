/** Fields of a template's texts that the order and the patient's priors fill in: `{indication}`, `{comparison}`. */
import type { Origin } from '../../contract/provenance.ts';
import type { PriorTaken } from '../operation.ts';

export const mergeFields = ['indication', 'procedure', 'modality', 'comparison'] as const;
export type MergeField = (typeof mergeFields)[number];

/** The value of a field. */
export interface MergeValue {
  readonly text: string;
  /** The prior that it names. */
  readonly prior?: PriorTaken;
}
export type MergeValues = Readonly<Partial<Record<MergeField, MergeValue>>>;

/** A part of a text with one origin. */
export interface MergedPart {
  readonly text: string;
  readonly origin: Extract<Origin, 'template' | 'exam' | 'prior'>;
  readonly prior?: PriorTaken;
}

const fieldPattern = /\{([a-z_]{1,32})\}/g;

/** The names of the fields of a text, known or not. */
export const mergeFieldsIn = (text: string): string[] =>
  Array.from(text.matchAll(fieldPattern), ([, name = '']) => name);

export const isMergeField = (name: string): name is MergeField => (mergeFields as readonly string[]).includes(name);

/** A field without a value is left to be filled in by a person. */
const blank = '[__]';

/** Orders end with a full stop, and the text of the template often goes on with one. */
const withoutFinalMark = (value: string, after: string): string =>
  /^[.,;:]/.test(after) ? value.replace(/(?<![\s.,;:])[\s.,;:]+$/, '') : value;

/**
 * The text with its fields filled in; `undefined` if it has fields and a value for none of them, so that it would say
 * nothing of this exam.
 */
export function mergeText(text: string, values: MergeValues): MergedPart[] | undefined {
  const fields = mergeFieldsIn(text).filter(isMergeField);
  if (fields.length > 0 && fields.every((name) => values[name] === undefined)) return undefined;
  const parts: MergedPart[] = [];
  let at = 0;
  for (const match of text.matchAll(fieldPattern)) {
    const name = match[1] ?? '';
    if (!isMergeField(name)) continue;
    const value = values[name];
    if (match.index > at) parts.push({ text: text.slice(at, match.index), origin: 'template' });
    at = match.index + match[0].length;
    if (!value) {
      parts.push({ text: blank, origin: 'template' });
      continue;
    }
    const own = withoutFinalMark(value.text, text.slice(at));
    parts.push({ ...value, text: own, origin: value.prior ? 'prior' : 'exam' });
    // A question of the referrer stays one.
    if (/[?!]$/.test(own) && text[at] === '.') at += 1;
  }
  if (at < text.length) parts.push({ text: text.slice(at), origin: 'template' });
  return parts.filter((part) => part.text !== '');
}
