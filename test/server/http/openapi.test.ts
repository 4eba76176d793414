/** `/openapi.json`: valid for an independent validator, the whole contract and nothing else, with examples that hold. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { createValidation } from '../../../server/runtime/validation.ts';
import { buildAddress } from '../../../src/client/address.ts';
import { isEventStream } from '../../../src/contract/endpoint.ts';
import { eventTypeNames } from '../../../src/contract/events.ts';
import { createWebhookSecret, signedHeaders } from '../../../src/node/http/webhook-signature.ts';
import { startApi } from '../../support/api.ts';
import { createConformance, resolved } from '../../support/conformance.ts';
import type { MediaType, Operation } from '../../support/conformance.ts';
import { everyEndpoint, someParams, takesJson } from './endpoints.ts';

const api = await startApi();
const { document } = api;
const compile = createValidation();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

/** Section 4 of the specification, line by line. */
const specified = [
  'GET /api/oauth/authorize',
  'POST /api/oauth/token',
  'POST /api/oauth/revoke',
  'GET /api/oauth/validate',
  'POST /api/v1/worklists/ingest',
  'PATCH /api/v1/worklists/items/{id}',
  'POST /api/v1/medical-records/generate',
  'GET /api/v1/medical-records',
  'GET /api/v1/medical-records/{id}',
  'PUT /api/v1/medical-records/{id}',
  'DELETE /api/v1/medical-records/{id}',
  'POST /api/v1/medical-records/{id}/correct',
  'GET /api/v1/jobs',
  'GET /api/v1/jobs/{id}',
  'GET /api/v1/jobs/{id}/logs',
  'GET /api/v1/jobs/{id}/result',
  'DELETE /api/v1/jobs/{id}',
];

describe('The document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const outcome = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
    expect(outcome.valid, JSON.stringify(outcome, null, 2)).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  test('has every endpoint of the contract and nothing else', () => {
    expect(operations.map(({ name }) => name).toSorted()).toEqual(everyEndpoint.map(({ name }) => name).toSorted());
  });

  test('has what the specification names, and marks all else as x-extension', () => {
    const own = operations.filter(({ operation }) => operation['x-extension'] === undefined).map(({ name }) => name);
    expect(own.toSorted()).toEqual(specified.toSorted());
    for (const { operation } of operations) expect([undefined, true]).toContain(operation['x-extension']);
  });

  test('has one operationId each', () => {
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  test('every parameter of a path is declared', () => {
    for (const { name, operation } of operations) {
      const declared = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name);
      expect(declared, name).toEqual([...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
    }
  });

  test('every component is used, and every reference leads somewhere', () => {
    const used = new Set(
      [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name),
    );
    expect([...used].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
  });

  test('every header and every scheme of the components is used', () => {
    const text = JSON.stringify(document);
    const { headers, securitySchemes } = document.components;
    expect(Object.keys(headers).filter((name) => !text.includes(`"#/components/headers/${name}"`))).toEqual([]);
    const used = operations.flatMap(({ operation }) => (operation.security ?? []).flatMap((one) => Object.keys(one)));
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(securitySchemes).toSorted());
  });

  test('is what /openapi.json serves, to anybody', async () => {
    const answer = await api.send({ url: '/openapi.json' });
    expect(answer.json).toEqual(document);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });
});

test('/docs shows each event with its body, and no table without a line', async () => {
  const { text } = await api.send({ url: '/docs' });
  for (const type of eventTypeNames) {
    const [, shown] = text.split(`<article id="webhook.${type}">`);
    expect(shown?.split('</article>', 1)[0]).toContain('href="#schema.WebhookEvent"');
  }
  expect(text).not.toMatch(/<tbody>\s*<\/tbody>/);
});

describe('Examples', () => {
  const mediaTypes = (operation: Operation): MediaType[] => [
    ...Object.values(operation.requestBody?.content ?? {}),
    ...Object.values(operation.responses).flatMap(({ content }) => Object.values(content ?? {})),
  ];
  const examples = operations.flatMap(({ name, operation }) =>
    mediaTypes(operation).flatMap(({ schema, examples: given }) =>
      Object.entries(given ?? {}).map(([title, { value }]) => ({ name: `${name}: ${title}`, schema, value })),
    ),
  );

  test.each(examples)('$name', ({ schema, value }) => {
    expect(compile(resolved(document, schema))(structuredClone(value))).toEqual([]);
  });

  test('there are some', () => expect(examples.length).toBeGreaterThanOrEqual(8));
});

describe('Statuses: each is described where it happens, and nowhere else', () => {
  /** Requests that any operation gets, and the status with which only some refuse them. */
  const provocations: readonly {
    readonly name: string;
    readonly status: number;
    readonly ask: { readonly headers?: Record<string, string>; readonly payload?: string };
    readonly token?: false;
  }[] = [
    { name: 'a foreign Origin', status: 403, ask: { headers: { origin: 'https://elsewhere.example' } } },
    { name: 'no token', status: 401, ask: {}, token: false },
    { name: 'another type of body', status: 415, ask: { headers: { 'content-type': 'image/png' }, payload: 'x' } },
    {
      name: 'a body that is too large',
      status: 413,
      ask: { headers: { 'content-type': 'application/json', 'content-length': '999999999999' }, payload: '{}' },
    },
    { name: 'a simulation', status: 503, ask: { headers: { 'x-laudio-simulate': 'status=503' } } },
    { name: 'two Hosts in one', status: 403, ask: { headers: { host: 'rebound.example' } } },
  ];
  const cases = everyEndpoint.flatMap(({ name, endpoint }) =>
    provocations
      // The restore and the seed read a body of any length; a stream that does not end cannot be awaited.
      .filter(({ status }) => !(status === 413 && !takesJson(endpoint)))
      .filter(({ status }) => !(isEventStream(endpoint) && ![401, 403, 503].includes(status)))
      // A simulation comes after the checks of the input.
      .filter(({ status }) => status !== 503 || (!endpoint.body && !endpoint.query?.required?.length))
      .filter(({ status }) => !(isEventStream(endpoint) && status === 503 && endpoint.access !== 'bearer'))
      .map((provocation) => ({ name: `${name}: ${provocation.name}`, endpoint, provocation })),
  );

  test.each(cases)('$name', async ({ endpoint, provocation: { status, ask, token } }) => {
    const bearer = { bearer: api.token, admin: api.server.adminToken, client: undefined, public: undefined };
    const credentials = token === false ? undefined : bearer[endpoint.access];
    const answer = await api.send({
      method: endpoint.method,
      url: buildAddress('', endpoint.path, { params: someParams(endpoint) }),
      headers: { ...(credentials !== undefined && { authorization: `Bearer ${credentials}` }), ...ask.headers },
      ...(ask.payload !== undefined && { payload: ask.payload }),
    });
    const { responses } = document.paths[endpoint.path]![endpoint.method.toLowerCase()]!;
    const isOwn = status !== 503 || endpoint.access === 'bearer';
    if (isOwn) expect(answer.status === status).toBe(status in responses);
    else expect(answer.status).not.toBe(503);
  });
});

describe('Webhooks', () => {
  test('there is one for each event, with the headers that are signed', () => {
    const signed = signedHeaders({ id: 'dlv_1', timestamp: 1, body: '{}' }, [createWebhookSecret()]);
    expect(Object.keys(document.webhooks)).toEqual(eventTypeNames);
    for (const { post } of Object.values(document.webhooks)) {
      expect(post.parameters?.map(({ name }) => name)).toEqual(Object.keys(signed));
      for (const { name, schema } of post.parameters ?? []) expect(compile(schema)(signed[name])).toEqual([]);
    }
  });

  test.each(eventTypeNames)('%s takes its own event, and no other', (type) => {
    const { schema } = document.webhooks[type]!.post.requestBody!.content['application/json']!;
    const check = compile(resolved(document, schema));
    const event = { type, timestamp: '2026-03-02T11:30:00.000Z', data: {} };
    expect(check(event)).toEqual([]);
    expect(check({ ...event, type: eventTypeNames.find((other) => other !== type) })).not.toEqual([]);
  });
});

describe('Descriptions', () => {
  test.each(operations)('$name: each parameter has one, headers included', ({ operation }) => {
    const bare = (operation.parameters ?? []).filter(({ description }) => !/^\S+ .+\.$/.test(description ?? ''));
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  test('each operation and each component has one', () => {
    expect(operations.filter(({ operation }) => !operation.description).map(({ name }) => name)).toEqual([]);
    const bare = Object.entries(document.components.schemas).filter(([, { description }]) => !description);
    expect(bare.map(([name]) => name)).toEqual([]);
  });
});

describe('Holding answers against it', () => {
  const conformance = createConformance(document);
  const path = '/api/v1/jobs';
  const id = 'req_1';
  const headers = {
    'content-type': 'application/json',
    'x-request-id': id,
    'x-processing-time': '2',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  const meta = { request_id: id, timestamp: '2026-03-02T11:30:00.000Z', processing_time_ms: 2 };
  const good = { success: true, data: { items: [], next_cursor: null }, meta };
  const observed = (body: unknown, changes: object = {}) =>
    conformance({ method: 'GET', path, status: 200, headers, body: JSON.stringify(body), ...changes });

  test('finds nothing where there is nothing', () => {
    expect(observed(good)).toEqual([]);
  });

  test.each([
    ['an undeclared field', { ...good, data: { ...good.data, extra: 1 } }, {}],
    ['a missing field', { ...good, data: { items: [] } }, {}],
    ['a wrong type', { ...good, data: { items: {}, next_cursor: null } }, {}],
    ['another request id', { ...good, meta: { ...meta, request_id: 'req_2' } }, {}],
    ['another processing time', { ...good, meta: { ...meta, processing_time_ms: 3 } }, {}],
    ['a status that is not described', good, { status: 201 }],
    [
      'an error that is not described',
      { success: false, error: { code: 'TEAPOT', message: 'x' }, meta: { request_id: id, timestamp: meta.timestamp } },
      { status: 418 },
    ],
    ['no X-Request-Id', good, { headers: { ...headers, 'x-request-id': undefined } }],
    ['no X-Processing-Time', good, { headers: { ...headers, 'x-processing-time': undefined } }],
    ['a header that is not described', good, { headers: { ...headers, etag: '"1"' } }],
    ['a header of another form', good, { headers: { ...headers, 'x-ratelimit-limit': 'many' } }],
    ['another media type', good, { headers: { ...headers, 'content-type': 'text/plain' } }],
    ['an open door to other origins', good, { headers: { ...headers, 'access-control-allow-origin': '*' } }],
    ['no ETag of a version', '', { method: 'HEAD', path: '/api/v1/medical-records/rec_1', body: '' }],
  ])('finds %s', (_name, body, changes) => {
    expect(observed(body, changes)).not.toEqual([]);
  });
});
