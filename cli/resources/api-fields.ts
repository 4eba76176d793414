/** The fields of `laudio api`, by the rules of `gh api`: `-f` is text, `-F` is typed, `a[b]=` and `a[]=` are nested. */
import { AppError } from '../../src/contract/errors.ts';
import { lastElement } from '../../src/domain/elements.ts';

export interface FieldOptions {
  /** `-f`. */
  readonly rawField: readonly string[];
  /** `-F`. */
  readonly field: readonly string[];
}

type Fields = Record<string, unknown>;

const path = /^([^[\]]+)((?:\[[^[\]]+\])*)(\[\])?$/;

/** `readFile` reads the file of `-F NAME=@FILE`. USAGE for an invalid field. */
export async function parseFields(
  { rawField, field }: FieldOptions,
  readFile: (name: string) => Promise<string>,
): Promise<Fields> {
  const fields = emptyFields();
  for (const text of rawField) put(fields, ...nameAndValue(text, '-f'));
  for (const text of field) {
    const [name, value] = nameAndValue(text, '-F');
    put(fields, name, value.startsWith('@') ? await readFile(value.slice(1)) : typed(value));
  }
  return fields;
}

/** For a query, which has no nested values. */
export function queryOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (typeof value === 'object' && value !== null)
        throw new AppError('USAGE', { message: `${name} goes into the query, which takes no nested values.` });
      return [name, String(value)];
    }),
  );
}

/** Without a prototype: a field may have any name. */
const emptyFields = (): Fields => Object.create(null) as Fields;

function nameAndValue(text: string, flag: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new AppError('USAGE', { message: `${flag} takes NAME=VALUE.` });
  return [text.slice(0, at), text.slice(at + 1)];
}

/** JSON if it parses as such, otherwise text; a number that JavaScript would round stays text. */
function typed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value) ? text : value;
  } catch {
    return text;
  }
}

function put(fields: Fields, name: string, value: unknown): void {
  const [, first = '', keys = '', isList] = path.exec(name) ?? [];
  if (first === '') throw new AppError('USAGE', { message: `${name} is not a valid field name.`, hint: forms });
  const names = [first, ...(keys.match(/[^[\]]+/g) ?? [])];
  const last = lastElement(names);
  let place = fields;
  for (const step of names.slice(0, -1)) {
    place[step] ??= emptyFields();
    if (typeof place[step] !== 'object' || Array.isArray(place[step])) throw conflicting(name);
    place = place[step] as Fields;
  }
  if (!isList) place[last] = value;
  else {
    place[last] ??= [];
    if (!Array.isArray(place[last])) throw conflicting(name);
    (place[last] as unknown[]).push(value);
  }
}

const forms = 'Use name=…, name[key]=… or name[]=….';
const conflicting = (name: string): AppError =>
  new AppError('USAGE', { message: `${name} contradicts another field.`, hint: forms });
