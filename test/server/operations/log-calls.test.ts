/** The line of the log for each call. */
import { expect, test } from 'vitest';
import type { Log } from '../../../server/index.ts';
import { contract } from '../../../src/contract/index.ts';
import { dictated, examFields, startApi } from '../../support/api.ts';

const entries: Parameters<Log>[0][] = [];
const api = await startApi({ callLog: (entry) => void entries.push(entry) });
const { worklists, records, oauth } = contract;

test('says how each call ended, in the words of the contract', async () => {
  const answer = await api.call(worklists.endpoints.get, { params: { id: 'wli_of_nobody' } });
  expect(entries.at(-1)).toEqual({
    level: 'info',
    event: 'call',
    request_id: answer.headers['x-request-id'],
    method: 'GET',
    route: worklists.endpoints.get.path,
    status: 404,
    duration_ms: expect.any(Number),
    client_id: 'test_tc_local',
    code: 'NOT_FOUND',
  });
  await api.call(worklists.endpoints.list, { headers: { 'X-Laudio-Simulate': 'status=503' } });
  expect(entries.at(-1)).toMatchObject({ level: 'error', status: 503, code: 'SERVER_BUSY' });
  const cut = { authorization: `Bearer ${api.token}`, 'x-laudio-simulate': 'drop' };
  await api.send({ url: worklists.endpoints.list.path, headers: cut }).catch(() => undefined);
  expect(entries.at(-1)).toMatchObject({ level: 'warn', status: null });
});

test('no canary is in it, wherever a client puts it', async () => {
  const canary = 'CANARIO7XQ';
  const headers = { authorization: `Bearer ${api.token}`, cookie: canary, 'user-agent': canary, 'if-match': canary };
  await api.call(worklists.endpoints.ingest, { body: examFields({ patient_name: canary, [canary]: canary }) });
  await api.call(records.endpoints.generate, { body: { text: `${dictated} ${canary}`, template_id: canary } });
  await api.send({ url: `/api/v1/worklists/${canary}?${canary}=${canary}&q=${canary}`, headers });
  await api.send({ url: `/${canary}?${canary}`, method: 'POST', payload: canary, headers });
  await api.call(oauth.endpoints.token, {
    body: { grant_type: canary, code: canary, client_id: canary, client_secret: canary },
  });
  await api.send({ url: `${oauth.endpoints.authorize.path}?client_id=${canary}&state=${canary}&scope=${canary}` });
  expect(entries.length).toBeGreaterThan(8);
  expect(JSON.stringify(entries)).not.toContain(canary);
  expect(JSON.stringify(entries)).not.toContain(api.token);
});
