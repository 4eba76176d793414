/** The fields of `laudio api`, by the rules of `gh api`: `-f` is text, `-F` is typed, `a[b]=` and `a[]=` are nested. */
import { AppError } from '../../src/contract/errors.ts';

export interface FieldOptions {
  /** `-f`. */
  readonly rawField: readonly string[];
  /** `-F`. */
  readonly field: readonly string[];
}

type Fields = Record<string, unknown>;

const path = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** `readFile` reads the file of `-F NAME=@FILE`. USAGE for an invalid field. */
export async function parseFields(
  { rawField, field }: FieldOptions,
  readFile: (name: string) => Promise<string>,
): Promise<Fields> {
  const fields = emptyFields();
  for (const text of rawField) put(fields, ...nameAndValue(text, '-f'));
  for (const text of field) {
    const [name, value] = nameAndValue(text, '-F');
    put(fields, name, value?.startsWith('@') ? await readFile(value.slice(1)) : value && typed(value));
  }
  return fields;
}

/** For a query, which has lists, but no other nested values. */
export function buildQuery(fields: Fields): Record<string, string | string[]> {
  const toText = (name: string, value: unknown): string => {
    if (typeof value !== 'object' || value === null) return String(value);
    throw new AppError('USAGE', { message: `${name} goes into the query, which takes lists, but no nested values.` });
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((each) => toText(name, each)) : toText(name, value),
    ]),
  );
}

/** Without a prototype: a field may have any name. */
const emptyFields = (): Fields => Object.create(null) as Fields;

/** `name[]` without a value is an empty list. */
function nameAndValue(text: string, flag: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=');
  if (at === -1 && text.endsWith('[]')) return [text, undefined];
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

/** `a[b]` is a field of an object, `a[]` an entry of a list, and `a[][b]` a field of the last object of a list. */
function put(fields: Fields, name: string, value: unknown): void {
  const [, first = '', keys = ''] = path.exec(name) ?? [];
  if (first === '') throw new AppError('USAGE', { message: `${name} is not a valid field name.`, hint: forms });
  const steps = [first, ...Array.from(keys.matchAll(/\[([^[\]]*)\]/g), ([, key = '']) => key)];
  let place: Fields | unknown[] = fields;
  for (const [at, step] of steps.entries()) {
    const next = steps[at + 1];
    if (next !== undefined) place = enter(place, step, next, name);
    else if (Array.isArray(place)) {
      if (value !== undefined) place.push(value);
    } else if (Object.hasOwn(place, step)) throw repeated(name);
    else place[step] = value;
  }
}

/** The object or list at the step, which is made where it is missing. */
function enter(place: Fields | unknown[], step: string, next: string, name: string): Fields | unknown[] {
  const made = next === '' ? [] : emptyFields();
  const known = Array.isArray(place) ? place.at(-1) : place[step];
  const isTaken = Array.isArray(place) && (typeof known !== 'object' || Object.hasOwn(Object(known), next));
  if (known === undefined || isTaken) {
    if (Array.isArray(place)) place.push(made);
    else place[step] = made;
    return made;
  }
  if (typeof known !== 'object' || Array.isArray(known) !== Array.isArray(made)) throw conflicting(name);
  return known as Fields | unknown[];
}

const forms = 'Use name=…, name[key]=…, name[]=… or name[][key]=….';
const repeated = (name: string): AppError =>
  new AppError('USAGE', { message: `${name} is given twice.`, hint: `A list is ${name}[]=… for each of its values.` });
const conflicting = (name: string): AppError =>
  new AppError('USAGE', { message: `${name} contradicts another field.`, hint: forms });
