/** Autotexts: a name that a physician says, the text that stands for it, and the open fields in texts. */
import { phraseWords } from './phrases.ts';
import type { Span } from './token.ts';

export interface Macro {
  /** "tórax normal" */
  readonly name: string;
  readonly text: string;
  /** Key of the section that it belongs to; without one it stands where it was called. */
  readonly section?: string;
}

/** A place that somebody has to fill: `[lado: direito|esquerdo]`, `[__ mm]`. */
export interface Field extends Span {
  readonly name: string | null;
  readonly choices: readonly string[];
  /** What stays around the value: "mm" of `[__ mm]`. */
  readonly unit: string | null;
}

const fieldPattern = /\[([^[\]\n]{1,200})\]/g;

/** The fields of a text that are still open. Text in brackets that is neither a choice nor a blank is text. */
export function fieldsIn(text: string): Field[] {
  const fields: Field[] = [];
  for (const match of text.matchAll(fieldPattern)) {
    const inside = match[1] ?? '';
    const span = { start: match.index, end: match.index + match[0].length };
    const [head = '', ...tail] = inside.split(':');
    const name = tail.length > 0 ? head.trim() : null;
    const body = tail.length > 0 ? tail.join(':') : head;
    const blank = /^\s*_{2,}\s*(\S.*)?$/.exec(body);
    if (blank) fields.push({ ...span, name, choices: [], unit: blank[1]?.trim() ?? null });
    else if (body.includes('|'))
      fields.push({ ...span, name, choices: body.split('|').map((each) => each.trim()), unit: null });
  }
  return fields;
}

/** The name as it is compared. */
export const macroKey = (name: string): string => phraseWords(name).join(' ');
