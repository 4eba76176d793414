/** Garbage to every endpoint of the contract: the right refusal each time, and nothing stored of it. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { dictated, startApi } from '../../support/api.ts';
import type { Answer } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { everyEndpoint, someParams, takesJson } from './endpoints.ts';
import { audioPart, multipart, multipartType } from './multipart.ts';
import type { Part } from './multipart.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'laudio-test-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const api = await startApi({ dataDir });
const noScopes = (await api.tokens({ client: await api.createClient({ test_mode: true }), scopes: ['jobs:read'] }))
  .access_token;
const noJobs = (await api.tokens({ scopes: ['worklists:read'] })).access_token;

/** Documents by collection, and the files of the audio. */
const stored = async () => ({ documents: await api.stored(), audio: await readdir(join(dataDir, 'audio')) });
const before = await stored();
afterAll(async () => expect(await stored(), 'stored of a refused request').toEqual(before));

const isOAuth = (endpoint: Endpoint): boolean => endpoint.access === 'client';
const withBody = everyEndpoint.filter(({ endpoint }) => endpoint.body && !isOAuth(endpoint) && takesJson(endpoint));
const forms = everyEndpoint.filter(({ endpoint }) => isOAuth(endpoint));
/** Those of a recording alone: recordings.test.ts. */
const withAudio = everyEndpoint.filter(({ endpoint }) => endpoint.takesAudio && takesJson(endpoint));
const guarded = everyEndpoint.filter(({ endpoint }) => endpoint.access === 'bearer' || endpoint.access === 'admin');

const send = (endpoint: Endpoint, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
  api.call(endpoint, { params: someParams(endpoint), body, headers });
const refused = (answer: Answer, status: number, code: string): void =>
  expect([answer.status, answer.error?.code], answer.text).toEqual([status, code]);

describe('Without the right to it', () => {
  test.each(guarded)('$name without a token: 401', async ({ endpoint }) => {
    for (const token of [null, 'wrong', '']) {
      const answer = await api.call(endpoint, { params: someParams(endpoint), token });
      refused(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="laudio"/);
      expect(answer.error.details['hint']).toMatch(/\w/);
    }
  });

  test.each(guarded.filter(({ endpoint }) => endpoint.scope))(
    '$name with another scope: 403 with details',
    async ({ endpoint }) => {
      const token = endpoint.scope === 'jobs:read' ? noJobs : noScopes;
      const answer = await api.call(endpoint, { params: someParams(endpoint), token });
      refused(answer, 403, 'INSUFFICIENT_SCOPE');
      expect(answer.error.details).toMatchObject({
        required_scope: endpoint.scope,
        granted_scopes: [endpoint.scope === 'jobs:read' ? 'worklists:read' : 'jobs:read'],
      });
    },
  );

  test.each(guarded)('$name with the other kind of token: 401', async ({ endpoint }) => {
    const token = endpoint.access === 'admin' ? api.token : api.server.adminToken;
    refused(await api.call(endpoint, { params: someParams(endpoint), token }), 401, 'UNAUTHORIZED');
  });
});

describe('Another method', () => {
  const byPath = Map.groupBy(everyEndpoint, ({ endpoint }) => endpoint.path);
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'] as const;
  test.each([...byPath].map(([path, endpoints]) => ({ path, endpoints })))(
    '$path: 405 with Allow',
    async ({ path, endpoints }) => {
      const taken = endpoints.map(({ endpoint }) => endpoint.method as string);
      const url = path.replace('{n}', '1').replaceAll(/\{\w+\}/g, 'some_id');
      // What is no `generate` may be the id of a record.
      const asId = path.endsWith('/generate') ? ['GET', 'PUT', 'DELETE'] : [];
      for (const method of methods.filter((name) => !taken.includes(name) && !asId.includes(name))) {
        const answer = await api.send({ method, url });
        expect(answer.status, method).toBe(405);
        expect(answer.headers['allow']?.split(', ').filter((name) => name !== 'HEAD')).toEqual(taken);
        if (isOAuth(endpoints[0]!.endpoint)) expect(answer.json).toMatchObject({ error: 'invalid_request' });
        else refused(answer, 405, 'METHOD_NOT_ALLOWED');
      }
    },
  );
});

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const deepObject = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe.each(withBody)('The body of $name', ({ endpoint }) => {
  test.each(['{', '{"text": ', 'text', '{"a":1}}', '{"a":1,}', "{'a':1}", 'NaN', '\u0000', '[1', '{"a":"\n"}'])(
    'not JSON: %j',
    async (body) => {
      refused(await send(endpoint, body), 400, 'INVALID_JSON');
    },
  );

  test.each(['[]', '"text"', '1', 'null', 'true', '[[]]', '[null]'])('of the wrong type: %s', async (body) => {
    const answer = await send(endpoint, body);
    refused(answer, 400, 'VALIDATION_FAILED');
    expect(answer.error.details.errors.length).toBeGreaterThan(0);
  });

  test.each([deep(100), deepObject(100), `{"metadata":${deepObject(100)}}`, deep(10_000)])(
    'nested too deep',
    async (body) => {
      refused(await send(endpoint, body), 400, 'VALIDATION_FAILED');
    },
  );

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'nonsense',
    'application/json-patch+json',
  ])('as %s', async (type) => {
    const answer = await send(endpoint, '{}', { 'content-type': type });
    refused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(answer.error.details['supported']).toEqual(endpoint.bodyTypes ?? ['application/json']);
  });

  test('without a content type', async () => {
    const url = endpoint.path.replaceAll(/\{\w+\}/g, 'some_id');
    const token = endpoint.access === 'admin' ? api.server.adminToken : api.token;
    const request = { method: endpoint.method, url, headers: { authorization: `Bearer ${token}` } };
    refused(await api.send({ ...request, payload: '{}' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    const answer = await api.send(request);
    // Where a body is optional, the call fails by what it names instead.
    if (endpoint.bodyIsOptional) refused(answer, 404, 'NOT_FOUND');
    else refused(answer, 400, 'VALIDATION_FAILED');
  });

  test('as a form with a file, where audio is not taken', async () => {
    if (endpoint.takesAudio) return;
    refused(
      await send(endpoint, multipart([audioPart(wav())]), { 'content-type': multipartType }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
  });

  test.each(['', '   ', '\n'])('empty: %j', async (body) => {
    refused(await send(endpoint, body, { 'content-type': 'application/json' }), 400, 'INVALID_JSON');
  });

  test('not UTF-8', async () => {
    refused(await send(endpoint, Buffer.from('{"text":"\xe7\xe3o"}', 'latin1')), 400, 'INVALID_JSON');
  });

  test.each(['{"__proto__":{"status":"final"}}', '{"metadata":{"__proto__":{}}}', '[{"__proto__":{}}]'])(
    '%s',
    async (body) => {
      refused(await send(endpoint, body), 400, 'INVALID_JSON');
      expect(({} as { status?: string }).status).toBeUndefined();
    },
  );

  test('too large', async () => {
    const limit = endpoint.takesAudio ? 4_000_000 : (endpoint.bodyLimit ?? 1024 * 1024);
    const answer = await send(endpoint, JSON.stringify({ text: 'x'.repeat(limit) }));
    refused(answer, 413, 'PAYLOAD_TOO_LARGE');
    expect(answer.error.details).toEqual({ limit_bytes: limit });
  });

  test('of more values than are worth looking at', async () => {
    const values = Math.min(205_000, (endpoint.bodyLimit ?? 1024 * 1024) / 3 - 100);
    for (const body of [`[${'{},'.repeat(values)}{}]`, `{"metadata":{"a":[${'[],'.repeat(values)}1]}}`]) {
      const answer = await send(endpoint, body);
      refused(answer, 413, 'PAYLOAD_TOO_LARGE');
      expect(answer.error.details).toMatchObject({ limit_items: 200_000 });
    }
    const quoted = JSON.stringify({ nonsense: ',:{["\\'.repeat(values / 3) });
    expect((await send(endpoint, quoted)).status, 'text is no value').not.toBe(413);
  });

  test('with a field that there is not', async () => {
    // Worklist items keep such fields, and FHIR resources may have them: their bodies are not closed.
    const { worklists, fhir } = contract;
    const open: readonly string[] = [worklists.endpoints.ingest.path, fhir.endpoints.subscribe.path];
    if (open.includes(endpoint.path) || endpoint.path === fhir.endpoints.resubscribe.path) return;
    const answer = await send(endpoint, '{"nonsense":1,"constructor":2}');
    refused(answer, 400, 'VALIDATION_FAILED');
    const unknown = answer.error.details.errors
      .filter(({ code }) => code === 'UNKNOWN_FIELD')
      .map(({ field }) => field);
    expect(unknown).toEqual(['nonsense', 'constructor']);
  });
});

test.each(guarded.filter(({ endpoint }) => !endpoint.body && endpoint.method === 'DELETE'))(
  '$name with a content type and no body is as without',
  async ({ endpoint }) => {
    const params = someParams(endpoint);
    const without = await api.call(endpoint, { params });
    const answer = await api.call(endpoint, { params, headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.error?.code]).toEqual([without.status, without.error?.code]);
  },
);

describe.each(forms)('The form of $name', ({ endpoint }) => {
  test.each([
    ['JSON', '{}', 'application/json', 415],
    ['text', 'a=b', 'text/plain', 415],
    ['multipart', multipart([]), multipartType, 415],
    ['empty', '', 'application/x-www-form-urlencoded', 401],
    ['a parameter twice', 'client_id=a&client_id=b', 'application/x-www-form-urlencoded', 400],
    ['broken escapes', 'client_id=%zz&client_secret=%', 'application/x-www-form-urlencoded', 401],
    ['__proto__', '__proto__=x', 'application/x-www-form-urlencoded', 401],
    ['too large', `client_id=${'x'.repeat(1024 * 1024)}`, 'application/x-www-form-urlencoded', 413],
  ])('%s: the error of RFC 6749', async (_name, body, type, status) => {
    const answer = await api.call(endpoint, { body, headers: { 'content-type': type } });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.json['error']).toBe(status === 401 ? 'invalid_client' : 'invalid_request');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('no body at all', async () => {
    const answer = await api.send({ method: endpoint.method, url: endpoint.path });
    expect(answer).toMatchObject({ status: 401, json: { error: 'invalid_client' } });
  });
});

describe.each(withAudio)('The audio of $name', ({ endpoint }) => {
  const asForm = (parts: readonly Part[]) => send(endpoint, multipart(parts), { 'content-type': multipartType });
  const text = Buffer.from('This is no audio at all, it is text. '.repeat(200));
  const supported = ['audio/wav', 'audio/webm', 'audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/flac'];

  test('that is text: 415 with supported', async () => {
    for (const answer of [
      await asForm([audioPart(text)]),
      await asForm([audioPart(Buffer.from('short'), 'audio/wav')]),
      await send(endpoint, JSON.stringify({ audio: { content_type: 'audio/wav', data: text.toString('base64') } })),
    ]) {
      refused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(answer.error.details['supported']).toEqual(supported);
    }
  });

  test('that is empty: 400', async () => {
    refused(await asForm([audioPart(Buffer.alloc(0))]), 400, 'VALIDATION_FAILED');
    refused(
      await send(endpoint, JSON.stringify({ audio: { content_type: 'audio/wav', data: '' } })),
      400,
      'VALIDATION_FAILED',
    );
  });

  test.each([1, 60, 200, 4000, 16_100])('cut off after %s bytes of its form: 400', async (length) => {
    const whole = multipart([{ name: 'mode', value: 'sync' }, audioPart(wav())]);
    refused(
      await send(endpoint, whole.subarray(0, length), { 'content-type': multipartType }),
      400,
      'VALIDATION_FAILED',
    );
  });

  test('cut off in its JSON: 400', async () => {
    const whole = JSON.stringify({ audio: { content_type: 'audio/wav', data: wav().toString('base64') } });
    for (const length of [whole.length - 1, whole.length - 3, 5000, 45]) {
      refused(await send(endpoint, whole.slice(0, length)), 400, 'INVALID_JSON');
    }
  });

  const onlyWhereRecordsAreMade = endpoint.path === contract.records.endpoints.generate.path;
  test.each([
    ['both text and audio', [{ name: 'text', value: dictated }, audioPart(wav())]],
    ['neither', [{ name: 'mode', value: 'sync' }]],
    ['two files', [audioPart(wav()), audioPart(wav())]],
    ['a file of another name', [{ ...audioPart(wav()), name: 'file' }]],
    ['a field twice', [{ name: 'mode', value: 'sync' }, { name: 'mode', value: 'sync' }, audioPart(wav())]],
    ['an unknown field', [{ name: 'nonsense', value: 'x' }, audioPart(wav())]],
    ['__proto__', [{ name: '__proto__', value: 'x' }, audioPart(wav())]],
    ['too many fields', Array.from({ length: 40 }, (_, at) => ({ name: `f${at}`, value: '' }))],
    ['metadata that is no JSON', [{ name: 'metadata', value: '{' }, audioPart(wav())]],
    ['an unknown mode', [audioPart(wav()), { name: 'mode', value: 'later' }]],
  ] as [string, Part[]][])('%s: 400', async (name, parts) => {
    const answer = await asForm(parts);
    // Whether there is such a record is looked at before what is to be changed in it.
    const beyondTheForm = !onlyWhereRecordsAreMade && (name === 'both text and audio' || name === 'neither');
    refused(answer, beyondTheForm ? 404 : 400, beyondTheForm ? 'NOT_FOUND' : 'VALIDATION_FAILED');
  });

  test('a form without its boundary: 400', async () => {
    refused(
      await send(endpoint, multipart([audioPart(wav())]), { 'content-type': 'multipart/form-data' }),
      400,
      'VALIDATION_FAILED',
    );
  });
});

describe('Addresses', () => {
  const withParams = everyEndpoint.filter(({ endpoint }) => endpoint.params);
  const badIds = [
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    'a%20b',
    '%00',
    '%',
    '%ff',
    'x'.repeat(65),
    'x'.repeat(300),
    '<script>',
    'ç',
    "';--",
  ];
  const typeOf = ({ bodyTypes = ['application/json'] }: Endpoint): string => bodyTypes[0]!;
  test.each(withParams)('$name with ids that are none', async ({ endpoint }) => {
    const token = endpoint.access === 'admin' ? api.server.adminToken : api.token;
    const url = (id: string) => endpoint.path.replace('{n}', '1').replaceAll(/\{\w+\}/g, id);
    // Who has no secret of what the id names does not hear whether there is any such thing.
    const isSecret = endpoint.access === 'public' && endpoint.errors?.includes('UNAUTHORIZED');
    for (const id of badIds) {
      // Whoever reads the address resolves dots, which may lead to another call.
      if (/^(?:%2e)+$/i.test(id) && endpoint.path.includes('}/')) continue;
      const request = {
        method: endpoint.method,
        url: url(id),
        headers: { authorization: `Bearer ${token}`, 'content-type': typeOf(endpoint) },
      };
      const { status, error } = await api.send({ ...request, ...(endpoint.body && { payload: '{}' }) });
      expect([400, 404, ...(isSecret ? [401] : [])], `${id}: ${status}`).toContain(status);
      const codes = ['VALIDATION_FAILED', 'NOT_FOUND', 'INVALID_JSON', ...(isSecret ? ['UNAUTHORIZED'] : [])];
      expect(codes).toContain(error.code);
    }
  });

  test.each(['0', '-1', '1.5', 'x', '1e9', '99999999999999999999'])('version %s of a record', async (n) => {
    const { version } = contract.records.endpoints;
    expect([400, 404]).toContain((await api.call(version, { params: { id: 'rec_1', n } })).status);
  });

  const filters = {
    status: 'nonsense',
    from: '02/03/2026',
    to: '2026-02-30',
    worklist_item_id: 'a b',
    type: 'x',
    language: 'xx',
    format: 'doc',
    q: '',
    limit: 'x',
    cursor: '',
  };
  const queried = everyEndpoint.filter(({ endpoint }) => endpoint.query && endpoint.access !== 'public');
  test.each(queried)('$name with bad values in its query', async ({ endpoint }) => {
    for (const name of Object.keys(endpoint.query?.properties ?? {}).filter((each) => each in filters)) {
      const query = { [name]: filters[name as keyof typeof filters] };
      const answer = await api.call(endpoint, { params: someParams(endpoint), query });
      refused(answer, 400, 'VALIDATION_FAILED');
      expect(answer.error.details.errors.map(({ field }) => field)).toContain(name);
      const twice = await api.send({
        method: endpoint.method,
        url: `${endpoint.path.replaceAll(/\{\w+\}/g, 'some_id')}?${name}=a&${name}=b`,
        headers: { authorization: `Bearer ${endpoint.access === 'admin' ? api.server.adminToken : api.token}` },
      });
      refused(twice, 400, 'VALIDATION_FAILED');
    }
  });
});
