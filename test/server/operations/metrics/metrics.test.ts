/** What a monitor reads at /metrics, and what it never reads there. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { dictated, examFields, startApi } from '../../../support/api.ts';
import { readExposition } from '../../../support/exposition.ts';

const monitorToken = 'a-token-for-the-monitor';
const api = await startApi({ monitorToken, rateLimit: 60 });
const { metrics, status } = contract.system.endpoints;
const { worklists, records } = contract;

const read = async () => readExposition((await api.call(metrics, { token: monitorToken })).text);
async function valueOf(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  const found = (await read()).filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.reduce((sum, { value }) => sum + value, 0);
}

describe('/metrics', () => {
  test('the monitor reads it by its own token, which opens nothing else', async () => {
    expect((await api.call(metrics, { token: monitorToken })).headers['content-type']).toBe(
      'text/plain; version=0.0.4; charset=utf-8',
    );
    expect((await api.call(metrics)).status).toBe(200);
    for (const token of [null, 'a-token-for-the-monitoR', api.token]) {
      expect((await api.call(metrics, { token })).status).toBe(401);
    }
    expect((await api.call(status, { token: monitorToken })).status).toBe(401);
  });

  test('counts calls by route, method and class of status, and refusals by code', async () => {
    const route = worklists.endpoints.get.path;
    const labels = { route, method: 'GET' };
    const before = {
      refused: await valueOf('laudio_http_requests_total', { ...labels, status: '4xx' }),
      notFound: await valueOf('laudio_http_refusals_total', { code: 'NOT_FOUND' }),
    };
    const id = await api.exam();
    await api.call(worklists.endpoints.get, { params: { id } });
    await api.call(worklists.endpoints.get, { params: { id: 'wli_of_nobody' } });
    expect(await valueOf('laudio_http_requests_total', { ...labels, status: '2xx' })).toBe(1);
    expect(await valueOf('laudio_http_requests_total', { ...labels, status: '4xx' })).toBe(before.refused + 1);
    expect(await valueOf('laudio_http_refusals_total', { code: 'NOT_FOUND' })).toBe(before.notFound + 1);
    expect(await valueOf('laudio_http_request_duration_seconds_count', labels)).toBe(2);
    // The call that asks.
    expect(await valueOf('laudio_http_requests_in_flight')).toBe(1);
  });

  test('counts jobs, commits, logins and requests above the limit', async () => {
    await api.createUser({ username: 'ana', password: 'correct horse' });
    const client = await api.createClient();
    await api.tokens({ client, login: { username: 'ana', password: 'correct horse' } });
    await expect(api.tokens({ client, login: { username: 'ana', password: 'wrong' } })).rejects.toThrow();
    expect(await valueOf('laudio_logins_total', { outcome: 'done' })).toBe(1);
    expect(await valueOf('laudio_logins_total', { outcome: 'wrong' })).toBe(1);
    const commits = await valueOf('laudio_store_commit_seconds_count');
    const { id } = await api.enqueue({ text: dictated, template_id: 'test_template_general' });
    await api.ended(id);
    // Jobs are counted once their commit is read.
    await expect.poll(() => valueOf('laudio_jobs_ended_total', { status: 'completed' })).toBe(1);
    expect(await valueOf('laudio_job_wait_seconds_count')).toBe(1);
    expect(await valueOf('laudio_store_commit_seconds_count')).toBeGreaterThan(commits);
    expect(await valueOf('laudio_store_documents', { collection: 'records' })).toBe(1);
    while ((await api.call(worklists.endpoints.list)).status === 200);
    expect(await valueOf('laudio_http_refusals_total', { code: 'RATE_LIMIT_EXCEEDED' })).toBe(1);
    api.clock.advance(60_000);
  });

  test('no canary becomes a label, and labels stay few whatever is sent', async () => {
    const canary = 'CANARIO7XQ';
    await api.call(worklists.endpoints.ingest, { body: examFields({ patient_name: canary, modality: canary }) });
    await api.call(records.endpoints.generate, { body: { text: canary, template_id: canary } });
    const size = (await read()).length;
    for (let n = 0; n < 20; n++) {
      const headers = { authorization: `Bearer ${api.token}`, 'x-request-id': `${canary}${n}` };
      await api.send({ url: `/api/v1/worklists/${canary}${n}`, headers });
      await api.send({ url: `/${canary}/${n}?${canary}=${canary}` });
    }
    const { text } = await api.call(metrics);
    expect(text).not.toContain(canary);
    expect(text).not.toMatch(/(?:wli|rec|req|usr|cli)_/);
    expect(readExposition(text).length).toBeLessThan(size + 60);
  });
});
