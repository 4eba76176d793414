/** Specification, sections 8 and 9: limits and versioning. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract, endpoints } from '../../../src/contract/index.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';

const { oauth, worklists, jobs, clients, system } = contract;
const limitHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
];

describe('§8 Limits', () => {
  test('access token lifetime: 3600 seconds', async () => {
    const api = await startApi({}, onTestFinished);
    expect((await api.tokens()).expires_in).toBe(3600);
    api.clock.advance(3_600_000);
    expect((await api.call(oauth.endpoints.validate)).status).toBe(401);
  });

  test('rate limit: 100 requests, window "1 minute"', async () => {
    const api = await startApi({ rateLimit: 100 }, onTestFinished);
    for (let used = 1; used <= 100; used++) {
      const { status, headers } = await api.call(jobs.endpoints.list);
      expect([status, headers['x-ratelimit-remaining']]).toEqual([200, String(100 - used)]);
    }
    api.clock.advance(15_000);
    const refused = await api.call(worklists.endpoints.ingest, { body: examFields() });
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '45' },
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: 100, window: '1 minute', retry_after: 45 } },
    });
    api.clock.advance(45_000);
    expect(succeeded(await api.call(worklists.endpoints.list)).items).toEqual([]);
  });

  test('rate-limit headers: limit, remaining, seconds until reset, and the IETF draft', async () => {
    const api = await startApi({ rateLimit: 3 }, onTestFinished);
    const headersNow = async () => {
      const { headers } = await api.call(jobs.endpoints.list);
      return limitHeaders.map((name) => String(headers[name]));
    };
    expect(await headersNow()).toEqual(['3', '2', '60', '"default";q=3;w=60', '"default";r=2;t=60']);
    api.clock.advance(20_500);
    expect(await headersNow()).toEqual(['3', '1', '40', '"default";q=3;w=60', '"default";r=1;t=40']);
    api.clock.advance(39_500);
    expect(await headersNow()).toEqual(['3', '2', '60', '"default";q=3;w=60', '"default";r=2;t=60']);
  });

  test('each client has a separate limit; errors count; calls without a token are counted by address', async () => {
    const api = await startApi({ rateLimit: 2 }, onTestFinished);
    const other = (await api.tokens({ client: await api.createClient({ test_mode: true }) })).access_token;
    const statusOf = async (token: string | null) =>
      (await api.call(jobs.endpoints.get, { params: { id: 'job_x' }, token })).status;
    expect([await statusOf(api.token), await statusOf(api.token), await statusOf(api.token)]).toEqual([404, 404, 429]);
    expect(await statusOf(other)).toBe(404);
    expect([await statusOf(null), await statusOf('wrong'), await statusOf(null)]).toEqual([401, 401, 429]);
  });

  test.each(['/api/v1/nothing', '/api/v1/jobs?limit=0'])(
    'rate-limit headers on every /api/v1 answer to a client: %s',
    async (url) => {
      const api = await startApi({ rateLimit: 5 }, onTestFinished);
      const { headers } = await api.send({ url, headers: { authorization: `Bearer ${api.token}` } });
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(limitHeaders));
    },
  );

  test('the operator and the token endpoint are not limited by it', async () => {
    const api = await startApi({ rateLimit: 1 }, onTestFinished);
    for (const _ of [1, 2, 3]) {
      expect((await api.call(clients.endpoints.list)).status).toBe(200);
      expect((await api.tokens()).token_type).toBe('Bearer');
    }
  });

  test('without a limit there are no such headers', async () => {
    const api = await startApi({ rateLimit: 0 }, onTestFinished);
    const { headers } = await api.call(jobs.endpoints.list);
    for (const name of limitHeaders) expect(headers).not.toHaveProperty(name);
  });
});

describe('§9 Versioning', () => {
  test('resource endpoints are under /api/v1, those of OAuth under /api/oauth without a version', () => {
    const paths = endpoints.map(({ path }) => path);
    const elsewhere = paths.filter((path) => !/^\/api\/v1\/|^\/api\/oauth\/[a-z_]+$/.test(path));
    // FHIR has paths of its own.
    expect(elsewhere.filter((path) => !path.startsWith('/fhir/')).toSorted()).toEqual([
      '/.well-known/oauth-authorization-server',
      system.endpoints.health.path,
      system.endpoints.metrics.path,
      system.endpoints.openapi.path,
      system.endpoints.ready.path,
    ]);
  });

  test('other versions and other spellings are not there', async () => {
    const api = await startApi({}, onTestFinished);
    const headers = { authorization: `Bearer ${api.token}` };
    for (const url of [
      '/api/v2/jobs',
      '/api/jobs',
      '/v1/jobs',
      '/api/v1/oauth/validate',
      '/API/V1/JOBS',
      '/api/v1//jobs',
    ]) {
      expect(await api.send({ url, headers })).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    }
  });

  test('medical records have versions', async () => {
    const api = await startApi({}, onTestFinished);
    const { update, versions, version } = contract.records.endpoints;
    const { id } = await api.generate();
    const params = { id };
    succeeded(await api.call(update, { params, body: { title: 'Second' } }));
    const { items } = succeeded(await api.call(versions, { params }));
    expect(items).toMatchObject([
      { version: 2, change: 'edited', title: 'Second', who: 'Dra. Teste' },
      { version: 1, change: 'generated', who: 'Dra. Teste' },
    ]);
    expect(succeeded(await api.call(version, { params: { id, n: 2 } }))).toMatchObject({ version: 2, title: 'Second' });
    expect((await api.call(version, { params: { id, n: 3 } })).status).toBe(404);
  });
});
