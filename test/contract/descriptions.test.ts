/** The contract explains itself: the OpenAPI document, `/docs` and the reference consist of its descriptions. */
import { describe, expect, test } from 'vitest';
import { createValidation } from '../../server/runtime/validation.ts';
import { contract } from '../../src/contract/index.ts';
import type { Endpoint, Group } from '../../src/contract/endpoint.ts';
import { WebhookEvent } from '../../src/contract/events.ts';
import { BackupManifest } from '../../src/contract/maintenance.ts';
import { OAuthErrorBody } from '../../src/contract/oauth.ts';
import { array, named, object, oneOf, string } from '../../src/contract/schema.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { envelope, ErrorEnvelope } from '../../src/contract/shared.ts';

interface Place {
  /** Where the schema stands: `records.get 200.sections[].key`. */
  readonly at: string;
  readonly schema: JsonSchema;
  /** Whether a reader meets the schema under a name of its own: a field, a parameter, a component. */
  readonly isNamed: boolean;
}

/** The schema and all within it. */
function placesIn(at: string, schema: JsonSchema, isNamed = schema.title !== undefined): Place[] {
  return [
    { at, schema, isNamed },
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => placesIn(`${at}.${name}`, inner, true)),
    ...(schema.items ? placesIn(`${at}[]`, schema.items) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((inner, index) => placesIn(`${at}|${index}`, inner)),
  ];
}

/** A sentence, or several: no bare word and nothing cut off. */
const isExplanation = (text: string | undefined): boolean => /^[\p{Lu}`\d].*\S+ \S+.*[.:]$/su.test(text ?? '');

/** An enum longer than this is a code list of DICOM, which DICOM explains. */
const mostWords = 20;

/** Words of an enum that its description does not name. */
function unexplained({ enum: words = [], description = '' }: JsonSchema): unknown[] {
  if (words.length > mostWords) return [];
  return words.filter((word) => word !== null && !description.includes(`\`${String(word)}\``));
}

const undescribed = (places: readonly Place[]): string[] =>
  places
    .filter(({ schema, isNamed }) => (isNamed || schema.enum) && !isExplanation(schema.description))
    .map(({ at }) => at);

const vague = (places: readonly Place[]): string[] =>
  places.flatMap(({ at, schema }) => unexplained(schema).map((word) => `${at}: ${String(word)}`));

const endpoints = Object.entries<Group>(contract).flatMap(([group, { endpoints: each }]) =>
  Object.entries<Endpoint>(each).map(([name, endpoint]) => ({ name: `${group}.${name}`, endpoint })),
);

const placesOf = (name: string, { params, query, body, responses }: Endpoint): Place[] => [
  ...(params ? placesIn(`${name} params`, params) : []),
  ...(query ? placesIn(`${name} query`, query) : []),
  ...(body ? placesIn(`${name} body`, body) : []),
  ...Object.entries(responses).flatMap(([status, data]) => placesIn(`${name} ${status}`, data, true)),
];

const everywhere = [
  ...endpoints.flatMap(({ name, endpoint }) => placesOf(name, endpoint)),
  ...placesIn('envelope', envelope(object({}, {}, { description: 'The data of the answer.' }))),
  ...placesIn('error', ErrorEnvelope),
  ...placesIn('OAuth error', OAuthErrorBody),
  ...placesIn('webhook', WebhookEvent),
  ...placesIn('backup.json', BackupManifest),
];

describe('Each has a description:', () => {
  test('groups', () => {
    const groups = Object.entries<Group>(contract);
    expect(groups.filter(([, { description }]) => !isExplanation(description)).map(([name]) => name)).toEqual([]);
  });

  test('endpoints, which say more than their summary', () => {
    expect(endpoints.length).toBeGreaterThan(50);
    const bare = endpoints.filter(
      ({ endpoint: { summary, description } }) => !isExplanation(description) || description!.startsWith(`${summary}.`),
    );
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  test('parameters, fields and named schemas', () => {
    expect(everywhere.filter(({ isNamed }) => isNamed).length).toBeGreaterThan(350);
    expect(undescribed(everywhere)).toEqual([]);
  });

  test('the words of enums', () => expect(vague(everywhere)).toEqual([]));

  test.each([
    ['a field', object({ id: string() }), '.id'],
    ['a field that says one word', object({ id: string({ description: 'When.' }) }), '.id'],
    [
      'a field of an item of a list',
      object({ items: array(object({ id: string() }), { description: 'The items.' }) }),
      '.items[].id',
    ],
    ['a component', named('Thing', object({})), ''],
    ['an enum within a list', array(oneOf(['a', 'b'])), '[]'],
  ])('one without would be found: %s', (_name, schema, at) => {
    expect(undescribed(placesIn('', schema))).toEqual([at]);
  });

  test('a word that is not explained would be found', () => {
    const schema = oneOf(['draft', 'final'], { description: 'State. `draft`: it may change.' });
    expect(vague(placesIn('status', schema))).toEqual(['status: final']);
  });
});

describe('Examples hold:', () => {
  const compile = createValidation();
  const examples = everywhere.flatMap(({ at, schema }) =>
    (schema.examples ?? []).map((value) => ({ at, schema, value })),
  );
  const problems = examples.flatMap(({ at, schema, value }) =>
    compile(schema)(structuredClone(value)).map(({ message }) => `${at}: ${message}`),
  );

  test('those of schemas', () => {
    expect(examples.length).toBeGreaterThan(100);
    expect([...new Set(problems)]).toEqual([]);
  });

  test('one that does not would be found', () => {
    expect(compile(string({ maxLength: 1 }))('two')).not.toEqual([]);
  });
});
