/**
 * A very small vocabulary for JSON Schema (2020-12). Each function returns plain data that Ajv, fast-json-stringify and
 * OpenAPI 3.1 accept unchanged, and that carries the TypeScript type that it describes. There is nothing to load and
 * nothing to compile, so the command line can afford the contract at start-up
 * (docs/decisions/0003-plain-json-schema.md).
 */

/** The purpose of a text; src/domain/characters.ts says which characters each may hold. */
export type TextKind = 'identifier' | 'line' | 'prose';

/** The JSON Schema keywords that the contract uses. */
export interface JsonSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  /**
   * The purpose of a text, which decides its allowed characters; `free` is for free-form data with texts of any kind.
   */
  readonly 'x-text'?: TextKind | 'free';
  /** Detail code to report for a value that violates this schema, instead of the one of the failed keyword. */
  readonly 'x-error-code'?: string;
  /** Sentence to report with it. */
  readonly 'x-error-message'?: string;
  /** A list in a query: its values may be in one parameter, separated by commas. */
  readonly 'x-commas'?: boolean;
  /** A list: an empty one in a body means the same as none. Where none means all, as with scopes, it would be a trap. */
  readonly 'x-empty-is-absent'?: boolean;
  /** A secret: it is never returned to the caller that set it. */
  readonly writeOnly?: boolean;
  /** Greatest weight (src/domain/weight.ts) of the value. */
  readonly 'x-max-weight'?: number;
}

/**
 * A JSON Schema that describes values of type `T`. No schema has the field: it only carries the type, under a name that
 * the declarations of the package can write out.
 */
export type Schema<T = unknown> = JsonSchema & { readonly '~describes'?: T };

/** The schema of an object, which has its fields one by one. */
export type ObjectSchema<T> = Schema<T> & { readonly properties: Readonly<Record<string, JsonSchema>> };

/** The TypeScript type that a schema describes. */
export type TypeOf<S> = S extends Schema<infer T> ? T : never;

type Properties = Readonly<Record<string, Schema>>;
type Flat<T> = { [K in keyof T]: T[K] } & {};
type ObjectOf<R extends Properties, O extends Properties> = Flat<
  { -readonly [K in keyof R]: TypeOf<R[K]> } & { -readonly [K in keyof O]?: TypeOf<O[K]> }
>;

export const string = (keywords: JsonSchema = {}): Schema<string> => ({ type: 'string', ...keywords });
/** A text for lookups: it holds no invisible character. */
export const identifier = (keywords: JsonSchema = {}): Schema<string> =>
  string({ 'x-text': 'identifier', ...keywords });
/** A name or a title. */
export const line = (keywords: JsonSchema = {}): Schema<string> => string({ 'x-text': 'line', ...keywords });
/** A text that somebody wrote or dictated, with its lines. */
export const prose = (keywords: JsonSchema = {}): Schema<string> => string({ 'x-text': 'prose', ...keywords });
export const integer = (keywords: JsonSchema = {}): Schema<number> => ({ type: 'integer', ...keywords });
export const number = (keywords: JsonSchema = {}): Schema<number> => ({ type: 'number', ...keywords });
export const boolean = (keywords: JsonSchema = {}): Schema<boolean> => ({ type: 'boolean', ...keywords });

/** An instant, ISO 8601 with an explicit offset (the service itself always writes UTC, `…Z`). */
export const timestamp = (description: string): Schema<string> =>
  string({ format: 'date-time', description, examples: ['2026-03-02T11:30:00.000Z'] });

/** One of a fixed list of words. */
export const oneOf = <const V extends readonly string[]>(values: V, keywords: JsonSchema = {}): Schema<V[number]> => ({
  type: 'string',
  enum: values,
  ...keywords,
});

/** Exactly this value. */
export const literal = <const V extends string | boolean>(value: V, keywords: JsonSchema = {}): Schema<V> => ({
  type: typeof value,
  const: value,
  ...keywords,
});

export const array = <S extends Schema>(items: S, keywords: JsonSchema = {}): Schema<TypeOf<S>[]> => ({
  type: 'array',
  items,
  ...keywords,
});

/**
 * One value or several, in a query: repeated, and with `x-commas` also in one parameter. A handler gets the list; a
 * caller in TypeScript may give a single value.
 */
export const several = <S extends Schema>(
  values: S,
  keywords: JsonSchema = {},
): Schema<TypeOf<S> | readonly TypeOf<S>[]> => ({
  type: 'array',
  items: values,
  minItems: 1,
  maxItems: 50,
  ...keywords,
});

/** A closed object: a key that is in neither list is refused in a request and never leaves in an answer. */
export const object = <R extends Properties, O extends Properties = Record<never, never>>(
  required: R,
  optional?: O,
  keywords: Omit<JsonSchema, 'properties'> = {},
): ObjectSchema<ObjectOf<R, O>> => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
  ...keywords,
});

/** The closed object with additional fields, each replacing one of the same name. */
export const extended = <S extends Schema, R extends Properties, O extends Properties = Record<never, never>>(
  schema: S,
  required: R,
  optional?: O,
): Schema<Flat<Omit<TypeOf<S>, keyof R | keyof O> & ObjectOf<R, O>>> => ({
  ...(schema as JsonSchema),
  properties: { ...schema.properties, ...required, ...optional },
  required: [...new Set([...(schema.required ?? []), ...Object.keys(required)])],
});

/** The closed object with only these of its fields. */
export const only = <S extends Schema, const K extends keyof TypeOf<S> & string>(
  schema: S,
  ...names: readonly K[]
): Schema<Pick<TypeOf<S>, K>> => fieldsWhere(schema, (name) => names.some((each) => each === name));

/** The closed object without these of its fields. */
export const without = <S extends Schema, const K extends keyof TypeOf<S> & string>(
  schema: S,
  ...names: readonly K[]
): Schema<Omit<TypeOf<S>, K>> => fieldsWhere(schema, (name) => names.every((each) => each !== name));

const fieldsWhere = (schema: JsonSchema, isMeant: (name: string) => boolean): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => isMeant(name))),
  required: (schema.required ?? []).filter(isMeant),
});

/** Any JSON. */
export const anything: Schema = {};

/** An object with arbitrary names, and such values. */
export const dictionary = <S extends Schema>(values: S): Schema<Record<string, TypeOf<S>>> => ({
  type: 'object',
  additionalProperties: values,
});

/** A free-form object: the service stores and returns it unchanged. */
export const freeForm = (keywords: JsonSchema = {}): Schema<Record<string, unknown>> => ({
  type: 'object',
  additionalProperties: true,
  ...keywords,
});

/** A stream of bytes, of the media type that the endpoint names. The server never holds the whole stream in memory. */
export const bytes = (description: string): Schema<AsyncIterable<Uint8Array>> => ({
  type: 'string',
  format: 'binary',
  description,
});

/** The value, or `null`. */
export const nullable = <S extends Schema>(schema: S): Schema<TypeOf<S> | null> => {
  const keywords: JsonSchema = schema;
  return {
    ...keywords,
    type: [...[keywords.type ?? []].flat(), 'null'],
    ...(keywords.enum && { enum: [...keywords.enum, null] }),
  };
};

/** One of several shapes. */
export const anyOf = <const S extends readonly Schema[]>(
  schemas: S,
  keywords: JsonSchema = {},
): Schema<TypeOf<S[number]>> => ({ anyOf: schemas, ...keywords });

/** Gives a schema the name under which the OpenAPI document lists it, and its description. */
export const named = <S extends Schema>(title: string, schema: S, description?: string): S => ({
  ...schema,
  title,
  ...(description !== undefined && { description }),
});

/** The description of an enum, with the meaning of each word: “State of the record. `draft`: it may change; …”. */
export const meanings = (description: string, words: Readonly<Record<string, string>>): string =>
  `${description} ${Object.entries(words)
    .map(([word, meaning]) => `\`${word}\`: ${meaning}`)
    .join('; ')}.`;
