/**
 * One way of checking data against the contract's schemas, for requests as a whole and for single items of a batch:
 * Ajv compiles, and what it finds is told as the API's field errors. Messages never repeat a value that was sent.
 */
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { DetailCode, FieldError } from '../../src/contract/errors.ts';
import type { JsonSchema, Schema } from '../../src/contract/schema.ts';
import { textKinds } from '../../src/domain/characters.ts';
import type { TextKind } from '../../src/domain/characters.ts';
import { weightOf } from '../../src/domain/weight.ts';
import { createAjv } from '../../src/node/ajv.ts';

/** Finds what is wrong with a value; an empty list means nothing. */
export type Validator = (value: unknown) => FieldError[];

/**
 * `exact` takes values as they are, but for characters in texts that are mended, and refuses unknown fields of closed
 * objects: bodies. `kept` does the same for documents that were taken before: their characters are nobody's concern any
 * more. `text` reads numbers and booleans from strings and drops unknown fields: path and query. `setting` reads them too,
 * and refuses unknown fields: what an operator wrote.
 */
export type ValidationMode = 'exact' | 'kept' | 'text' | 'setting';

/** How many errors of one value are told. */
const maxErrors = 100;
/** Weight up to which all errors of something that was refused are looked for. */
const lookedThrough = 100_000;

/**
 * Compiles schemas; keep one for the life of a server, since compiling is what costs. Both the compiler and each schema
 * wait for the first value, so that a server is ready before it has compiled what nobody has asked for.
 *
 * A check stops at the first error. Only then, and only in what is small, the others are looked for: in a list of a
 * million they would be millions.
 */
export function createValidation(): (schema: Schema, mode?: ValidationMode) => Validator {
  const compilers: Partial<Record<string, Ajv2020>> = {};
  const compile = (schema: Schema, mode: ValidationMode, allErrors: boolean): ValidateFunction =>
    (compilers[`${mode} ${allErrors}`] ??= createAjv(
      { ...optionsOf[mode], allErrors, verbose: true },
      mode === 'kept' ? 'any' : 'mended',
    )).compile(schema);
  return (schema, mode = 'exact') => {
    let check: ValidateFunction | undefined;
    let checkAll: ValidateFunction | undefined;
    return (value) => {
      check ??= compile(schema, mode, false);
      if (check(value)) return [];
      if (weightOf(value, lookedThrough) > lookedThrough) return fieldErrors(check.errors ?? []);
      checkAll ??= compile(schema, mode, true);
      checkAll(value);
      return fieldErrors(checkAll.errors ?? check.errors ?? []);
    };
  };
}

const optionsOf: Readonly<Record<ValidationMode, Options>> = {
  exact: { useDefaults: true },
  kept: { useDefaults: true },
  text: { useDefaults: true, coerceTypes: true, removeAdditional: true },
  setting: { useDefaults: true, coerceTypes: true },
};

/** Ajv keyword → detail code; what is not listed is INVALID_VALUE. */
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

/** What a format asks for, in words. */
const formatNames: Readonly<Record<string, string>> = {
  date: 'an ISO 8601 date, for example 2026-03-02',
  'date-time': 'an ISO 8601 date-time with an offset, for example 2026-03-02T08:30:00-03:00',
  'iso-datetime': 'an ISO 8601 date-time, for example 2026-03-02T08:30:00-03:00',
  'date-or-time': 'an ISO 8601 date or date-time, for example 2026-03-02',
  uri: 'a whole address, for example https://example.com/path',
};

/** Keywords that only sum up others. */
const summaries = new Set(['anyOf', 'oneOf', 'if']);

function fieldErrors(found: readonly ErrorObject[]): FieldError[] {
  const telling = found.filter((error) => !summaries.has(error.keyword));
  const told = new Map<string, FieldError>();
  for (const error of telling.length > 0 ? telling : found) {
    const field = fieldError(error);
    const once = `${field.field}\n${field.code}`;
    if (!told.has(once)) told.set(once, field);
    if (told.size === maxErrors) break;
  }
  return [...told.values()];
}

function fieldError(error: ErrorObject): FieldError {
  const parent = (error.parentSchema ?? {}) as JsonSchema;
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const params = error.params as { missingProperty?: string; additionalProperty?: string; allowedValues?: unknown[] };
  const named = params.missingProperty ?? params.additionalProperty;
  const field = [...at, ...(named === undefined ? [] : [named])].join('.');
  const missing = error.keyword === 'required';
  const code =
    (missing ? undefined : (parent['x-error-code'] as DetailCode | undefined)) ?? codeOfKeyword[error.keyword];
  return {
    field,
    message: messageOf(error, field, missing ? undefined : parent['x-error-message']),
    code: code ?? 'INVALID_VALUE',
  };
}

const unfit = 'must not contain control characters';

function messageOf(error: ErrorObject, field: string, own: string | undefined): string {
  const subject = field === '' ? 'the body' : field;
  if (own !== undefined && error.keyword !== 'additionalProperties') return own;
  if (error.keyword === 'required') return `${subject} is required`;
  if (error.keyword === 'additionalProperties') return `${subject} is not a field of this request`;
  if (error.keyword === 'enum')
    return `${subject} must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  if (error.keyword === 'const') return `${subject} must be ${String(error.params.allowedValue)}`;
  if (error.keyword === 'x-text') return `${subject} ${textKinds[error.schema as TextKind]?.expected ?? unfit}`;
  if (error.keyword === 'minLength' && error.params['limit'] === 1) return `${subject} must not be empty`;
  if (error.keyword === 'x-max-weight') return `${subject} must not be larger than about ${error.schema} characters`;
  if (error.keyword === 'format')
    return `${subject} must be ${formatNames[String(error.params['format'])] ?? 'written otherwise'}`;
  return `${subject} ${error.message ?? 'is invalid'}`;
}
