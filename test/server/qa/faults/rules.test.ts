/** Which faults are taken, and that the same faults, seeds and calls give the same log. */
import * as fc from '../../../support/properties.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { faultProfileNames, faultProfiles, rememberedStrikes } from '../../../../src/contract/fault.ts';
import type { FaultInput, FaultStrike } from '../../../../src/contract/fault.ts';
import { createServer } from '../../../../server/index.ts';
import { startApi } from '../../../support/api.ts';

const api = await startApi();
const { faults } = api.server;
const { add, remove } = contract.faults.endpoints;
afterEach(() => void faults.clear());

describe('a fault is refused', () => {
  test.each([
    [{}, 'a fault needs an effect: latency, cut,'],
    [{ retry_after: 3 }, 'a fault needs an effect'],
    [{ name: 'A B', status: 503 }, 'name must be small letters'],
    [{ status: 418 }, 'status 418 needs content'],
    [{ latency: 'soon' }, 'latency must be a length of time such as 250ms'],
    [{ body: 'half' }, 'body must be slow'],
    [{ job: 'broken' }, 'job must be stuck'],
    [{ webhook: '200' }, 'webhook must be down'],
    [{ colour: 'red', status: 503 }, 'colour is not a field of this request'],
    [{ probability: 2, status: 503 }, 'probability must be a number from 0 to 1'],
    [{ nth: 0, status: 503 }, 'nth must be a whole number from 1'],
    [{ retry_after: 3, status: 500 }, 'retry_after needs status 429 or 503'],
    [{ status: 503, job: 'fail' }, 'job is for jobs, status for calls: make two faults'],
    [{ status: 503, event: 'webhook.test' }, 'event does not apply to calls'],
    [{ webhook: 'down', path: '/api/v1/jobs' }, 'path does not apply to deliveries'],
    [{ path: '/api/v1/job', status: 503 }, '/api/v1/job matches no call of this API'],
    [{ path: '/api/v1/jobs', method: 'PUT', status: 503 }, 'PUT /api/v1/jobs matches no call of this API'],
    [{ path: '/healthz', status: 503 }, '/healthz is never struck'],
    [{ path: '/api/v1/admin/**', status: 503 }, 'is never struck'],
    [{ path: '/.well-known/**', status: 503 }, 'is called without a client: all_clients strikes it'],
    [{ path: '/api/v1/jobs', job: 'fail' }, '/api/v1/jobs makes no jobs'],
    [{ profile: 'chaotic' }, 'profile must be one of flaky, slow, rate-limited, expired-token, job-fails'],
    [{ profile: 'slow', status: 503 }, 'status cannot be combined with profile'],
  ])('%j', async (body, message) => {
    const answer = await api.call(add, { body });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(answer.error.details.errors.map((error) => error.message).join()).toContain(message);
    expect(faults.list()).toEqual([]);
  });

  test('where its name is taken', async () => {
    faults.add({ name: 'busy', status: 503 });
    expect((await api.call(add, { body: { name: 'busy', status: 500 } })).error.message).toContain(
      'named busy already',
    );
    expect((await api.call(remove, { params: { name: 'idle' } })).status).toBe(404);
  });

  test('in a list with its number, and none of the list is taken', () => {
    const asked = [{ status: 503 }, { latency: 'soon' }] as unknown as FaultInput[];
    expect(() => faults.add(...asked)).toThrow('Fault 2 is refused: latency must be');
    expect(faults.list()).toEqual([]);
  });

  test('before a server starts with it', async () => {
    const start = createServer({ version: '0', store: { use: 'memory' }, faults: [{ status: 503, path: '/api/v2' }] });
    await expect(start).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

test.each(faultProfileNames)('the profile %s is taken, and removed by its name', (profile) => {
  const added = faults.add({ profile, client_id: 'test_tc_local', seed: '7' });
  expect(added.map(({ name }) => name)).toEqual(faultProfiles[profile].faults.map(({ name }) => name));
  for (const fault of added) expect(fault).toMatchObject({ profile, client_id: 'test_tc_local', seed: '7' });
  expect(() => faults.add({ profile })).toThrow('already');
  expect(faults.remove(profile)).toHaveLength(added.length);
});

const paths = ['/api/v1/jobs', '/api/v1/jobs/job_x', '/api/v1/worklists/items', '/api/v1/templates'];
const fault: fc.Arbitrary<FaultInput> = fc.record(
  {
    path: fc.constantFrom('/api/v1/jobs', '/api/v1/jobs/{id}', '/api/v1/**', '/api/v1/j*'),
    nth: fc.integer({ min: 1, max: 6 }),
    every: fc.integer({ min: 1, max: 4 }),
    probability: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.constantFrom('', '1', 'another'),
    times: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom(429, 500, 503),
    quota: fc.integer({ min: 1, max: 4 }),
    token: fc.constant('expired'),
    body: fc.constant('malformed'),
  },
  { requiredKeys: ['status'] },
) as fc.Arbitrary<FaultInput>;

test('the same faults, seeds and calls give the same log', async () => {
  const run = async (rules: readonly FaultInput[], calls: readonly string[]) => {
    faults.clear();
    const before = faults.log().at(-1)?.number ?? 0;
    faults.add(...rules.map((rule, at) => ({ ...rule, name: `rule-${at}` })));
    const statuses = [];
    for (const url of calls) {
      const answer = await api.server.inject({ url, headers: { authorization: `Bearer ${api.token}` } });
      statuses.push(answer.statusCode);
    }
    const log = faults.log({ after: before });
    return {
      statuses,
      log: log.map(({ number, request_id: _id, ...rest }: FaultStrike) => ({ ...rest, number: number - before })),
    };
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { minLength: 1, maxLength: 4 }),
      fc.array(fc.constantFrom(...paths), { minLength: 1, maxLength: 12 }),
      async (rules, calls) => {
        expect(await run(rules, calls)).toEqual(await run(rules, calls));
      },
    ),
    { numRuns: 15 },
  );
});

test('seeds differ, and chance strikes about as often as it says', async () => {
  const struck = async (seed: string): Promise<number[]> => {
    faults.clear();
    faults.add({ name: 'chance', probability: 0.3, seed, status: 503 });
    const hits = [];
    for (let call = 0; call < 300; call++) {
      const { statusCode } = await api.server.inject({
        url: '/api/v1/jobs/job_x',
        headers: { authorization: `Bearer ${api.token}` },
      });
      if (statusCode === 503) hits.push(call);
    }
    return hits;
  };
  const [one, other] = [await struck('1'), await struck('2')];
  expect(one).not.toEqual(other);
  for (const { length } of [one, other]) expect(Math.abs(length - 90)).toBeLessThan(30);
});

test('the log says nothing of what was said, and forgets the oldest', async () => {
  faults.add({ name: 'all', path: '/api/v1/worklists/**', status: 503 });
  const call = (url: string) => api.server.inject({ url, headers: { authorization: `Bearer ${api.token}` } });
  await call('/api/v1/worklists/items/CANARIO7XQ?q=CANARIO7XQ');
  expect(faults.log().at(-1)).toMatchObject({ path: '/api/v1/worklists/items/{id}', method: 'GET', fault: 'all' });
  expect(JSON.stringify(faults.log())).not.toContain('CANARIO');
  for (let at = 0; at < rememberedStrikes; at++) await call('/api/v1/worklists/items');
  const log = faults.log();
  expect(log).toHaveLength(rememberedStrikes);
  expect(log.at(-1)!.number - log[0]!.number).toBe(rememberedStrikes - 1);
  expect(faults.log({ limit: 2 })).toEqual(log.slice(-2));
});
