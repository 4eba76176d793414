/**
 * One way of checking data against the contract's schemas, for requests as a whole and for single items of a batch:
 * Ajv compiles, and what it finds is told as the API's field errors. Messages never repeat a value that was sent.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { DetailCode, FieldError } from '../src/contract/errors.ts';
import type { JsonSchema, Schema } from '../src/contract/schema.ts';
import { isIsoDate, isIsoDateTime } from '../src/domain/iso-time.ts';

/** Finds what is wrong with a value; an empty list means nothing. */
export type Validator = (value: unknown) => FieldError[];

/**
 * `exact` takes values as they are and refuses unknown fields of closed objects: bodies. `text` reads numbers and
 * booleans from strings and drops unknown fields: path and query.
 */
export type ValidationMode = 'exact' | 'text';

/** Compiles schemas; keep one for the life of a server, since compiling is what costs. */
export function createValidation(): (schema: Schema, mode?: ValidationMode) => Validator {
  const compilers = {
    exact: createAjv({ useDefaults: true }),
    text: createAjv({ useDefaults: true, coerceTypes: true, removeAdditional: true }),
  };
  return (schema, mode = 'exact') => {
    const check = compilers[mode].compile(schema);
    return (value) => (check(value) ? [] : fieldErrors(check.errors ?? []));
  };
}

function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true, ...options });
  ajv.addVocabulary(['x-error-code', 'x-error-message']);
  // Node's build of ajv-formats is CommonJS: the function is its default export.
  addFormats.default(ajv, ['date', 'date-time', 'uri']);
  ajv.addFormat('iso-datetime', isIsoDateTime);
  ajv.addFormat('date-or-time', (value: string) => isIsoDate(value) || isIsoDateTime(value));
  return ajv;
}

/** Ajv keyword → detail code; what is not listed is INVALID_VALUE. */
const codeOfKeyword: Readonly<Record<string, DetailCode>> = {
  required: 'FIELD_REQUIRED',
  type: 'INVALID_TYPE',
  format: 'INVALID_FORMAT',
  pattern: 'INVALID_FORMAT',
  maxLength: 'TOO_LONG',
  maxItems: 'TOO_LONG',
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
  const seen = new Set<string>();
  return (telling.length > 0 ? telling : found).map(fieldError).filter((error) => {
    const once = `${error.field}\n${error.code}`;
    return seen.has(once) ? false : seen.add(once);
  });
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

function messageOf(error: ErrorObject, field: string, own: string | undefined): string {
  const subject = field === '' ? 'the body' : field;
  if (own !== undefined && error.keyword !== 'additionalProperties') return own;
  if (error.keyword === 'required') return `${subject} is required`;
  if (error.keyword === 'additionalProperties') return `${subject} is not a field of this request`;
  if (error.keyword === 'enum')
    return `${subject} must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  if (error.keyword === 'const') return `${subject} must be ${String(error.params.allowedValue)}`;
  if (error.keyword === 'minLength' && error.params['limit'] === 1) return `${subject} must not be empty`;
  if (error.keyword === 'format')
    return `${subject} must be ${formatNames[String(error.params['format'])] ?? 'written otherwise'}`;
  return `${subject} ${error.message ?? 'is invalid'}`;
}
