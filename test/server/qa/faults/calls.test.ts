/** Faults of calls, as clients meet them: by rule, for test clients, until they are removed. */
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { builtInTestClient } from '../../../../server/index.ts';
import { dictated, examFields, startApi, succeeded } from '../../../support/api.ts';

const api = await startApi({ listen: true });
const { faults } = api.server;
const { list: listItems, ingest, events } = contract.worklists.endpoints;
const { token: tokenEndpoint, validate } = contract.oauth.endpoints;
const admin = contract.faults.endpoints;
afterEach(() => void faults.clear());

/** Not held against the document, in which no fault is described. */
const ask = (path: string, { method = 'GET', token = api.token as string | null, payload = '', headers = {} } = {}) =>
  api.server.inject({
    method: method as 'GET',
    url: path,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(payload !== '' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== '' && { payload }),
  });
const statuses = async (count: number, path: string = listItems.path): Promise<number[]> => {
  const found = [];
  for (let at = 0; at < count; at++) found.push((await ask(path)).statusCode);
  return found;
};
const itemCount = async () => succeeded(await api.call(listItems, { query: { limit: 200 } })).items.length;
const tokenRequest = (fields: Record<string, string>) =>
  api.server.inject({
    method: 'POST',
    url: tokenEndpoint.path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...testClient, ...fields }).toString(),
  });
const bearer = () => ({ authorization: `Bearer ${api.token}` });
const testClient = { client_id: builtInTestClient.client_id, client_secret: builtInTestClient.client_secret };

describe('an answer of one’s own', () => {
  const page = '<html>Maintenance</html>';

  test.each([
    ['a page', page, 'text/html; charset=utf-8'],
    ['JSON', '{"error":"x"}', 'application/json; charset=utf-8'],
    ['text', 'upstream connect error', 'text/plain; charset=utf-8'],
    ['nothing', '', 'text/plain; charset=utf-8'],
  ])('%s takes the place of the API’s, before anything is done', async (_, content, type) => {
    faults.add({ path: ingest.path, status: 418, content, headers: { 'X-Proxy': 'a', 'x-request-id': '' } });
    const before = await itemCount();
    const { statusCode, headers, body } = await ask(ingest.path, {
      method: 'POST',
      payload: JSON.stringify(examFields({ accession_number: 'OWN-1' })),
    });
    expect([statusCode, body, headers['content-type'], headers['x-proxy']]).toEqual([418, content, type, 'a']);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(content)));
    expect(headers).not.toHaveProperty('x-request-id');
    expect(await itemCount()).toBe(before);
    expect(faults.log().at(-1)?.effects).toEqual([
      'status=418',
      `content=${content.length} bytes`,
      'headers=X-Proxy x-request-id',
    ]);
  });

  test('without a status comes once the call is done, and headers alone change the real answer', async () => {
    faults.add({ name: 'done', path: ingest.path, content: page, headers: { 'Content-Type': 'text/plain' } });
    const before = await itemCount();
    faults.add({ name: 'odd', path: listItems.path, headers: { 'X-RateLimit-Remaining': 'many' } });
    const sent = await ask(ingest.path, {
      method: 'POST',
      payload: JSON.stringify(examFields({ accession_number: 'OWN-2' })),
    });
    expect([sent.statusCode, sent.body, sent.headers['content-type']]).toEqual([200, page, 'text/plain']);
    const listed = await ask(listItems.path);
    expect(listed.json<{ data: { items: unknown[] } }>().data.items).toHaveLength(before + 1);
    expect(listed.headers['x-ratelimit-remaining']).toBe('many');
  });

  test('goes with the status of its rule, and meets other effects', async () => {
    faults.add({ name: 'page', path: listItems.path, token: 'expired', content: page, body: 'partial:4' });
    faults.add({ name: 'busy', path: '/api/v1/jobs', status: 503 });
    faults.add({ name: 'other', path: '/api/v1/jobs', status: 500, content: page });
    const jobs = await ask('/api/v1/jobs');
    expect([jobs.statusCode, jobs.json<{ error: { code: string } }>().error.code]).toEqual([503, 'SERVER_BUSY']);
    const port = new URL(api.server.url).port;
    const list = await new Promise<[number | undefined, string]>((resolve) => {
      const request = httpRequest({ port, host: '127.0.0.1', path: listItems.path, headers: bearer() }, (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('close', () => resolve([answer.statusCode, body]));
        answer.on('error', () => undefined);
      });
      request.end();
    });
    expect(list).toEqual([401, page.slice(0, 4)]);
  });

  test.each([
    [{ status: 418 }, 'status', 'needs content'],
    [{ status: 304, content: 'x' }, 'content', 'has no body'],
    [{ headers: { 'Content-Length': '4' } }, 'headers', 'set by HTTP'],
    [{ headers: { 'a b': '4' } }, 'headers', 'not the name of a header'],
    [{ headers: { a: 'x\r\ny: z' } }, 'headers.a', 'of ASCII'],
    [{ content: 'x', job: 'fail' }, 'job', 'make two faults'],
    [{ status: 199, content: 'x' }, 'status', 'status'],
  ] as const)('%j is refused', (rule, field, said) => {
    expect(() => faults.add({ path: listItems.path, ...rule })).toThrow(
      expect.objectContaining({
        details: { errors: [expect.objectContaining({ field, message: expect.stringContaining(said) })] },
      }),
    );
  });
});

describe('which calls', () => {
  test.each([
    ['a path as the API writes it', { path: '/api/v1/jobs/{id}' }, [200, 503, 200]],
    ['a path as it comes', { path: '/api/v1/jobs/job_x' }, [200, 503, 200]],
    ['a part of a path', { path: '/api/v1/jobs/job_*' }, [200, 503, 200]],
    ['any parts of a path', { path: '/api/v1/j**' }, [503, 503, 200]],
    ['a method', { method: 'GET' }, [503, 503, 503]],
    ['another method', { method: 'POST' }, [200, 200, 200]],
    ['a client', { client_id: 'test_tc_local' }, [503, 503, 503]],
    ['another client', { client_id: 'test_tc_other' }, [200, 200, 200]],
  ] as const)('%s', async (_name, filter, expected) => {
    faults.add({ ...filter, status: 503 });
    const found = [];
    for (const path of ['/api/v1/jobs', '/api/v1/jobs/job_x', listItems.path]) found.push((await ask(path)).statusCode);
    expect(found.map((status) => (status === 404 ? 200 : status))).toEqual(expected);
  });

  test.each([
    ['nth', { nth: 2 }, [200, 503, 200, 200]],
    ['every nth', { every: 2 }, [200, 503, 200, 503]],
    ['so often at most', { times: 2 }, [503, 503, 200, 200]],
    ['never by chance', { probability: 0 }, [200, 200, 200, 200]],
    ['always by chance', { probability: 1 }, [503, 503, 503, 503]],
  ] as const)('%s', async (_name, when, expected) => {
    faults.add({ path: listItems.path, ...when, status: 503 });
    await ask('/api/v1/jobs');
    expect(await statuses(4)).toEqual(expected);
  });

  test('those of a real client only where the fault says so, loudly', async () => {
    const client = await api.createClient({ test_mode: false, space: 'hospital' });
    await api.createUser({ username: 'ana', password: 'correct horse', space: 'hospital' });
    const login = { username: 'ana', password: 'correct horse' };
    const { access_token: token } = await api.tokens({ client, login });
    faults.add({ name: 'for-tests', status: 503 });
    expect((await ask(listItems.path, { token })).statusCode).toBe(200);
    expect((await ask('/.well-known/oauth-authorization-server', { token: null })).statusCode).toBe(200);
    faults.add({ name: 'for-all', all_clients: true, status: 500 });
    expect(api.logged).toContainEqual({ level: 'warn', event: 'faults_added', faults: ['for-all'], all_clients: true });
    expect((await ask(listItems.path, { token })).statusCode).toBe(500);
    expect((await ask('/.well-known/oauth-authorization-server', { token: null })).statusCode).toBe(500);
  });

  test('never those of the operator, of monitors, and of whoever reads about the API', async () => {
    faults.add({ all_clients: true, cut: 'before' });
    for (const path of ['/healthz', '/readyz', '/openapi.json']) {
      expect((await ask(path, { token: null })).statusCode).toBe(200);
    }
    expect(succeeded(await api.call(admin.list)).items).toHaveLength(1);
    expect((await api.call(contract.inspector.endpoints.list)).status).toBe(200);
    expect(succeeded(await api.call(admin.clear)).items).toHaveLength(1);
  });
});

describe('effects', () => {
  test.each([
    [403, 'FORBIDDEN', undefined],
    [404, 'NOT_FOUND', undefined],
    [429, 'RATE_LIMIT_EXCEEDED', '7'],
    [500, 'INTERNAL_ERROR', undefined],
    [503, 'SERVER_BUSY', '7'],
  ] as const)('status %i, with the true envelope and headers, and nothing is done', async (status, code, wait) => {
    const before = await itemCount();
    faults.add({ status, ...(wait && { retry_after: 7 }) });
    const answer = await ask(ingest.path, { method: 'POST', payload: JSON.stringify(examFields()) });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, error: { code }, meta: { request_id: expect.any(String) } });
    expect(answer.headers['retry-after']).toBe(wait);
    if (status === 429) {
      expect(answer.headers).toMatchObject({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '7' });
    }
    faults.clear();
    expect(await itemCount()).toBe(before);
  });

  test.each([502, 504] as const)('status %i is a page of a proxy', async (status) => {
    faults.add({ status });
    const answer = await ask(listItems.path);
    expect(answer).toMatchObject({
      statusCode: status,
      headers: { 'content-type': expect.stringMatching(/^text\/html/) },
    });
    expect(answer.body).toContain('<html>');
  });

  test('at the token endpoint, errors are those of OAuth', async () => {
    const { refresh_token: refresh = '' } = await api.tokens();
    const refreshing = { grant_type: 'refresh_token', refresh_token: refresh };
    faults.add({ path: tokenEndpoint.path, times: 1, status: 429 });
    const limited = await tokenRequest(refreshing);
    expect(limited).toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } });
    expect(limited.json()).toMatchObject({ error: 'temporarily_unavailable' });
    faults.add({ path: '/api/oauth/*', method: 'POST', times: 1, status: 503 });
    expect((await tokenRequest(refreshing)).json()).toMatchObject({ error: 'server_error' });
    const basic = Buffer.from(`${testClient.client_id}:${testClient.client_secret}`).toString('base64');
    faults.add({ path: tokenEndpoint.path, client_id: testClient.client_id, times: 1, status: 500 });
    const byHeader = await api.server.inject({
      method: 'POST',
      url: tokenEndpoint.path,
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(refreshing).toString(),
    });
    expect(byHeader.statusCode).toBe(500);
    // Nothing was done: the refresh token is unused.
    expect((await tokenRequest(refreshing)).statusCode).toBe(200);
  });

  test('quota: a rate limit of that size, each client its own', async () => {
    faults.add({ quota: 2 });
    const answers = [await ask(listItems.path), await ask(listItems.path), await ask(listItems.path)];
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers['x-ratelimit-remaining']])).toEqual([
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
    expect(answers[2]!.json()).toMatchObject({ error: { details: { limit: 2, window: '1 minute', retry_after: 60 } } });
    expect(answers[2]!.headers).toMatchObject({ 'retry-after': '60', 'ratelimit-policy': '"default";q=2;w=60' });
    expect(faults.log({ fault: faults.list()[0]!.name })).toMatchObject([{ effects: ['quota=2'] }]);
    api.clock.advance(60_000);
    expect((await ask(listItems.path)).statusCode).toBe(200);
  });

  test('an expired token stays expired; the one that a refresh gives is good', async () => {
    const { access_token: token, refresh_token: refresh = '' } = await api.tokens();
    faults.add({ token: 'expired' });
    for (const path of [listItems.path, '/api/v1/jobs']) {
      const refused = await ask(path, { token });
      expect(refused.json()).toMatchObject({
        error: { code: 'UNAUTHORIZED', message: 'The access token has expired.' },
      });
      expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
    }
    const next = (await tokenRequest({ grant_type: 'refresh_token', refresh_token: refresh })).json<{
      access_token: string;
    }>();
    expect((await ask(listItems.path, { token: next.access_token })).statusCode).toBe(200);
    expect((await ask(listItems.path, { token })).statusCode).toBe(401);
    faults.clear();
    expect((await ask(listItems.path, { token })).statusCode).toBe(200);
  });

  test('a client that logs in by itself gets a good token for an expired one, too', async () => {
    const { client_id, client_secret } = await api.createClient({ test_mode: true, kind: 'server' });
    const logIn = async () =>
      (await tokenRequest({ client_id, client_secret, grant_type: 'client_credentials' })).json<{
        access_token: string;
      }>().access_token;
    const token = await logIn();
    faults.add({ token: 'expired' });
    expect((await ask(listItems.path, { token })).statusCode).toBe(401);
    expect((await ask(listItems.path, { token: await logIn() })).statusCode).toBe(200);
    expect((await ask(listItems.path, { token })).statusCode).toBe(401);
  });

  test('every fifth call finds its token expired, whichever that is', async () => {
    let { access_token: token, refresh_token: refresh = '' } = await api.tokens();
    faults.add({ profile: 'expired-token' });
    const found = [];
    for (let at = 0; at < 12; at++) {
      const { statusCode } = await ask(listItems.path, { token });
      found.push(statusCode);
      if (statusCode !== 401) continue;
      ({ access_token: token, refresh_token: refresh } = (
        await tokenRequest({ grant_type: 'refresh_token', refresh_token: refresh })
      ).json<{ access_token: string; refresh_token: string }>());
    }
    expect(found).toEqual([200, 200, 200, 200, 401, 200, 200, 200, 200, 401, 200, 200]);
  });

  test('a revoked token is revoked: its refresh token too, and for good', async () => {
    const { access_token: token, refresh_token: refresh = '' } = await api.tokens();
    faults.add({ token: 'revoked', times: 1 });
    expect((await ask(validate.path, { token })).json()).toMatchObject({
      error: { code: 'UNAUTHORIZED', message: 'The access token was revoked.' },
    });
    faults.clear();
    expect((await ask(validate.path, { token })).statusCode).toBe(401);
    const refused = await tokenRequest({ grant_type: 'refresh_token', refresh_token: refresh });
    expect(refused.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('cut %s: there is no answer, and the exam is there or not', async (cut, more) => {
    const before = await itemCount();
    faults.add({ method: 'POST', path: ingest.path, cut });
    const sent = fetch(api.server.url + ingest.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(examFields()),
    });
    await expect(sent).rejects.toThrow('fetch failed');
    expect((await itemCount()) - before).toBe(more);
  });

  test('an upload is cut before it is read', async () => {
    const generate = contract.records.endpoints.generate.path;
    const send = () => {
      const form = new FormData();
      form.set('audio', new Blob([new Uint8Array(300_000)]), 'a.wav');
      form.set('template_id', 'test_template_general');
      const headers = { authorization: `Bearer ${api.token}` };
      return fetch(api.server.url + generate, { method: 'POST', headers, body: form });
    };
    faults.add({ path: generate, cut: 'before' });
    await expect(send()).rejects.toThrow('fetch failed');
    faults.clear();
    expect((await send()).status).toBe(415);
  });

  test('a transport of this process loses its connection as well', async () => {
    faults.add({ cut: 'after', path: listItems.path });
    const call = () =>
      api.server.transport({
        method: 'GET',
        url: `http://localhost${listItems.path}`,
        headers: { authorization: `Bearer ${api.token}` },
      });
    await expect(call()).rejects.toMatchObject({ code: 'NETWORK', message: expect.stringContaining('cut') });
    faults.clear();
    faults.add({ body: 'partial', path: listItems.path });
    await expect(call().then((answer) => answer.text(1e6))).rejects.toMatchObject({ code: 'NETWORK' });
  });
});

describe('bodies', () => {
  const over = (path: string) => fetch(api.server.url + path, { headers: { authorization: `Bearer ${api.token}` } });

  test('partial: the whole is announced, half of it comes', async () => {
    faults.add({ body: 'partial' });
    const answer = await over(listItems.path);
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100);
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  test('malformed: it is no JSON, though it ends well', async () => {
    faults.add({ body: 'malformed' });
    const text = await (await over(listItems.path)).text();
    expect(text).toMatch(/^\{"success":true/);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  test('slow: all of it comes, in time', async () => {
    faults.add({ body: 'slow:40ms' });
    const begun = api.clock.elapsed();
    let isOver = false;
    const answer = over(listItems.path)
      .then((response) => response.json())
      .finally(() => (isOver = true));
    while (!isOver) {
      api.clock.advance(1);
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect(await answer).toMatchObject({ success: true });
    expect(api.clock.elapsed() - begun).toBeGreaterThanOrEqual(40);
    expect(faults.log().at(-1)).toMatchObject({ effects: ['body=slow:40ms'] });
  });

  test('a file breaks off too, and errors can be malformed', async () => {
    const { id } = await api.generate();
    const file = `${contract.records.endpoints.export.path.replace('{id}', id)}?format=txt`;
    const whole = (await (await over(file)).arrayBuffer()).byteLength;
    faults.add({ path: contract.records.endpoints.export.path, body: 'partial:10' });
    await expect(over(file).then((answer) => answer.arrayBuffer())).rejects.toThrow();
    faults.clear();
    faults.add({ path: contract.records.endpoints.export.path, body: 'malformed' });
    const short = (await (await over(file)).arrayBuffer()).byteLength;
    expect(short).toBe(whole >> 1);
    faults.clear();
    faults.add({ status: 503, body: 'malformed' });
    const broken = await over(file);
    expect(broken.status).toBe(503);
    await expect(broken.json()).rejects.toThrow();
  });

  test('a stream of events ends after as many as it says', async () => {
    faults.add({ path: events.path, body: 'partial:2' });
    const heard: string[] = [];
    let created: Promise<void> | undefined;
    const ended = new Promise<void>((resolve) => {
      httpRequest(api.server.url + events.path, { headers: { authorization: `Bearer ${api.token}` } }, (answer) => {
        answer.setEncoding('utf8').on('data', (text: string) => heard.push(text));
        answer.once('close', resolve).once('error', () => resolve());
        created = (async () => {
          for (let at = 0; at < 5; at++) await api.exam();
        })();
      }).end();
    });
    await ended;
    // The faults of the next test must not strike what this one still asks.
    await created;
    expect(heard.join('').match(/^event: item$/gm)).toHaveLength(2);
  });
});

describe('several faults', () => {
  test('each effect happens, of one kind that of the first', async () => {
    faults.add({ name: 'busy', status: 503 });
    faults.add({ name: 'late', latency: '0' });
    faults.add({ name: 'broken', status: 500 });
    expect((await ask(listItems.path)).statusCode).toBe(503);
    expect(faults.list().map(({ name, seen, struck }) => [name, seen, struck])).toEqual([
      ['busy', 1, 1],
      ['late', 1, 1],
      ['broken', 1, 0],
    ]);
    const [call] = succeeded(await api.call(contract.inspector.endpoints.list)).items;
    expect(call).toMatchObject({ fault: 'busy, late', decision: 'SERVER_BUSY' });
  });

  test('the header goes before them, for its own call', async () => {
    faults.add({ status: 503 });
    const answer = await ask(listItems.path, { headers: { 'x-laudio-simulate': 'status=500' } });
    expect(answer.statusCode).toBe(500);
  });
});

describe('requests that a removed fault delays continue', () => {
  test.each([
    ['latency', { latency: '10min' }],
    ['a slow body', { body: 'slow:10min' }],
  ] as const)('%s', async (_name, effect) => {
    // Of this path alone: what the test itself asks meanwhile is not to be held up, nor counted.
    faults.add({ name: 'held', path: listItems.path, ...effect });
    const answer = ask(listItems.path);
    while (faults.list()[0]!.struck === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(succeeded(await api.call(admin.remove, { params: { name: 'held' } })).items).toMatchObject([
      { name: 'held', struck: 1 },
    ]);
    expect((await answer).json()).toMatchObject({ success: true });
  });

  test('a server that stops waits for none', async () => {
    // A call in the process is no connection that a stop waits for, so that its reads must not come late.
    const other = await startApi({ faults: [{ path: listItems.path, latency: '10min' }], isPrompt: true });
    const answer = other.server.inject({ url: listItems.path, headers: { authorization: `Bearer ${other.token}` } });
    while (other.server.faults.list()[0]!.struck === 0) await new Promise((resolve) => setImmediate(resolve));
    await other.close();
    expect((await answer).statusCode).toBe(200);
  });
});

describe('jobs', () => {
  const ended = async (id: string) => (await api.ended(id)).status;

  test('each second fails, with the code that the fault says', async () => {
    faults.add({ name: 'fails', every: 2, job: 'fail:ENGINE_UNAVAILABLE' });
    await api.generate({ text: dictated });
    const [first, second] = [await api.enqueue(), await api.enqueue()];
    expect(await ended(first.id)).toBe('completed');
    expect(await api.ended(second.id)).toMatchObject({ status: 'failed', error: { code: 'ENGINE_UNAVAILABLE' } });
    expect(faults.log({ fault: 'fails' })).toMatchObject([{ of: 'job', path: '/api/v1/medical-records/generate' }]);
  });

  test('a stuck one stays in progress until it is cancelled, or the fault is removed', async () => {
    faults.add({ name: 'stuck', job: 'stuck' });
    const [first, second] = [await api.enqueue(), await api.enqueue()];
    const { get, cancel } = contract.jobs.endpoints;
    const statusOf = async (id: string) => succeeded(await api.call(get, { params: { id } })).status;
    for (const { id } of [first, second]) {
      while ((await statusOf(id)) === 'queued') await new Promise((resolve) => setImmediate(resolve));
    }
    api.clock.advance(24 * 3600_000);
    const { access_token: token } = await api.tokens();
    const now = async (id: string) => succeeded(await api.call(get, { params: { id }, token })).status;
    expect([await now(first.id), await now(second.id)]).toEqual(['in_progress', 'in_progress']);
    expect((await api.call(cancel, { params: { id: first.id }, token })).status).toBe(200);
    faults.remove('stuck');
    expect((await api.ended(second.id, { token })).status).toBe('completed');
    expect(await now(first.id)).toBe('cancelled');
  });
});
