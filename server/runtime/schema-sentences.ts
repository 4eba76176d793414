/**
 * Sentences for values that violate a schema: one for each keyword of the contract's schemas (src/contract/schema.ts). They say
 * what is expected, and never repeat a text that was sent.
 */
import type { JsonSchema, TextKind } from '../../src/contract/schema.ts';
import { textKinds } from '../../src/domain/characters.ts';
import { counted } from '../../src/domain/counted.ts';
import { withSuggestion } from '../../src/domain/nearest-word.ts';

/** A violated keyword, as the validator reports it. */
export interface Violation {
  readonly keyword: string;
  /** The value of the keyword. */
  readonly limit: unknown;
  /** The schema that has the keyword. */
  readonly schema: JsonSchema;
  readonly value: unknown;
  /** The last step of the path: the name of an unknown field. */
  readonly name: string;
}

/** Descriptions of formats. */
const formats: Readonly<Record<string, string>> = {
  date: 'an ISO 8601 date, for example 2026-03-02',
  'date-time': 'an ISO 8601 date-time with an offset, for example 2026-03-02T08:30:00-03:00',
  'iso-datetime': 'an ISO 8601 date-time, for example 2026-03-02T08:30:00-03:00',
  'date-or-time': 'an ISO 8601 date or date-time, for example 2026-03-02',
  uri: 'a complete URI, for example https://example.com/path',
};

const unfit = 'must not contain control characters';

/** The rest of the sentence after the path of the field. */
export const sentences = {
  required: () => 'is required',
  additionalProperties: ({ name, schema }) =>
    withSuggestion('is not a field of this request', name, Object.keys(schema.properties ?? {})),
  type: ({ schema, value }) => `must be ${describeExpected(schema)}; you sent ${describeKind(value)}`,
  enum: ({ schema, value }) =>
    withSuggestion(`must be ${describeExpected(schema)}`, value, (schema.enum ?? []).map(String)),
  const: ({ limit }) => `must be ${String(limit)}`,
  minimum: ({ schema }) => `must be ${describeExpected(schema)}`,
  maximum: ({ schema }) => `must be ${describeExpected(schema)}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${counted(Number(limit), 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(Number(limit), 'character')}`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${entries(limit)}`),
  maxItems: ({ limit }) => `must have at most ${entries(limit)}`,
  minProperties: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${fields(limit)}`),
  maxProperties: ({ limit }) => `must have at most ${fields(limit)}`,
  pattern: ({ schema }) => describePattern(schema),
  format: ({ limit }) => `must be ${formats[String(limit)] ?? 'in another format'}`,
  anyOf: ({ schema, value }) => `must be ${describeExpected(schema)}; you sent ${describeKind(value)}`,
  oneOf: ({ schema, value }) => `must be ${describeExpected(schema)}; you sent ${describeKind(value)}`,
  'x-text': ({ limit }) => textKinds[limit as TextKind]?.expected ?? unfit,
  'x-max-weight': ({ limit }) => `must not be larger than about ${String(limit)} characters`,
} as const satisfies Readonly<Record<string, (violation: Violation) => string>>;

/** The sentence about a field; `subject` is its path, as the sender wrote it. */
export const describeViolation = (subject: string, violation: Violation): string =>
  `${subject} ${(sentences as Readonly<Record<string, (violation: Violation) => string>>)[violation.keyword]?.(violation) ?? 'is invalid'}`;

const entries = (limit: unknown): string => `${String(limit)} ${limit === 1 ? 'entry' : 'entries'}`;
const fields = (limit: unknown): string => counted(Number(limit), 'field');

/** An example says more than an expression. */
function describePattern({ pattern, examples = [], default: usual }: JsonSchema): string {
  const example = examples.find((each) => typeof each === 'string') ?? usual;
  return typeof example === 'string'
    ? `must have another form, for example ${example}`
    : `must have the form ${String(pattern)}`;
}

/** `a whole number from 1 to 5, or null`. */
export function describeExpected(schema: JsonSchema): string {
  const { enum: words, const: only, anyOf, oneOf, type } = schema;
  if (only !== undefined) return String(only);
  if (words) {
    const texts = words.filter((word) => word !== null).map(String);
    return withNull(texts.length === 1 ? texts.join() : `one of ${texts.join(', ')}`, words.includes(null));
  }
  const shapes = anyOf ?? oneOf;
  if (shapes) return [...new Set(shapes.map(describeExpected))].join(', or ');
  const types = [type ?? []].flat();
  const known = types.filter((each) => each !== 'null').map((each) => describeType(each, schema));
  return withNull(known.join(' or ') || 'a JSON value', types.includes('null'));
}

const withNull = (text: string, isNullable: boolean): string => (isNullable ? `${text}, or null` : text);

function describeType(type: string, { minimum, maximum, format }: JsonSchema): string {
  switch (type) {
    case 'integer':
      return `a whole number${describeRange(minimum, maximum)}`;
    case 'number':
      return `a number${describeRange(minimum, maximum)}`;
    case 'string':
      return (format !== undefined && formats[format]) || 'a text';
    default:
      return typeNames[type] ?? type;
  }
}

function describeRange(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` from ${minimum}`;
  return maximum === undefined ? '' : ` up to ${maximum}`;
}

const typeNames: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** The kind of a value that was sent, without the value, which may be of a patient. */
function describeKind(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return { string: 'a text', number: 'a number', object: 'an object' }[typeof value as string] ?? 'nothing';
}
