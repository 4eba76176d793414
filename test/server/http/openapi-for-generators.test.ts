/** Rules over the OpenAPI document without which generators of clients fail, or make clients that fail. */
import { expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';

const api = await startApi();
const { document } = api;

type Node = Readonly<Record<string, unknown>>;
interface Place {
  readonly path: string;
  readonly node: Node;
}

/** Every object of the document but those that are data. */
function* nodes(value: unknown, path = ''): Generator<Place> {
  if (Array.isArray(value)) for (const [at, each] of value.entries()) yield* nodes(each, `${path}/${at}`);
  else if (typeof value === 'object' && value !== null) {
    yield { path, node: value as Node };
    for (const [key, each] of Object.entries(value))
      if (!['example', 'examples', 'enum', 'default'].includes(key)) yield* nodes(each, `${path}/${key}`);
  }
}

const all = [...nodes(document)];
const pathsWhere = (isWrong: (node: Node) => boolean): string[] =>
  all.filter(({ node }) => isWrong(node)).map(({ path }) => path);

const tagsOf = (operation: object): string[] => (operation as { readonly tags?: string[] }).tags ?? [];

test('no boolean is a constant', () => {
  expect(pathsWhere(({ type, const: only }) => type === 'boolean' && only !== undefined)).toEqual([]);
});

test('no field has a default, which openapi-typescript would demand', () => {
  const hasDefault = (schema: unknown): boolean => typeof schema === 'object' && schema !== null && 'default' in schema;
  expect(pathsWhere(({ properties }) => Object.values(properties ?? {}).some(hasDefault))).toEqual([]);
  const { GenerateRequest } = document.components.schemas as Record<string, { properties?: Record<string, Node> }>;
  expect(GenerateRequest?.properties?.['mode']?.['description']).toMatch(/ Default: `sync`\.$/);
});

test('no schema or scheme is called Client', () => {
  const { schemas, securitySchemes } = document.components;
  const names = [...Object.keys(schemas), ...Object.keys(securitySchemes)];
  expect(names.filter((name) => name.toLowerCase() === 'client')).toEqual([]);
});

test('what webhooks get has a tag of its own, and can be left out', async () => {
  const tags = new Set(Object.values(document.webhooks).flatMap(({ post }) => tagsOf(post)));
  const others = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(tagsOf));
  expect(tags.size).toBe(1);
  expect(others.filter((tag) => tags.has(tag))).toEqual([]);
  // Without it, OpenAPI Generator makes a Python class of them that does not compile.
  for (const { post } of Object.values(document.webhooks)) expect(post).toHaveProperty('x-internal', true);
  const without = (await api.send({ url: '/openapi.json?webhooks=0' })).json as Record<string, unknown>;
  expect(Object.keys(without)).toEqual(Object.keys(document).filter((key) => key !== 'webhooks'));
  expect(JSON.stringify(without)).not.toContain('Webhook events');
});

test('each header of an answer is a mere reference', () => {
  const wrong = all.flatMap(({ path, node: { headers } }) =>
    path.includes('/responses/') && typeof headers === 'object'
      ? Object.entries(headers as Node).flatMap(([name, form]) =>
          JSON.stringify(form) === JSON.stringify({ $ref: `#/components/headers/${name}` }) ? [] : [`${path} ${name}`],
        )
      : [],
  );
  expect(wrong).toEqual([]);
});

test('no union has a bare list beside an object, and every union is oneOf', () => {
  expect(pathsWhere(({ anyOf }) => Array.isArray(anyOf) && anyOf.some((each: Node) => !('required' in each)))).toEqual(
    [],
  );
  const { schemas } = document.components as unknown as { schemas: Record<string, Node> };
  const kindOf = (shape: Node): unknown =>
    typeof shape['$ref'] === 'string' ? schemas[shape['$ref'].split('/').at(-1) ?? '']?.['type'] : shape['type'];
  const mixed = pathsWhere(({ oneOf }) => {
    const kinds = Array.isArray(oneOf) ? oneOf.map(kindOf) : [];
    return kinds.includes('array') && kinds.includes('object');
  });
  expect(mixed).toEqual([]);
});

test('every rule of a string is one that others know', () => {
  const known = ['date', 'date-time', 'uri', 'binary'];
  expect(pathsWhere(({ format }) => typeof format === 'string' && !known.includes(format))).toEqual([]);
  expect(pathsWhere((node) => 'x-text' in node)).toEqual([]);
  for (const { path, node } of all)
    if (typeof node['pattern'] === 'string')
      expect(() => new RegExp(node['pattern'] as string, 'u'), path).not.toThrow();
});

test('a form has the schema of the JSON', () => {
  const forms = all.flatMap(({ node: { content } }) =>
    typeof content === 'object' && Object.hasOwn(content as Node, 'multipart/form-data') ? [content as Node] : [],
  );
  expect(forms.length).toBe(2);
  for (const { 'multipart/form-data': form, 'application/json': json, ...others } of forms) {
    expect(form).toEqual({ schema: { $ref: expect.any(String) } });
    expect(json).toMatchObject(form as object);
    expect(others).toEqual({});
  }
});

test('a call that takes a recording has one body and one kind of answer', () => {
  const { requestBody, responses } = document.paths['/api/v1/medical-records/dictations']!['post']!;
  expect(Object.keys(requestBody!.content)).toEqual(['application/octet-stream']);
  expect(Object.keys(responses).filter((status) => status.startsWith('2'))).toEqual(['202']);
});

test('FHIR as JSON is an object', () => {
  const { requestBody } = document.paths['/api/v1/worklists/ingest']!['post']!;
  expect(requestBody?.content['application/fhir+json']?.schema).toMatchObject({ type: 'object' });
  expect(requestBody?.content['application/hl7-v2']?.schema).toMatchObject({ type: 'string' });
});

test('the example of the simulation is harmless', () => {
  const { parameters = [] } = document.paths['/api/v1/jobs']!['get']!;
  const simulate = parameters.find(({ name }) => name === 'X-Laudio-Simulate');
  expect(simulate?.schema).toMatchObject({ examples: ['latency=1ms'] });
});
