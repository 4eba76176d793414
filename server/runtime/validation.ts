/**
 * Validates data by the contract's schemas, both whole requests and single items of a batch. Converts Ajv's errors to field errors
 * of the API. Messages never contain values.
 */
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { DetailCode, FieldError } from '../../src/contract/errors.ts';
import type { JsonSchema, Schema } from '../../src/contract/schema.ts';
import { measureWeight } from '../../src/domain/weight.ts';
import { createAjv } from '../../src/node/ajv.ts';
import { describeViolation } from './schema-sentences.ts';
import { withSuggestion } from '../../src/domain/nearest-word.ts';
import { isPlainObject } from '../../src/domain/normalise.ts';

/** Returns the errors of a value; empty if it is valid. */
export type Validator = (value: unknown) => FieldError[];

/**
 * `exact`, for bodies, keeps values, mends characters in texts, and refuses unknown fields of closed objects. `kept`, for stored
 * documents, does the same but accepts any characters. `text`, for path and query, reads numbers and booleans from strings, and
 * lists the known parameters if one is unknown. `setting`, for the operator's settings, reads numbers and booleans from strings too.
 */
export type ValidationMode = 'exact' | 'kept' | 'text' | 'setting';

/** Maximum of errors reported for one value. */
const maxErrors = 100;
/** Maximum weight of an invalid value for which all errors are collected. */
const maxWeightForAllErrors = 100_000;

/** Compiles a schema into a validator. */
export type Compile = (schema: Schema, mode?: ValidationMode) => Validator;

/** Keys are the mode and whether they collect all errors. */
const compilers: Partial<Record<string, Ajv2020>> = {};
/** Compiled schemas, shared by all servers of the process: schemas are constants, and compiling is slow. */
const compiled = new WeakMap<Schema, Partial<Record<string, ValidateFunction>>>();

function compileOnce(schema: Schema, mode: ValidationMode, allErrors: boolean): ValidateFunction {
  const known = compiled.get(schema) ?? {};
  compiled.set(schema, known);
  const kind = `${mode} ${allErrors}`;
  return (known[kind] ??= (compilers[kind] ??= createAjv(
    { ...optionsOf[mode], allErrors, verbose: true },
    mode === 'kept' ? 'any' : 'mended',
  )).compile(schema));
}

/**
 * Creates the compiler of schemas. Ajv and each schema are compiled for their first value, so that compiling does not delay the
 * start of a server.
 *
 * A check stops at the first error. Only then, and only for a small value, a second check collects all errors: a list of a
 * million items could have millions.
 */
export function createValidation(): Compile {
  return (schema, mode = 'exact') => {
    const lists = mode === 'text' ? listsIn(schema) : [];
    const omissible = mode === 'exact' ? omissibleListsIn(schema) : [];
    let check: ValidateFunction | undefined;
    let checkAll: ValidateFunction | undefined;
    return (value) => {
      for (const list of lists) readList(value as Record<string, unknown>, list);
      for (const name of omissible) omitEmpty(value, name);
      check ??= compileOnce(schema, mode, false);
      if (check(value)) return [];
      const listProblems = (errors: readonly ErrorObject[] | null | undefined): FieldError[] => {
        const problems = fieldErrors(errors ?? [], lists);
        return mode === 'text' ? problems.map((problem) => explainParameter(problem, schema)) : problems;
      };
      if (measureWeight(value, maxWeightForAllErrors) > maxWeightForAllErrors) return listProblems(check.errors);
      checkAll ??= compileOnce(schema, mode, true);
      checkAll(value);
      return listProblems(checkAll.errors ?? check.errors);
    };
  };
}

/** Lists of which an empty one counts as absent. */
const omissibleListsIn = ({ properties = {} }: JsonSchema): string[] =>
  Object.entries(properties).flatMap(([name, schema]) => (schema['x-empty-is-absent'] === true ? [name] : []));

/** Removes an empty list: some generated clients send one for each list that nobody set. */
function omitEmpty(value: unknown, name: string): void {
  if (!isPlainObject(value)) return;
  const list = Object.hasOwn(value, name) ? value[name] : undefined;
  if (Array.isArray(list) && list.length === 0) delete value[name];
}

/** A query parameter with several values. */
interface ListParameter {
  readonly name: string;
  readonly hasCommas: boolean;
}

const listsIn = ({ properties = {} }: JsonSchema): ListParameter[] =>
  Object.entries(properties).flatMap(([name, { type, 'x-commas': hasCommas = false }]) =>
    type === 'array' ? [{ name, hasCommas }] : [],
  );

/** Makes a list of a parameter given once, repeatedly, or with commas. */
function readList(query: Record<string, unknown>, { name, hasCommas }: ListParameter): void {
  const said = query[name];
  if (said === undefined) return;
  const values = [said].flat();
  query[name] = hasCommas
    ? values.flatMap((value) => (typeof value === 'string' ? value.split(',').map((each) => each.trim()) : [value]))
    : values;
}

const optionsOf: Readonly<Record<ValidationMode, Options>> = {
  exact: { useDefaults: true },
  kept: { useDefaults: true },
  text: { useDefaults: true, coerceTypes: true },
  setting: { useDefaults: true, coerceTypes: true },
};

/** Detail code by Ajv keyword; others have INVALID_VALUE. */
const codeOfKeyword: Readonly<Record<string, DetailCode>> = {
  required: 'FIELD_REQUIRED',
  type: 'INVALID_TYPE',
  format: 'INVALID_FORMAT',
  pattern: 'INVALID_FORMAT',
  maxLength: 'TOO_LONG',
  maxItems: 'TOO_LONG',
  'x-max-weight': 'TOO_LONG',
  'x-text': 'INVALID_FORMAT',
  additionalProperties: 'UNKNOWN_FIELD',
};

/** Keywords whose errors only summarise other errors. */
const summaries = new Set(['anyOf', 'oneOf', 'if']);

function fieldErrors(errors: readonly ErrorObject[], lists: readonly ListParameter[]): FieldError[] {
  const specific = errors.filter((error) => !summaries.has(error.keyword));
  const reported = new Map<string, FieldError>();
  for (const error of specific.length > 0 ? specific : errors) {
    const field = toParameter(fieldError(error), lists);
    const once = `${field.field}\n${field.code}`;
    if (!reported.has(once)) reported.set(once, field);
    if (reported.size === maxErrors) break;
  }
  return [...reported.values()];
}

/** A value of a repeatable parameter is reported under its name: `status`, not `status.1`. */
function toParameter(error: FieldError, lists: readonly ListParameter[]): FieldError {
  const list = lists.find(({ name }) => error.field.startsWith(`${name}.`));
  return list ? { ...error, field: list.name, message: error.message.replace(error.field, list.name) } : error;
}

/** Lists the known parameters: an unknown one may be misspelt, and ignoring it would be misleading. */
function explainParameter(error: FieldError, { properties = {} }: JsonSchema): FieldError {
  if (error.code !== 'UNKNOWN_FIELD') return error;
  const names = Object.keys(properties);
  const known = names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`;
  const name = error.field.slice(0, maxNameLength);
  const message = withSuggestion(`${name} is not a query parameter of this call; ${known}`, name, names);
  return { ...error, field: name, message };
}

/** Longer names are no typos; an answer repeats only their beginning. */
const maxNameLength = 64;

function fieldError(error: ErrorObject): FieldError {
  const parent = (error.parentSchema ?? {}) as JsonSchema;
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const params = error.params as { missingProperty?: string; additionalProperty?: string; allowedValues?: unknown[] };
  const property = params.missingProperty ?? params.additionalProperty;
  const field = [...at, ...(property === undefined ? [] : [property])].join('.');
  const missing = error.keyword === 'required';
  const code =
    (missing ? undefined : (parent['x-error-code'] as DetailCode | undefined)) ?? codeOfKeyword[error.keyword];
  return {
    field,
    message: describeError(error, field, missing ? undefined : parent['x-error-message']),
    code: code ?? 'INVALID_VALUE',
  };
}

function describeError(error: ErrorObject, field: string, own: string | undefined): string {
  if (own !== undefined && error.keyword !== 'additionalProperties') {
    return error.keyword === 'enum' ? withSuggestion(own, error.data, (error.schema as unknown[]).map(String)) : own;
  }
  return describeViolation(field === '' ? 'the body' : field, {
    keyword: error.keyword,
    limit: error.schema,
    schema: (error.parentSchema ?? {}) as JsonSchema,
    value: error.data,
    name: field.slice(field.lastIndexOf('.') + 1),
  });
}
