/** Specification, section 4.4: jobs. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { dictated, startApi, succeeded } from '../../support/api.ts';
import { controlledEngine } from '../../support/controlled-engine.ts';

const engine = controlledEngine();
const api = await startApi({ engine });
const { list, get, logs, result, cancel } = contract.jobs.endpoints;
const failing = { headers: { 'x-laudio-simulate': 'job=fail' } };

/** One completed at 11:31, one failed at 11:32. */
const jobs = (async () => {
  api.clock.advance(60_000);
  const worklist_item_id = await api.exam();
  const completed = await api.ended((await api.enqueue({ text: dictated, worklist_item_id })).id);
  api.clock.advance(60_000);
  const failed = await api.ended((await api.enqueue(undefined, failing)).id);
  return { completed, failed, worklist_item_id };
})();

/** A job that the engine has in hand until `release`. */
async function heldJob(): Promise<string> {
  engine.hold();
  const before = engine.calls.length;
  const { id } = await api.enqueue();
  await engine.called(before + 1);
  return id;
}

describe('§4.4 GET /api/v1/jobs', () => {
  test('newest first', async () => {
    const { completed, failed } = await jobs;
    expect(succeeded(await api.call(list)).items).toEqual([failed, completed]);
  });

  test.each([
    ['status', { status: 'failed' }],
    ['from', { from: '2026-03-02T11:32:00Z' }],
  ])('filter %s', async (_name, query) => {
    const { failed } = await jobs;
    expect(succeeded(await api.call(list, { query })).items).toEqual([failed]);
  });

  test('filters to and type', async () => {
    const { completed } = await jobs;
    const query = { to: '2026-03-02T11:31:59Z', type: 'medical_record.generate' };
    expect(succeeded(await api.call(list, { query })).items).toEqual([completed]);
    expect((await api.call(list, { query: { type: 'other' } })).status).toBe(400);
  });
});

describe('§4.4 GET /api/v1/jobs/{id}', () => {
  test('a completed job', async () => {
    const { completed, worklist_item_id } = await jobs;
    expect(succeeded(await api.call(get, { params: { id: completed.id } }))).toEqual({
      id: completed.id,
      type: 'medical_record.generate',
      status: 'completed',
      progress: 1,
      attempts: 1,
      record_id: expect.stringMatching(/^rec_/),
      worklist_item_id,
      error: null,
      created_at: '2026-03-02T11:31:00.000Z',
      started_at: '2026-03-02T11:31:00.000Z',
      finished_at: '2026-03-02T11:31:00.000Z',
      updated_at: '2026-03-02T11:31:00.000Z',
    });
  });

  test('a failed job says why', async () => {
    expect((await jobs).failed.error).toEqual({ code: 'SIMULATED_FAILURE', message: expect.stringMatching(/\w/) });
  });
});

describe('§4.4 GET /api/v1/jobs/{id}/logs', () => {
  test('entries of at, level and message, oldest first', async () => {
    const { completed, failed } = await jobs;
    const logOf = async (id: string) => succeeded(await api.call(logs, { params: { id } })).items;
    const lines = await logOf(completed.id);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines)
      expect(line).toEqual({ at: '2026-03-02T11:31:00.000Z', level: 'info', message: expect.stringMatching(/\w/) });
    expect((await logOf(failed.id)).at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringContaining('SIMULATED_FAILURE'),
    });
    expect(JSON.stringify(lines)).not.toMatch(/patient|effusion/i);
  });
});

describe('§4.4 GET /api/v1/jobs/{id}/result', () => {
  test('of a completed job: the record', async () => {
    const { completed } = await jobs;
    const answer = await api.call(result, { params: { id: completed.id } });
    expect(answer).toMatchObject({
      status: 200,
      headers: { etag: '"1"' },
      data: { id: completed.record_id, job_id: completed.id, transcript: dictated },
    });
  });

  test('of a failed job: its error', async () => {
    const { failed } = await jobs;
    expect(succeeded(await api.call(result, { params: { id: failed.id } }))).toEqual({
      job_id: failed.id,
      status: 'failed',
      error: failed.error,
    });
  });

  test('before it has ended: 409 JOB_NOT_FINISHED', async () => {
    const id = await heldJob();
    const answer = await api.call(result, { params: { id } });
    expect(answer).toMatchObject({
      status: 409,
      error: { code: 'JOB_NOT_FINISHED', details: { status: 'in_progress' } },
    });
    engine.release();
    await api.ended(id);
  });

  test('of a record that was deleted: 410 JOB_RESULT_GONE', async () => {
    const { id, record_id } = await api.ended((await api.enqueue()).id);
    succeeded(await api.call(contract.records.endpoints.delete, { params: { id: record_id! } }));
    expect(await api.call(result, { params: { id } })).toMatchObject({
      status: 410,
      error: { code: 'JOB_RESULT_GONE' },
    });
  });
});

describe('§4.4 DELETE /api/v1/jobs/{id}', () => {
  test('cancels it: no record comes of it, however late the engine is', async () => {
    const recordCount = async () =>
      succeeded(await api.call(contract.records.endpoints.list, { query: { limit: 200 } })).items.length;
    const before = await recordCount();
    const id = await heldJob();
    expect(await api.call(cancel, { params: { id } })).toMatchObject({
      status: 200,
      data: { id, status: 'cancelled', record_id: null },
    });
    engine.release();
    await api.ended((await api.enqueue(undefined, failing)).id);
    expect(succeeded(await api.call(result, { params: { id } }))).toEqual({
      job_id: id,
      status: 'cancelled',
      error: null,
    });
    expect(await recordCount()).toBe(before);
    expect(await api.call(cancel, { params: { id } })).toMatchObject({
      status: 409,
      error: { code: 'JOB_NOT_CANCELLABLE' },
    });
  });
});

describe('§4.4 Scopes and addresses', () => {
  test.each([list, get, logs, result])('$path: jobs:read', async (endpoint) => {
    const { access_token } = await api.tokens({ scopes: ['jobs:write'] });
    const answer = await api.call(endpoint, { params: { id: 'job_any' }, token: access_token });
    expect(answer).toMatchObject({
      status: 403,
      error: { code: 'INSUFFICIENT_SCOPE', details: { required_scope: 'jobs:read' } },
    });
  });

  test('cancelling: jobs:write', async () => {
    const { access_token } = await api.tokens({ scopes: ['jobs:read'] });
    const answer = await api.call(cancel, { params: { id: 'job_any' }, token: access_token });
    expect(answer).toMatchObject({ status: 403, error: { details: { required_scope: 'jobs:write' } } });
  });

  test.each([get, logs, result, cancel])('$method $path of an unknown job: 404', async (endpoint) => {
    expect(await api.call(endpoint, { params: { id: 'job_unknown' } })).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    });
  });
});
