/** Specification, section 7, and the contract's table of errors: every status and code once, with its headers. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError, errors } from '../../../src/contract/errors.ts';
import { requestHeaders } from '../../../src/contract/headers.ts';
import { contract } from '../../../src/contract/index.ts';
import { dictated, examFields, startApi, succeeded } from '../../support/api.ts';
import { controlledEngine } from '../../support/controlled-engine.ts';
import { controlledStore } from './controlled-store.ts';

const engine = controlledEngine();
const storage = controlledStore();
const api = await startApi({ engine, store: storage.between });
const { worklists, records, jobs, oauth, clients } = contract;
const { ingest } = worklists.endpoints;
const { generate, update, correct } = records.endpoints;

// People read them in the command line and the app, which send the headers for them.
test('no message of the table names a header', () => {
  const headers = Object.keys(requestHeaders);
  for (const { title } of Object.values(errors))
    expect(headers.filter((name) => name.includes('-') && title.includes(name))).toEqual([]);
});

describe('§7 HTTP statuses', () => {
  test('200 success', async () => {
    expect(await api.call(oauth.endpoints.validate)).toMatchObject({ status: 200, json: { success: true } });
  });

  test('201 created', async () => {
    expect(await api.call(generate, { body: { text: dictated } })).toMatchObject({
      status: 201,
      json: { success: true },
    });
  });

  test('202 accepted; asynchronous processing started', async () => {
    expect(await api.call(generate, { body: { text: dictated, mode: 'async' } })).toMatchObject({
      status: 202,
      json: { success: true },
    });
  });

  test('400 bad request', async () => {
    expect(await api.call(generate, { body: {} })).toMatchObject({ status: 400, json: { success: false } });
  });

  test('401 unauthorized', async () => {
    expect(await api.call(generate, { body: {}, token: null })).toMatchObject({
      status: 401,
      json: { success: false },
    });
  });

  test('403 forbidden', async () => {
    const { access_token: token } = await api.tokens({ scopes: ['jobs:read'] });
    expect(await api.call(generate, { body: {}, token })).toMatchObject({ status: 403, json: { success: false } });
  });

  test('404 not found', async () => {
    expect(await api.send({ url: '/api/v1/nothing/here' })).toMatchObject({ status: 404, json: { success: false } });
    for (const [url, path] of [
      ['/jobs', '/api/v1/jobs'],
      ['/v1/medical-records', '/api/v1/medical-records'],
      ['/api/v1/medical-record/rec_1?name=Silva', '/api/v1/medical-records/{id}'],
    ] as const) {
      const { status, json } = await api.send({ url });
      expect({ status, json }).toMatchObject({
        status: 404,
        json: { error: { details: { hint: `Did you mean ${path}?` } } },
      });
    }
  });

  test('429 too many requests, with Retry-After', async () => {
    const limited = await startApi({ rateLimit: 1 }, onTestFinished);
    await limited.call(oauth.endpoints.validate);
    const answer = await limited.call(oauth.endpoints.validate);
    expect(answer).toMatchObject({ status: 429, json: { success: false }, headers: { 'retry-after': '60' } });
  });

  test('500 internal server error, without details', async () => {
    storage.fail(new Error('what went wrong'));
    onTestFinished(storage.recover);
    const answer = await api.call(ingest, { body: examFields() });
    expect(answer).toMatchObject({ status: 500, json: { success: false } });
    expect(answer.error).toEqual({ code: 'INTERNAL_ERROR', message: expect.not.stringContaining('what went wrong') });
  });
});

describe('§7 Error codes', () => {
  test('VALIDATION_FAILED: details.errors lists {field, message, code}', async () => {
    const answer = await api.call(generate, { body: { text: 7, mode: 'later' } });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(answer.error.details.errors).toEqual([
      { field: 'text', message: expect.any(String), code: 'INVALID_TYPE' },
      { field: 'mode', message: expect.any(String), code: 'INVALID_VALUE' },
    ]);
  });

  test.each([
    ['FIELD_REQUIRED', { patient_id: undefined }, 'patient_id'],
    ['INVALID_FORMAT', { exam_datetime: '02/03/2026' }, 'exam_datetime'],
    ['INVALID_MODALITY', { modality: 'XRAY' }, 'modality'],
    ['INVALID_TYPE', { exam_room: 3 }, 'exam_room'],
    ['INVALID_VALUE', { patient_sex: 'X' }, 'patient_sex'],
    ['TOO_LONG', { procedure_id: 'p'.repeat(65) }, 'procedure_id'],
    ['TEST_DATA_REQUIRED', { patient_name: 'SILVA^MARIA' }, 'patient_name'],
  ])('%s: inside a 400, and per item in data.errors of a 200', async (code, fields, field) => {
    const bad = examFields(fields);
    const alone = await api.call(ingest, { body: bad });
    expect(alone).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_FAILED', details: { errors: [{ field, code }] } },
    });
    const batch = await api.call(ingest, { body: [bad, examFields()] });
    expect(batch).toMatchObject({ status: 200, data: { errors: [{ index: 0, field, error: code }] } });
  });

  test('UNAUTHORIZED', async () => {
    const answer = await api.call(ingest, { token: 'unknown', body: examFields() });
    expect(answer).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED', details: { hint: expect.any(String) } },
    });
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="laudio", error="invalid_token"/);
  });

  test('RATE_LIMIT_EXCEEDED', async () => {
    const answer = await api.call(oauth.endpoints.validate, { headers: { 'x-laudio-simulate': 'status=429' } });
    expect(answer).toMatchObject({
      status: 429,
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: 100, window: '1 minute', retry_after: 1 } },
    });
  });
});

describe('§7 Other rules', () => {
  test('authorization redirect errors carry error, error_description and state', async () => {
    const query = {
      client_id: 'test_tc_local',
      redirect_uri: 'http://127.0.0.1/callback',
      state: 'xyz',
      response_type: 'code',
      scope: 'all',
    };
    const { headers } = await api.call(oauth.endpoints.authorize, { query });
    expect(Object.fromEntries(new URL(headers['location']!).searchParams)).toMatchObject({
      error: 'invalid_scope',
      error_description: expect.any(String),
      state: 'xyz',
    });
  });

  test('every response carries a unique X-Request-Id and X-Processing-Time', async () => {
    const addresses = [
      '/api/v1/jobs',
      '/api/v1/jobs',
      '/nothing',
      '/',
      '/docs',
      '/healthz',
      '/login',
      '/api/oauth/authorize',
      '/%zz',
    ];
    const answers = await Promise.all(addresses.map((url) => api.send({ url })));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(addresses.length);
    for (const { headers } of answers) expect(headers['x-processing-time']).toMatch(/^\d+(\.\d)?$/);
  });

  test.each(['0199c2f4-1f7e-7cc3-98c4-dc0c0c07398f', 'x', '~'.repeat(128)])(
    "a caller's own X-Request-Id is kept: %s",
    async (id) => {
      const { headers } = await api.call(oauth.endpoints.validate, { headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).toBe(id);
    },
  );

  test.each(['', 'two words', 'é', 'y'.repeat(129)])('another one is replaced: %s', async (id) => {
    const { headers } = await api.call(oauth.endpoints.validate, { headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toMatch(/^req_[0-9A-Z]{26}$/);
  });
});

describe("The contract's table of errors", () => {
  test('400 INVALID_JSON', async () => {
    expect(await api.call(ingest, { body: '{"accession_number": ' })).toMatchObject({
      status: 400,
      error: { code: 'INVALID_JSON' },
    });
  });

  test('403 INSUFFICIENT_SCOPE, with WWW-Authenticate', async () => {
    const { access_token: token } = await api.tokens({ scopes: ['jobs:read'] });
    const answer = await api.call(ingest, { body: examFields(), token });
    expect(answer).toMatchObject({
      status: 403,
      error: {
        code: 'INSUFFICIENT_SCOPE',
        details: { required_scope: 'worklists:write', granted_scopes: ['jobs:read'] },
      },
    });
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="laudio", error="insufficient_scope", scope="worklists:write"',
    );
  });

  test('405 METHOD_NOT_ALLOWED, with Allow', async () => {
    const answer = await api.send({ method: 'PUT', url: '/api/v1/jobs/job_1' });
    expect(answer).toMatchObject({
      status: 405,
      error: { code: 'METHOD_NOT_ALLOWED' },
      headers: { allow: 'GET, DELETE, HEAD' },
    });
  });

  test('405 for the HEAD of a stream, which Allow does not name', async () => {
    const answer = await api.send({ method: 'HEAD', url: worklists.endpoints.events.path });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET' } });
  });

  test('409 INVALID_TRANSITION', async () => {
    const params = { id: await api.exam() };
    const move = (status: string) => api.call(worklists.endpoints.setStatus, { params, body: { status } });
    succeeded(await move('completed'));
    expect(await move('new')).toMatchObject({
      status: 409,
      error: { code: 'INVALID_TRANSITION', details: { status: 'completed', allowed: ['in_progress'] } },
    });
  });

  test('409 JOB_NOT_FINISHED, then JOB_NOT_CANCELLABLE', async () => {
    const { id } = await api.enqueue(undefined, { headers: { 'x-laudio-simulate': 'job=slow:60000' } });
    const params = { id };
    expect(await api.call(jobs.endpoints.result, { params })).toMatchObject({
      status: 409,
      error: { code: 'JOB_NOT_FINISHED' },
    });
    succeeded(await api.call(jobs.endpoints.cancel, { params }));
    expect(await api.call(jobs.endpoints.cancel, { params })).toMatchObject({
      status: 409,
      error: { code: 'JOB_NOT_CANCELLABLE', details: { status: 'cancelled' } },
    });
  });

  test('409 and 412 VERSION_CONFLICT: changed while it was being corrected', async () => {
    for (const [headers, status] of [
      [{}, 409],
      [{ 'if-match': '"1"' }, 412],
    ] as const) {
      const { id, sections } = await api.generate();
      const params = { id };
      const calls = engine.calls.length;
      engine.hold();
      const correcting = api.call(correct, {
        params,
        headers,
        body: { text: 'In the findings, replace clear with free.' },
      });
      await engine.called(calls + 1);
      const body = { sections: sections.map((section) => ({ ...section, text: 'Changed meanwhile.' })) };
      succeeded(await api.call(update, { params, body }));
      engine.release();
      expect(await correcting).toMatchObject({ status, error: { code: 'VERSION_CONFLICT', details: { version: 2 } } });
    }
  });

  test('409 REQUEST_IN_PROGRESS, then 422 IDEMPOTENCY_KEY_REUSED', async () => {
    const ask = { body: examFields(), headers: { 'idempotency-key': 'in-progress' } };
    const held = storage.hold();
    const first = api.call(ingest, ask);
    await held;
    expect(await api.call(ingest, ask)).toMatchObject({
      status: 409,
      error: { code: 'REQUEST_IN_PROGRESS' },
      headers: { 'retry-after': '1' },
    });
    storage.release();
    succeeded(await first);
    const other = await api.call(ingest, { ...ask, body: examFields() });
    expect(other).toMatchObject({ status: 422, error: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  test('410 JOB_RESULT_GONE', async () => {
    const { id, record_id } = await api.ended((await api.enqueue()).id);
    succeeded(await api.call(records.endpoints.delete, { params: { id: record_id! } }));
    expect(await api.call(jobs.endpoints.result, { params: { id } })).toMatchObject({
      status: 410,
      error: { code: 'JOB_RESULT_GONE' },
    });
  });

  test('413 PAYLOAD_TOO_LARGE', async () => {
    const answer = await api.call(clients.endpoints.create, { body: `"${'x'.repeat(1024 * 1024)}"` });
    expect(answer).toMatchObject({
      status: 413,
      error: { code: 'PAYLOAD_TOO_LARGE', details: { limit_bytes: 1024 * 1024 } },
    });
  });

  test('415 UNSUPPORTED_MEDIA_TYPE', async () => {
    const answer = await api.call(generate, { body: 'Test Patient', headers: { 'content-type': 'text/plain' } });
    expect(answer).toMatchObject({
      status: 415,
      error: { code: 'UNSUPPORTED_MEDIA_TYPE', details: { supported: ['application/json', 'multipart/form-data'] } },
    });
  });

  test.each([
    ['STORAGE_UNAVAILABLE', () => storage.fail(new AppError('STORAGE_UNAVAILABLE'))],
    ['ENGINE_UNAVAILABLE', () => engine.failNext(new AppError('ENGINE_UNAVAILABLE'))],
    ['SERVER_BUSY', () => ({ 'x-laudio-simulate': 'status=503' })],
  ])('503 %s, with Retry-After and nothing half-done', async (code, prepare) => {
    const before = await api.stored();
    const headers = prepare() ?? {};
    const answer = await api.call(generate, { body: { text: dictated }, headers });
    storage.recover();
    expect(answer).toMatchObject({
      status: 503,
      error: { code },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    expect(await api.stored()).toEqual(before);
  });
});
