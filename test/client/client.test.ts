import { manualClock } from '../../src/domain/clock.ts';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import type { ClientOptions, Retry } from '../../src/client/client.ts';
import { itemsOf } from '../../src/client/pages.ts';
import { waitForJob } from '../../src/client/wait-for-job.ts';
import { noRecogniser } from '../../src/contract/engine.ts';
import type { AppError } from '../../src/contract/errors.ts';
import type { Job } from '../../src/contract/job.ts';
import { memoryFull } from '../../src/contract/system.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import type { HttpCall } from '../../src/node/http/http-call.ts';
import { failed, startHttpServer, succeeded } from '../support/http-server.ts';
import type { Asked, Reply, TestServer } from '../support/http-server.ts';
import { movingClock } from '../support/moving-clock.ts';

let server: TestServer;
let http: HttpCall;

afterEach(async () => {
  await http.close();
  await server.close();
});

async function clientOf(
  reply: (asked: Asked, count: number) => Reply | Promise<Reply>,
  options: Partial<ClientOptions> = {},
) {
  server = await startHttpServer(reply);
  http = createHttpCall({ timeout: 60_000 });
  const clock = movingClock();
  const retries: Retry[] = [];
  const client = createClient({
    transport: http.transport,
    server: server.url,
    clock,
    random: () => 0.5,
    uuid: randomUUID,
    token: async () => 'token-1',
    onRetry: (retry) => void retries.push(retry),
    ...options,
  });
  return { client, clock, retries };
}

const errorOf = async (promise: Promise<unknown>): Promise<AppError> => {
  try {
    await promise;
  } catch (error) {
    return error as AppError;
  }
  throw new Error('it should have failed');
};

const job = (change: Partial<Job> = {}): Job => ({
  id: 'job_1',
  type: 'medical_record.generate',
  status: 'queued',
  progress: 0,
  attempts: 0,
  record_id: null,
  worklist_item_id: null,
  error: null,
  created_at: '2026-03-02T11:30:00.000Z',
  started_at: null,
  finished_at: null,
  updated_at: '2026-03-02T11:30:00.000Z',
  ...change,
});

const generate = { body: { text: 'Test Patient', mode: 'async' } } as const;

describe('requests', () => {
  it('go to the contract’s path with parameters encoded, query built and the token in its header', async () => {
    const { client } = await clientOf(() => succeeded(job()));
    const { status, data, meta } = await client.jobs.get({ params: { id: 'a/b?c#d é' } });
    expect(status).toBe(200);
    expect(data.status).toBe('queued');
    expect(meta.request_id).toBe('req_1');
    expect(server.asked[0]).toMatchObject({ method: 'GET', path: '/api/v1/jobs/a%2Fb%3Fc%23d%20%C3%A9' });
    expect(server.asked[0]?.headers['authorization']).toBe('Bearer token-1');
  });

  it('refuse a parameter that would walk out of its path', async () => {
    const { client } = await clientOf(() => succeeded(job()));
    for (const id of ['..', '.', '']) {
      expect(await errorOf(client.jobs.get({ params: { id } }))).toMatchObject({ code: 'USAGE' });
    }
    expect(server.asked).toEqual([]);
  });

  it('omit absent values in a query, and encode the rest', async () => {
    const { client } = await clientOf(() => succeeded({ items: [], next_cursor: null }));
    await client.worklists.list({ query: { q: 'tórax & 50%', limit: 3 } });
    await client.worklists.list();
    expect([...server.asked[0]!.query]).toEqual([
      ['q', 'tórax & 50%'],
      ['limit', '3'],
    ]);
    expect([...server.asked[1]!.query]).toEqual([]);
  });

  it('bring an Idempotency-Key where the contract honours one, and a caller’s own instead', async () => {
    const { client } = await clientOf(() => succeeded(job(), 202));
    await client.records.generate(generate);
    await client.records.generate(generate, { idempotencyKey: 'mine' });
    expect(server.asked[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.asked[1]?.headers['idempotency-key']).toBe('mine');
  });

  it('send a file while it is read, after the fields, under a neutral name', async () => {
    const { client } = await clientOf(() => succeeded(job(), 202));
    const open = async function* () {
      yield Buffer.from('RIFF');
      yield Buffer.from('WAVE');
    };
    await client.records.generate({
      body: { mode: 'async', metadata: { a: 1 } },
      file: { contentType: 'audio/wav', size: 8, open },
    });
    const [asked] = server.asked;
    const form = await new Response(asked!.body, {
      headers: { 'content-type': String(asked!.headers['content-type']) },
    }).formData();
    expect(form.get('mode')).toBe('async');
    expect(form.get('metadata')).toBe('{"a":1}');
    const file = form.get('audio') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['audio', 'audio/wav', 'RIFFWAVE']);
    expect(asked!.headers['content-length']).toBe(String(Buffer.byteLength(asked!.body)));
  });

  it('give a file or a stream as pieces', async () => {
    const { client } = await clientOf(() => ({
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: 'Laudo',
    }));
    const answer = await client.records.export({ params: { id: 'rec_1' }, query: { format: 'txt' } });
    const pieces: Uint8Array[] = [];
    for await (const piece of answer.body) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('Laudo');
    expect(server.asked[0]?.headers['accept']).toContain('application/pdf');
  });

  it('of the operator carry the admin token and never the user’s', async () => {
    const { client } = await clientOf(() => succeeded({ items: [], next_cursor: null }), {
      adminToken: async () => 'boss',
    });
    await client.clients.list();
    expect(server.asked[0]?.headers['authorization']).toBe('Bearer boss');
  });
});

describe('failures', () => {
  it('become the contract’s error with details, hint and request id', async () => {
    const { client } = await clientOf(() =>
      failed(403, 'INSUFFICIENT_SCOPE', { required_scope: 'jobs:read', hint: 'Ask for it.' }),
    );
    expect(await errorOf(client.jobs.list())).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      status: 403,
      hint: 'Ask for it.',
      requestId: 'req_1',
      details: { required_scope: 'jobs:read' },
    });
  });

  it('with a code of another server’s own become the general one of their status', async () => {
    const { client } = await clientOf(() => failed(404, 'NO_SUCH_JOB'));
    expect(await errorOf(client.jobs.list())).toMatchObject({ code: 'NOT_FOUND', message: 'NO_SUCH_JOB it is' });
  });

  it('never bring control characters to the terminal', async () => {
    const { client } = await clientOf(() => ({
      status: 400,
      body: {
        success: false,
        error: { code: 'VALIDATION_FAILED', message: 'a\u001b[31mb\nc' },
        meta: { request_id: 'r\u0007', timestamp: '2026-03-02T11:30:00.000Z' },
      },
    }));
    expect(await errorOf(client.jobs.list())).toMatchObject({ message: 'a [31mb c', requestId: 'r ' });
  });

  const odd: [string, Reply][] = [
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['a proxy’s error page', { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['nothing', { status: 200, body: '' }],
    ['broken JSON', { status: 200, headers: { 'content-type': 'application/json' }, body: '{"success": tr' }],
    ['no envelope', { status: 200, body: { id: 'job_1' } }],
    ['an envelope with other data', succeeded({ id: 7 })],
    ['a failure that says success', { status: 400, body: { success: true, data: {}, meta: {} } }],
    ['a status that the contract does not know', succeeded(job(), 204)],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }],
  ];
  it.each(odd)('that are %s are BAD_ANSWER', async (_, reply) => {
    const { client } = await clientOf(() => reply);
    expect(await errorOf(client.jobs.get({ params: { id: 'job_1' } }))).toMatchObject({ code: 'BAD_ANSWER' });
    expect(server.asked).toHaveLength(1);
  });

  it('of the network say so, without the token', async () => {
    const { client } = await clientOf(() => ({ cut: true }), { retry: { limit: 0 } });
    const error = await errorOf(client.jobs.list());
    expect(error).toMatchObject({ code: 'NETWORK' });
    expect(JSON.stringify(error) + error.message + String(error.cause)).not.toContain('token-1');
  });

  it('of a file that cannot be read are the caller’s, and sent once', async () => {
    const { client } = await clientOf(() => succeeded(job(), 202));
    // oxlint-disable-next-line require-yield -- it fails before the first piece
    const open = async function* (): AsyncGenerator<Uint8Array> {
      throw Object.assign(new Error('secret name'), { code: 'EACCES' });
    };
    const error = await errorOf(client.records.generate({ file: { contentType: 'audio/wav', open } }));
    expect(error).toMatchObject({ code: 'USAGE', message: 'The file could not be read (EACCES).' });
  });
});

describe('retries', () => {
  it('wait longer each time, honour Retry-After, and report it', async () => {
    const replies = [
      failed(503, 'SERVER_BUSY'),
      failed(429, 'RATE_LIMIT_EXCEEDED', { retry_after: 45 }),
      failed(503, 'SERVER_BUSY', {}, { 'retry-after': '7' }),
    ];
    const { client, clock, retries } = await clientOf((_, count) => replies[count - 1] ?? succeeded(job()));
    await client.jobs.get({ params: { id: 'job_1' } });
    expect(clock.waits).toEqual([375, 45_000, 7000]);
    expect(retries.map(({ attempt, delay, error }) => [attempt, delay, error.code])).toEqual([
      [1, 375, 'SERVER_BUSY'],
      [2, 45_000, 'RATE_LIMIT_EXCEEDED'],
      [3, 7000, 'SERVER_BUSY'],
    ]);
  });

  it('end with the server’s error when they are used up', async () => {
    const { client } = await clientOf(() => failed(429, 'RATE_LIMIT_EXCEEDED', { retry_after: 1 }), {
      retry: { limit: 2 },
    });
    expect(await errorOf(client.jobs.list())).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 1 });
    expect(server.asked).toHaveLength(3);
  });

  it('are not begun when the server asks for an hour', async () => {
    const { client } = await clientOf(() => failed(429, 'RATE_LIMIT_EXCEEDED', {}, { 'retry-after': '3600' }));
    expect(await errorOf(client.jobs.list())).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 3600 });
    expect(server.asked).toHaveLength(1);
  });

  it.each([
    ['STORAGE_UNAVAILABLE', { full: memoryFull }],
    ['ENGINE_UNAVAILABLE', { reason: noRecogniser }],
  ])('are not begun where waiting changes nothing: %s %o', async (code, details) => {
    const { client } = await clientOf(() => failed(503, code, details, { 'retry-after': '60' }));
    expect(await errorOf(client.jobs.list())).toMatchObject({ code, details });
    expect(server.asked).toHaveLength(1);
  });

  it('after an unknown outcome are only made for repeatable calls, with the same key', async () => {
    const unknown = () => failed(503, 'OUTCOME_UNKNOWN', {}, { 'retry-after': '0' });
    const { client } = await clientOf((_, count) => (count === 1 ? unknown() : succeeded(job(), 202)));
    await client.records.generate(generate);
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });

  it('after an unknown outcome are not made for other calls', async () => {
    const { client } = await clientOf(() => failed(503, 'OUTCOME_UNKNOWN', {}, { 'retry-after': '0' }));
    expect(await errorOf(client.jobs.cancel({ params: { id: 'job_1' } }))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(server.asked).toHaveLength(1);
  });

  it('are as many as the call says', async () => {
    const { client } = await clientOf(() => failed(503, 'STORAGE_UNAVAILABLE'));
    await errorOf(client.system.ready({}, { retries: 0 }));
    expect(server.asked).toHaveLength(1);
  });

  it('of an idempotent call keep its key, and its file is sent whole again', async () => {
    let opened = 0;
    const { client } = await clientOf((_, count) => (count === 1 ? { cut: true } : succeeded(job(), 202)));
    const open = async function* () {
      opened++;
      yield Buffer.from('RIFFWAVE');
    };
    await client.records.generate({ file: { contentType: 'audio/wav', open } });
    expect(opened).toBe(2);
    const [first, second] = server.asked;
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(second?.body).toContain('RIFFWAVE');
  });

  it('never repeat a call without a key whose connection was cut: it may have taken effect', async () => {
    const { client } = await clientOf(() => ({ cut: true }));
    const error = await errorOf(client.records.delete({ params: { id: 'rec_1' } }));
    expect(error.code).toBe('NETWORK');
    expect(server.asked).toHaveLength(1);
  });

  it('never repeat a file that can be read only once', async () => {
    const { client } = await clientOf(() => failed(503, 'SERVER_BUSY'));
    const open = async function* () {
      yield Buffer.from('RIFF');
    };
    await errorOf(client.records.generate({ file: { contentType: 'audio/wav', open, once: true } }));
    expect(server.asked).toHaveLength(1);
  });
});

describe('401', () => {
  it('is answered once with a new token', async () => {
    const refused: string[] = [];
    const { client } = await clientOf(
      ({ headers }) => (headers['authorization'] === 'Bearer token-2' ? succeeded(job()) : failed(401, 'UNAUTHORIZED')),
      {
        refresh: async (token) => {
          refused.push(token);
          return 'token-2';
        },
      },
    );
    await client.jobs.get({ params: { id: 'job_1' } });
    expect(refused).toEqual(['token-1']);
    expect(server.asked).toHaveLength(2);
  });

  it('of the new token as well is the answer', async () => {
    const { client } = await clientOf(() => failed(401, 'UNAUTHORIZED', { hint: 'Log in.' }), {
      refresh: async () => 'token-2',
    });
    expect(await errorOf(client.jobs.list())).toMatchObject({ code: 'UNAUTHORIZED', hint: 'Log in.' });
    expect(server.asked).toHaveLength(2);
  });
});

describe('pages', () => {
  it('are walked to the end', async () => {
    const { client } = await clientOf(({ query }) =>
      query.get('cursor') === 'c2'
        ? succeeded({ items: [job({ id: 'job_3' })], next_cursor: null })
        : succeeded({ items: [job(), job({ id: 'job_2' })], next_cursor: 'c2' }),
    );
    const ids: string[] = [];
    for await (const { id } of itemsOf((paging) => client.jobs.list({ query: { status: 'queued', ...paging } })))
      ids.push(id);
    expect(ids).toEqual(['job_1', 'job_2', 'job_3']);
    expect(server.asked[1]?.query.get('status')).toBe('queued');
  });

  it('that repeat themselves end the walk', async () => {
    const { client } = await clientOf(() => succeeded({ items: [], next_cursor: 'again' }));
    const walk = async () => {
      for await (const _ of itemsOf((paging) => client.jobs.list({ query: paging })));
    };
    expect(await errorOf(walk())).toMatchObject({ code: 'BAD_ANSWER' });
  });
});

describe('waitForJob', () => {
  it('polls until the job has ended, and reports its progress', async () => {
    const states = [job(), job({ status: 'in_progress', progress: 0.5 }), job({ status: 'failed', progress: 1 })];
    const { client, clock } = await clientOf((_, count) => succeeded(states[count - 1]));
    const seen: number[] = [];
    const end = await waitForJob(client, 'job_1', {
      clock,
      random: () => 1,
      timeout: 60_000,
      onProgress: ({ progress }) => void seen.push(progress),
    });
    expect(end.status).toBe('failed');
    expect(seen).toEqual([0, 0.5, 1]);
    expect(clock.waits).toEqual([200, 300]);
  });

  it('gives up in time, while the job goes on', async () => {
    const { client, clock } = await clientOf(() => succeeded(job({ status: 'in_progress' })));
    const start = clock.now();
    const error = await errorOf(waitForJob(client, 'job_1', { clock, random: () => 0.5, timeout: 10_000 }));
    expect(error).toMatchObject({ code: 'STILL_PENDING', details: { status: 'in_progress' } });
    expect(clock.now() - start).toBe(10_000);
  });

  it('ends at once when it is interrupted', async () => {
    const interruption = new AbortController();
    const { client } = await clientOf(() => succeeded(job()));
    const waiting = waitForJob(client, 'job_1', {
      clock: { ...manualClock(0), schedule: () => () => undefined },
      random: () => 0.5,
      timeout: 60_000,
      onProgress: () => interruption.abort(),
      signal: interruption.signal,
    });
    expect(await errorOf(waiting)).toMatchObject({ code: 'INTERRUPTED' });
  });
});
