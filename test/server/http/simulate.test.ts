/** The contract's QA controls: `X-Laudio-Simulate`, for test clients only. */
import { describe, expect, test, vi } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { dictated, examFields, startApi, succeeded } from '../../support/api.ts';

const api = await startApi();
const { ingest, list: listItems } = contract.worklists.endpoints;
const { validate } = contract.oauth.endpoints;
const { generate } = contract.records.endpoints;
const simulating = (value: string) => ({ headers: { 'x-laudio-simulate': value } });
/** The next time that somebody asks the clock to be woken. */
const scheduled = (): Promise<void> =>
  new Promise((resolve) => {
    const { schedule } = api.clock;
    vi.spyOn(api.clock, 'schedule').mockImplementationOnce((at, task) => {
      resolve();
      return schedule(at, task);
    });
  });
const itemCount = async () => succeeded(await api.call(listItems, { query: { limit: 200 } })).items.length;

describe('X-Laudio-Simulate', () => {
  test('latency=MS: the answer waits so long', async () => {
    let answered = false;
    const waiting = scheduled();
    const answer = api.call(validate, simulating('latency=1500ms')).finally(() => (answered = true));
    await waiting;
    api.clock.advance(1499);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    api.clock.advance(1);
    const { status, headers, json } = await answer;
    expect(status).toBe(200);
    expect(headers['x-processing-time']).toBe('1500');
    expect(json['meta']).toMatchObject({ processing_time_ms: 1500 });
  });

  test.each([
    ['status=429', 429, 'RATE_LIMIT_EXCEEDED', '1'],
    ['status=500', 500, 'INTERNAL_ERROR', undefined],
    ['status=503', 503, 'SERVER_BUSY', '1'],
  ])('%s: as if it were so, and nothing is done', async (value, status, code, retryAfter) => {
    const before = await itemCount();
    const answer = await api.call(ingest, { body: examFields(), ...simulating(value) });
    expect(answer).toMatchObject({ status, error: { code } });
    expect(answer.headers['retry-after']).toBe(retryAfter);
    expect(await itemCount()).toBe(before);
  });

  test('token=expired: 401 with WWW-Authenticate', async () => {
    const answer = await api.call(validate, simulating('token=expired'));
    expect(answer).toMatchObject({ status: 401, error: { code: 'UNAUTHORIZED' } });
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    expect((await api.call(validate)).status).toBe(200);
  });

  test('job=fail', async () => {
    const { id } = await api.enqueue(undefined, simulating('job=fail'));
    expect(await api.ended(id)).toMatchObject({ status: 'failed', error: { code: 'SIMULATED_FAILURE' } });
  });

  test('job=slow:MS: the job takes so long', async () => {
    const { id } = await api.enqueue(undefined, simulating('job=slow:5000'));
    const now = async () => succeeded(await api.call(contract.jobs.endpoints.get, { params: { id } })).status;
    while ((await now()) === 'queued') await new Promise((resolve) => setImmediate(resolve));
    api.clock.advance(4999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await now()).toBe('in_progress');
    api.clock.advance(1);
    expect((await api.ended(id)).status).toBe('completed');
  });

  test('drop: the connection is cut after the request is taken', async () => {
    const listening = await startApi({ listen: true });
    const headers = {
      authorization: `Bearer ${listening.token}`,
      'content-type': 'application/json',
      'x-laudio-simulate': 'drop',
    };
    const body = JSON.stringify(examFields({ accession_number: 'SL-DROP' }));
    await expect(fetch(listening.server.url + ingest.path, { method: 'POST', headers, body })).rejects.toThrow(
      'fetch failed',
    );
    expect(succeeded(await listening.call(listItems)).items).toMatchObject([{ accession_number: 'SL-DROP' }]);
  });

  test('drop: a file and a stream, too', async () => {
    const listening = await startApi({ listen: true });
    const { id } = await listening.generate();
    const { events } = contract.worklists.endpoints;
    const file = `${contract.records.endpoints.export.path.replace('{id}', id)}?format=txt`;
    const headers = { authorization: `Bearer ${listening.token}`, 'x-laudio-simulate': 'drop' };
    for (const path of [file, events.path]) {
      await expect(fetch(listening.server.url + path, { headers }), path).rejects.toThrow('fetch failed');
    }
  });

  test('several, separated by commas', async () => {
    const waiting = scheduled();
    const answer = api.call(validate, simulating('latency=10, status=503'));
    await waiting;
    api.clock.advance(10);
    expect((await answer).status).toBe(503);
  });

  test.each([
    '',
    'status=418',
    'latency=',
    'latency=-1',
    'latency=soon',
    'job=slow',
    'job=fail:busy',
    'cut=during',
    'body=partial:half',
    'quota=10',
    'webhook=down',
    'token=valid',
    'dropped',
    'status=500;drop',
  ])('an unknown value is a 400: "%s"', async (value) => {
    const answer = await api.call(generate, { body: { text: dictated }, ...simulating(value) });
    expect(answer).toMatchObject({
      status: 400,
      error: { details: { errors: [{ field: 'X-Laudio-Simulate', code: 'INVALID_VALUE' }] } },
    });
  });

  test('a production client is not affected by it', async () => {
    const login = { username: 'prado', password: 'correct horse' };
    const client = await api.createClient();
    await api.createUser(login);
    const { access_token: token } = await api.tokens({ client, login });
    for (const value of ['status=500', 'nonsense']) {
      expect((await api.call(validate, { ...simulating(value), token })).status).toBe(200);
    }
    const { id } = await api.enqueue(undefined, { ...simulating('job=fail'), token });
    expect((await api.ended(id, { token })).status).toBe('completed');
  });
});
