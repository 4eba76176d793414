/** The time of a server as QA moves it: what was due on the way is done when the answer comes, each at its time. */
import { text } from 'node:stream/consumers';
import * as fc from '../../../support/properties.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTimekeeper } from '../../../../server/runtime/clock/timekeeper.ts';
import { builtInTestClient } from '../../../../server/index.ts';
import { contract } from '../../../../src/contract/index.ts';
import { deviceGrantType } from '../../../../src/contract/oauth.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { movableClock } from '../../../../src/domain/movable-clock.ts';
import { simulatedClock } from '../../../../src/node/simulated-clock.ts';
import { authorizeQuery, dictated, redirectOf, startApi, succeeded } from '../../../support/api.ts';
import type { Api, ApiOptions } from '../../../support/api.ts';
import { movingClock } from '../../../support/moving-clock.ts';
import { createReceiver } from '../../delivery/webhooks/receiver.ts';

const { clock, jobs, oauth, records, system, webhooks, worklists } = contract;
const start = '2026-03-02T09:00:00.000Z';
const [hour, day] = [3_600_000, 24 * 3_600_000];
const { client_id, client_secret } = builtInTestClient;
const params = { client_id };
const secrets = { client_id, client_secret };

const startAt = (choice = `fixed:${start}`, options: ApiOptions = {}): Promise<Api> =>
  startApi({ simulated: simulatedClock(choice), seed: 'demo', ...options }, onTestFinished);

const advance = async ({ call }: Api, by: string) => succeeded(await call(clock.endpoints.advance, { body: { by } }));

async function deliveriesOf({ call }: Api) {
  const { items } = succeeded(await call(webhooks.endpoints.deliveries, { params }));
  return items.toReversed();
}

async function withWebhook(api: Api, reply: Parameters<typeof createReceiver>[0]) {
  const receiver = await createReceiver(reply);
  succeeded(await api.call(webhooks.endpoints.put, { params, body: { url: receiver.url } }), 201);
  return receiver;
}

describe('the calls', () => {
  test('show a stopped clock, and the next time at which the server acts', async () => {
    const { call } = await startAt();
    const shown = succeeded(await call(clock.endpoints.show));
    expect(shown).toEqual({ kind: 'fixed', now: start, next_due_at: '2026-03-02T09:15:00.000Z' });
    expect(succeeded(await call(clock.endpoints.show)).now).toBe(start);
  });

  test('move it by a length of time, and to an instant', async () => {
    const api = await startAt();
    expect(await advance(api, '2h')).toEqual({
      kind: 'fixed',
      now: '2026-03-02T11:00:00.000Z',
      next_due_at: '2026-03-02T11:15:00.000Z',
      settled: true,
    });
    const set = await api.call(clock.endpoints.set, { body: { now: '2026-03-03T00:00:00-03:00' } });
    expect(succeeded(set).now).toBe('2026-03-03T03:00:00.000Z');
    expect(await advance(api, '0s')).toMatchObject({ now: '2026-03-03T03:00:00.000Z', settled: true });
  });

  test('never move it back, out of bounds, or by what is no length of time', async () => {
    const { call } = await startAt();
    const back = await call(clock.endpoints.set, { body: { now: '2026-03-02T08:59:59Z' } });
    expect([back.status, back.error.code]).toEqual([409, 'INVALID_TRANSITION']);
    for (const by of ['', '2', '-2h', 'tomorrow', '999999w']) {
      const answer = await call(clock.endpoints.advance, { body: { by } });
      expect([by, answer.status, answer.error.code]).toEqual([by, 400, 'VALIDATION_FAILED']);
    }
    const far = await call(clock.endpoints.set, { body: { now: '2200-01-01T00:00:00Z' } });
    expect([far.status, far.error.details.errors[0]?.field]).toEqual([400, 'now']);
    expect(succeeded(await call(clock.endpoints.show)).now).toBe(start);
  });

  test('an offset runs on, and is moved ahead', async () => {
    const machine = manualClock(Date.parse('2026-11-22T19:00:00Z'));
    const api = await startApi(
      { simulated: movableClock(machine, { now: Date.parse(start), runs: true }) },
      onTestFinished,
    );
    machine.advance(1000);
    expect(succeeded(await api.call(clock.endpoints.show))).toMatchObject({
      kind: 'offset',
      now: '2026-03-02T09:00:01.000Z',
    });
    expect((await advance(api, '2h')).now).toBe('2026-03-02T11:00:01.000Z');
    machine.advance(1000);
    expect(succeeded(await api.call(clock.endpoints.show)).now).toBe('2026-03-02T11:00:02.000Z');
  });

  test('the clock of the machine is shown, and cannot be moved', async () => {
    const { call } = await startApi({}, onTestFinished);
    expect(succeeded(await call(clock.endpoints.show))).toMatchObject({ kind: 'machine', next_due_at: null });
    for (const answer of [
      await call(clock.endpoints.advance, { body: { by: '2h' } }),
      await call(clock.endpoints.set, { body: { now: '2030-01-01T00:00:00Z' } }),
    ]) {
      expect([answer.status, answer.error.code]).toEqual([409, 'INVALID_TRANSITION']);
      expect(answer.error.message).toBe('This server uses the system clock, which cannot be moved.');
    }
  });

  test('moves at the same time are made one after the other', async () => {
    const api = await startAt();
    const moved = await Promise.all(['1h', '2h', '3h'].map((by) => advance(api, by)));
    expect(moved.map(({ now }) => now.slice(11, 13))).toEqual(['10', '12', '15']);
  });

  test('the library moves it too', async () => {
    const { server } = await startAt();
    expect(await server.clock.advance(90_000)).toMatchObject({ now: '2026-03-02T09:01:30.000Z', settled: true });
    expect(server.clock.show().now).toBe('2026-03-02T09:01:30.000Z');
    await expect(server.clock.set(Date.parse(start))).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });
});

/** An hour is the life of an access token. */
const freshToken = async (api: Api): Promise<string> => (await api.tokens()).access_token;

describe('with time', () => {
  test('stamps, headers and bodies say the same, and no call takes any', async () => {
    const api = await startAt();
    await advance(api, '1d');
    const token = await freshToken(api);
    const answer = await api.call(records.endpoints.generate, { body: { text: dictated }, token });
    expect(answer.headers['date']).toBe('Tue, 03 Mar 2026 09:00:00 GMT');
    expect(answer.headers['x-processing-time']).toBe('0');
    expect(answer.json['meta']).toMatchObject({ timestamp: '2026-03-03T09:00:00.000Z', processing_time_ms: 0 });
    expect(succeeded(answer, 201)).toMatchObject({ created_at: '2026-03-03T09:00:00.000Z' });
    expect(succeeded(await api.call(system.endpoints.status))).toMatchObject({ uptime_s: 24 * 3600 });
  });

  test('access tokens expire, refresh tokens give others, and end in thirty days', async () => {
    const api = await startAt(undefined, { accessTokenTtl: 30_000 });
    const first = await api.tokens();
    expect(first.expires_in).toBe(30);
    const ask = (token: string) => api.call(worklists.endpoints.list, { token });
    const refresh = async (refresh_token: string | undefined) =>
      api.call(oauth.endpoints.token, { body: { grant_type: 'refresh_token', refresh_token, ...secrets } });
    await advance(api, '29s');
    const validated = await api.call(oauth.endpoints.validate, { token: first.access_token });
    expect(succeeded(validated)).toMatchObject({ expires_in: 1, expires_at: '2026-03-02T09:00:30.000Z' });
    await advance(api, '1s');
    expect((await ask(first.access_token)).error.message).toBe('The access token has expired.');
    const second = (await refresh(first.refresh_token)).json as { access_token: string; refresh_token: string };
    expect((await ask(second.access_token)).status).toBe(200);
    await advance(api, '30d');
    expect((await refresh(second.refresh_token)).json).toMatchObject({ error: 'invalid_grant' });
  });

  test('codes end after a minute, and those of devices after ten', async () => {
    const api = await startAt();
    const { redirect_uri } = builtInTestClient;
    const asked = await api.call(oauth.endpoints.authorize, { query: authorizeQuery() });
    const { code } = redirectOf(asked);
    const { json: device } = await api.call(oauth.endpoints.deviceAuthorization, { body: secrets });
    const redeem = async (fields: object) =>
      (await api.call(oauth.endpoints.token, { body: { ...secrets, ...fields } })).json['error'];
    await advance(api, '1min');
    expect(await redeem({ grant_type: 'authorization_code', code, redirect_uri })).toBe('invalid_grant');
    await advance(api, '9min');
    expect(await redeem({ grant_type: deviceGrantType, device_code: device['device_code'] })).toBe('expired_token');
  });

  test('idempotency keys end after a day', async () => {
    const api = await startAt();
    const headers = { 'Idempotency-Key': 'a-key' };
    const send = async () => {
      const token = await freshToken(api);
      return succeeded(await api.call(records.endpoints.generate, { body: { text: dictated }, headers, token }), 201);
    };
    const first = await send();
    await advance(api, '23h');
    expect(await send()).toEqual(first);
    await advance(api, '1h');
    expect(await send()).not.toEqual(first);
  });

  test('windows of the rate limit roll over', async () => {
    const api = await startAt(undefined, { rateLimit: 3 });
    const ask = async () => {
      const { status, headers } = await api.call(worklists.endpoints.list);
      return [status, headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']];
    };
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      [200, '2', '60'],
      [200, '1', '60'],
      [200, '0', '60'],
      [429, '0', '60'],
    ]);
    await advance(api, '59s');
    expect((await api.call(worklists.endpoints.list)).error.details).toMatchObject({
      hint: 'The clock of this server stands; laudio server clock advance 1s moves it.',
    });
    await advance(api, '1s');
    expect(await ask()).toEqual([200, '2', '60']);
  });

  test('event streams end with the token by which they were opened', async () => {
    const api = await startAt(undefined, { accessTokenTtl: 30_000 });
    const { access_token } = await api.tokens();
    // Answers as soon as the stream is open.
    const answer = await api.server.inject({
      url: worklists.endpoints.events.path,
      headers: { authorization: `Bearer ${access_token}` },
      payloadAsStream: true,
    });
    expect(answer.statusCode).toBe(200);
    const ended = text(answer.stream());
    await advance(api, '30s');
    await ended;
  });

  test('ended tasks are removed', async () => {
    const api = await startAt(undefined, { retention: { completed: 10 * day } });
    const id = await api.exam();
    succeeded(await api.call(worklists.endpoints.setStatus, { params: { id }, body: { status: 'cancelled' } }));
    const look = async () =>
      (await api.call(worklists.endpoints.get, { params: { id }, token: await freshToken(api) })).status;
    await advance(api, '9d');
    expect(await look()).toBe(200);
    await advance(api, '2d');
    expect(await look()).toBe(404);
  });
});

test('gathered entries are in the audit trail when the answer of a move arrives', async () => {
  const api = await startAt();
  const id = await api.exam();
  const entries = async (): Promise<number> => {
    await advance(api, '0s');
    return succeeded(await api.call(system.endpoints.status)).stored['audit'] as number;
  };
  const before = await entries();
  succeeded(await api.call(worklists.endpoints.get, { params: { id } }));
  expect(await entries()).toBe(before + 1);
});

describe('jobs', () => {
  test('of now are done while the clock is stopped', async () => {
    const api = await startAt();
    const { id } = await api.enqueue();
    expect(await api.ended(id)).toMatchObject({ status: 'completed', finished_at: start });
  });

  test('that are slow on purpose wait for the clock', async () => {
    const api = await startAt();
    const { id } = await api.enqueue(undefined, { headers: { 'X-Laudio-Simulate': 'job=slow:60000' } });
    const look = async () => succeeded(await api.call(jobs.endpoints.get, { params: { id } }));
    expect(await advance(api, '59s')).toMatchObject({ next_due_at: '2026-03-02T09:01:00.000Z' });
    expect((await look()).status).toBe('in_progress');
    await advance(api, '1s');
    expect(await look()).toMatchObject({ status: 'completed', finished_at: '2026-03-02T09:01:00.000Z' });
  });

  test('are waited for by a move of no time', async () => {
    const api = await startAt();
    const { id } = await api.enqueue();
    await advance(api, '0s');
    expect(succeeded(await api.call(jobs.endpoints.get, { params: { id } })).status).toBe('completed');
  });
});

describe('webhooks', () => {
  test('are repeated at their times, in their order, before the answer comes', async () => {
    const api = await startAt();
    const receiver = await withWebhook(api, 503);
    await api.enqueue();
    await advance(api, '0s');
    expect(receiver.requests).toHaveLength(1);
    await advance(api, '1h');
    receiver.reply = 204;
    await advance(api, '3h');
    const [delivery] = await deliveriesOf(api);
    expect(delivery).toMatchObject({ status: 'delivered' });
    const times = delivery!.attempts.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    expect(receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']) * 1000)).toEqual(
      times.map((at) => Math.floor(Date.parse(at) / 1000) * 1000),
    );
    expect(Date.parse(times.at(-1)!)).toBeGreaterThan(Date.parse(start) + hour);
  });

  test('that nobody answers do not hold the clock for ever', async () => {
    const keeper = await stuckKeeper();
    expect(await keeper.advance(day)).toMatchObject({ now: '2026-03-03T09:00:00.000Z', settled: false });
  });
});

test('many moves and a large one leave the same behind', async () => {
  const moves = fc.array(fc.integer({ min: 0, max: 12 * 3600 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(moves, fc.integer({ min: 0, max: 7 }), async (seconds, failures) => {
      const sum = seconds.reduce((whole, each) => whole + each, 0);
      expect(await aWhile(seconds, failures)).toEqual(await aWhile([sum], failures));
    }),
    { numRuns: 2 },
  );
});

/** What a server holds after moves of so many seconds, where a receiver fails so often. */
async function aWhile(seconds: readonly number[], failures: number): Promise<unknown> {
  const api = await startAt(undefined, { retention: { completed: day }, accessTokenTtl: day });
  const receiver = await withWebhook(api, 503);
  const slow = await api.enqueue(undefined, { headers: { 'X-Laudio-Simulate': 'job=slow:600000' } });
  const id = await api.exam({ accession_number: 'SL-1' });
  succeeded(await api.call(worklists.endpoints.setStatus, { params: { id }, body: { status: 'cancelled' } }));
  let left = failures;
  receiver.reply = (response) => void response.writeHead(left-- > 0 ? 503 : 204).end();
  for (const each of seconds) await api.server.clock.advance(each * 1000);
  const { stored } = succeeded(await api.call(system.endpoints.status));
  const attempts = (await deliveriesOf(api)).map(({ attempts: made, ...rest }) => ({
    ...rest,
    made: made.map(({ at, http_status }) => [at, http_status]),
  }));
  const token = await freshToken(api);
  const { status, updated_at } = succeeded(await api.call(jobs.endpoints.get, { params: { id: slow.id }, token }));
  const { refresh_tokens: _ours, codes: _spent, grants: _given, ...counts } = stored as Record<string, number>;
  return { counts, attempts, status, updated_at, clock: api.server.clock.show() };
}

/** Of a server one of whose parts never comes to rest. */
async function stuckKeeper() {
  const machine = movingClock();
  const moved = movableClock(machine, { now: Date.parse(start), runs: false });
  const stuck = { idle: () => new Promise<void>(() => {}) };
  return createTimekeeper(moved, [stuck], { stopping: new AbortController().signal });
}
