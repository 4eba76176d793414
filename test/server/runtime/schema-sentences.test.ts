/** What people read about a value that a schema refuses. */
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/contract/index.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import { anyOf, array, integer, nullable, number, object, oneOf, string } from '../../../src/contract/schema.ts';
import { sentences } from '../../../server/runtime/schema-sentences.ts';
import { createValidation } from '../../../server/runtime/validation.ts';

const compile = createValidation();

test.each<[JsonSchema, unknown, string]>([
  [nullable(integer({ minimum: 1, maximum: 5 })), 'high', 'a whole number from 1 to 5, or null; you sent a text'],
  [integer({ minimum: 1 }), true, 'a whole number from 1; you sent true'],
  [integer(), 1.5, 'a whole number; you sent a number'],
  [number({ maximum: 1 }), null, 'a number up to 1; you sent null'],
  [number({ minimum: 0, maximum: 1 }), 2, 'a number from 0 to 1'],
  [integer({ minimum: 1, maximum: 5 }), 0, 'a whole number from 1 to 5'],
  [array(string()), {}, 'a list; you sent an object'],
  [string({ format: 'date' }), 'canary', 'an ISO 8601 date, for example 2026-03-02'],
  [oneOf(['new', 'completed']), 'complted', 'one of new, completed. Did you mean completed?'],
  [nullable(oneOf(['new', 'completed'])), 'canary', 'one of new, completed, or null'],
  [anyOf([string(), array(string())]), 3, 'a text; you sent a number'],
])('%j: %j must be %s', (schema, value, said) => {
  const [error] = compile(object({ field: schema }))({ field: value });
  expect(error?.message).toBe(`field must be ${said}`);
});

test.each<[JsonSchema, unknown, string]>([
  [string({ minLength: 1 }), '', 'must not be empty'],
  [string({ minLength: 3 }), 'x', 'must have at least 3 characters'],
  [string({ maxLength: 1 }), 'canary', 'must have at most 1 character'],
  [array(string(), { minItems: 1 }), [], 'must not be empty'],
  [array(string(), { maxItems: 1 }), ['a', 'b'], 'must have at most 1 entry'],
  [{ type: 'object', minProperties: 1 }, {}, 'must not be empty'],
  [{ type: 'object', maxProperties: 2 }, { a: 1, b: 1, c: 1 }, 'must have at most 2 fields'],
  [string({ pattern: '^[a-z]+$', examples: ['findings'] }), 'Canary', 'must have another form, for example findings'],
  [object({}, { modality: string() }), { modalty: 'x' }, 'is not a field of this request. Did you mean modality?'],
])('%j: %j %s', (schema, value, said) => {
  const [error] = compile(object({ field: schema }))({ field: value });
  expect(error?.message.replace(/^field(\.modalty)? /, '')).toBe(said);
});

test('a query parameter that is mistyped is answered with the nearest', () => {
  const [error] = compile(object({}, { status: string(), limit: integer() }), 'text')({ stauts: 'new' });
  expect(error?.message).toBe(
    'stauts is not a query parameter of this call; it takes status, limit. Did you mean status?',
  );
});

test('an empty list counts as absent where that is meant alone', () => {
  const lists = object(
    {},
    { sections: array(string(), { minItems: 1, 'x-empty-is-absent': true }), scopes: array(string(), { minItems: 1 }) },
  );
  const body = { sections: [], scopes: ['a'] };
  expect(compile(lists)(body)).toEqual([]);
  expect(body).toEqual({ scopes: ['a'] });
  expect(compile(lists)({ scopes: [] })).toMatchObject([{ field: 'scopes' }]);
});

/** Keywords that refuse nothing by themselves. */
const silent = new Set([
  'title',
  'description',
  'default',
  'examples',
  'items',
  'properties',
  'x-error-code',
  'x-error-message',
  'x-commas',
  'x-empty-is-absent',
  'writeOnly',
]);

function* keywordsIn(schema: JsonSchema): Generator<string> {
  for (const [keyword, value] of Object.entries(schema)) {
    yield keyword;
    if (keyword === 'properties')
      for (const each of Object.values(value as object)) yield* keywordsIn(each as JsonSchema);
    else if (keyword === 'anyOf' || keyword === 'oneOf')
      for (const each of value as JsonSchema[]) yield* keywordsIn(each);
    else if ((keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object')
      yield* keywordsIn(value as JsonSchema);
  }
}

test('every keyword of the contract has a sentence', () => {
  const used = new Set(
    endpoints.flatMap(({ query, body, params }) =>
      [query, body, params].flatMap((schema) => (schema ? [...keywordsIn(schema as JsonSchema)] : [])),
    ),
  );
  expect([...used].filter((keyword) => !silent.has(keyword) && !Object.hasOwn(sentences, keyword))).toEqual([]);
});
