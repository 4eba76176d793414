/** What an operator sees of the calls that reached the server, and what nobody may see of them. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import type { InspectedCall } from '../../../../src/contract/inspector.ts';
import { dictated, examFields, startApi, succeeded } from '../../../support/api.ts';

const api = await startApi();
const { list, show, replay } = contract.inspector.endpoints;
const { worklists, records, oauth } = contract;

const calls = async (query: Record<string, unknown> = {}): Promise<InspectedCall[]> =>
  succeeded(await api.call(list, { query })).items;
const newest = async (): Promise<InspectedCall> => (await calls({ limit: 1 }))[0]!;
const messagesOf = async (number: number) => succeeded(await api.call(show, { params: { number } }));

describe('the inspector', () => {
  test('shows each call: method, path, client, scope, decision, status, request id', async () => {
    const answer = await api.call(worklists.endpoints.ingest, { body: examFields() });
    expect(await newest()).toEqual({
      number: expect.any(Number),
      at: '2026-03-02T11:30:00.000Z',
      method: 'POST',
      path: '/api/v1/worklists/ingest',
      query: {},
      client_id: 'test_tc_local',
      scope: 'worklists:write',
      test_mode: true,
      decision: 'allowed',
      fault: null,
      status: 200,
      duration_ms: expect.any(Number),
      request_id: answer.headers['x-request-id'],
      request_bytes: expect.any(Number),
      answer_bytes: answer.text.length,
    });
  });

  test('shows why a call was refused', async () => {
    const { access_token: token } = await api.tokens({ scopes: ['worklists:read'] });
    const refused: [() => Promise<unknown>, Partial<InspectedCall>][] = [
      [() => api.call(worklists.endpoints.list, { token: null }), { decision: 'UNAUTHORIZED', status: 401 }],
      [
        () => api.call(worklists.endpoints.ingest, { token, body: {} }),
        { decision: 'INSUFFICIENT_SCOPE', status: 403, scope: 'worklists:write', client_id: 'test_tc_local' },
      ],
      [
        () => api.call(worklists.endpoints.ingest, { body: { items: [] } }),
        { decision: 'VALIDATION_FAILED', status: 400 },
      ],
      [
        () => api.call(worklists.endpoints.list, { headers: { 'X-Laudio-Simulate': 'status=503' } }),
        { decision: 'SERVER_BUSY', status: 503, fault: 'X-Laudio-Simulate' },
      ],
      [
        () =>
          api.call(oauth.endpoints.token, {
            body: { grant_type: 'refresh_token', client_id: 'x', client_secret: 'y' },
          }),
        { decision: 'invalid_client', status: 401, path: oauth.endpoints.token.path },
      ],
      [
        () => api.send({ url: '/api/v1/nothing/of/that/kind' }),
        { decision: 'NOT_FOUND', status: 404, path: '/api/v1/{…}/{…}/{…}/{…}' },
      ],
    ];
    for (const [call, expected] of refused) {
      await call();
      expect(await newest()).toMatchObject(expected);
    }
  });

  test('a call whose connection is cut off is there without an answer', async () => {
    const before = (await newest()).number;
    await api
      .send({
        url: worklists.endpoints.list.path,
        headers: { authorization: `Bearer ${api.token}`, 'x-laudio-simulate': 'drop' },
      })
      .catch(() => undefined);
    expect((await calls({ after: before }))[0]).toMatchObject({ decision: 'cut_off', status: null });
  });

  test('shows messages without what was said in them', async () => {
    const answer = await api.call(worklists.endpoints.ingest, {
      body: { items: [{ ...examFields(), patient_sex: 'F', metadata: { a: 'b' }, series_count: 3 }] },
      headers: { 'Idempotency-Key': 'key-1' },
    });
    const messages = await messagesOf((await newest()).number);
    expect(messages.request).toEqual({
      headers: {
        'content-type': 'application/json',
        'content-length': expect.any(String),
        'idempotency-key': '‹a key›',
        authorization: 'Bearer ‹token›',
      },
      body: {
        items: [
          {
            accession_number: expect.stringMatching(/^‹text, \d characters›$/),
            patient_id: '‹text, 7 characters›',
            patient_name: '‹text, 14 characters›',
            modality: expect.anything(),
            exam_datetime: '‹text, 25 characters›',
            exam_description: '‹text, 25 characters›',
            patient_sex: 'F',
            metadata: '‹1 field›',
            series_count: 3,
          },
        ],
      },
    });
    const { items } = succeeded(answer);
    expect(messages.answer?.body).toMatchObject({
      success: true,
      data: { inserted: 1, items: [{ id: items[0]!.id, status: 'inserted' }] },
    });
  });

  test('a failure shows its code, and the fields that the contract knows', async () => {
    // None of these letters is in an id.
    await api.call(worklists.endpoints.ingest, {
      body: { items: [{ ...examFields(), modality: 'ILU', MARIA: 'SILVA' }] },
    });
    const { answer } = await messagesOf((await newest()).number);
    expect(JSON.stringify(answer)).toContain('INVALID_MODALITY');
    expect(JSON.stringify(answer)).toContain('modality');
    expect(JSON.stringify(answer)).not.toMatch(/MARIA|SILVA|ILU/);
  });

  test('makes a call of a test client again, as it was', async () => {
    await api.call(worklists.endpoints.ingest, { body: examFields() });
    const { number } = await newest();
    const again = succeeded(await api.call(replay, { params: { number } }));
    expect(again).toMatchObject({ number: number + 1, status: 200, decision: 'allowed' });
    expect(again.answer?.body).toMatchObject({ data: { deduped: 1 } });
    const cut = await api.call(replay, { params: { number: 100_000 } });
    expect(cut).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
  });

  test('keeps no messages of real clients', async () => {
    const client = await api.createClient({ test_mode: false, space: 'hospital' });
    await api.createUser({ username: 'ana', password: 'correct horse', space: 'hospital' });
    const login = { username: 'ana', password: 'correct horse' };
    const { access_token: token } = await api.tokens({ client, login });
    await api.call(worklists.endpoints.ingest, { token, body: examFields({ patient_name: 'SILVA^MARIA' }) });
    const { number, client_id } = await newest();
    expect(client_id).toBe(client.client_id);
    expect(await messagesOf(number)).toMatchObject({ request: null, answer: null, replayable: false, status: 200 });
    expect((await api.call(replay, { params: { number } })).error.code).toBe('INVALID_TRANSITION');
  });

  test('no canary shows, wherever a client puts it', async () => {
    const canary = 'CANARIO7XQ';
    const token = api.token;
    const headers = { authorization: `Bearer ${token}` };
    const everywhere = {
      [canary]: canary,
      patient_name: canary,
      modality: canary,
      metadata: { [canary]: [canary] },
      status: canary,
    };
    await api.call(worklists.endpoints.ingest, { body: { items: [everywhere, canary, [canary]] } });
    await api.call(worklists.endpoints.ingest, {
      body: `{"${canary}": ${canary}}`,
      headers: { 'content-type': 'application/json' },
    });
    await api.call(records.endpoints.generate, { body: { text: `${dictated} ${canary}`, template_id: canary } });
    await api.generate({ text: `Test Patient. Findings: ${canary}.`, template_id: 'test_template_general' });
    await api.send({ url: `/api/v1/worklists/${canary}?${canary}=${canary}&text=${canary}&limit=${canary}`, headers });
    await api.send({
      url: `/api/v1/${canary}`,
      method: 'POST',
      payload: canary,
      headers: { ...headers, 'content-type': `text/${canary}` },
    });
    await api.send({
      url: worklists.endpoints.list.path,
      headers: {
        ...headers,
        'x-laudio-simulate': canary,
        'if-match': canary,
        'idempotency-key': canary,
        cookie: canary,
        'user-agent': canary,
      },
    });
    await api.call(oauth.endpoints.token, {
      body: { grant_type: canary, code: canary, client_id: canary, client_secret: canary },
    });
    await api.send({
      url: `${oauth.endpoints.authorize.path}?client_id=${canary}&redirect_uri=${canary}&state=${canary}&scope=${canary}`,
    });
    const all = await calls({ limit: 1000 });
    expect(all.length).toBeGreaterThan(9);
    const shown = await Promise.all(all.map(({ number }) => messagesOf(number)));
    expect(JSON.stringify(shown)).not.toContain(canary);
    expect(JSON.stringify(shown)).not.toContain(token);
  });

  test('remembers the latest thousand calls, and the messages of two hundred', async () => {
    for (let count = 0; count < 1010; count++)
      await api.send({ url: worklists.endpoints.list.path, headers: { authorization: `Bearer ${api.token}` } });
    const all = await calls({ limit: 1000 });
    expect(all).toHaveLength(1000);
    expect(all.map(({ number }) => number)).toEqual(Array.from({ length: 1000 }, (_, at) => all[0]!.number - at));
    const kept = await Promise.all(all.map(({ number }) => messagesOf(number)));
    expect(kept.filter(({ request }) => request !== null)).toHaveLength(200);
  });

  test('lists only what is asked for', async () => {
    await api.call(worklists.endpoints.list, { token: null });
    await api.call(worklists.endpoints.list);
    expect((await calls({ outcome: 'refused', limit: 1 }))[0]).toMatchObject({ decision: 'UNAUTHORIZED' });
    expect((await calls({ client_id: 'test_tc_local', limit: 3 })).map(({ client_id }) => client_id)).toEqual(
      Array.from({ length: 3 }, () => 'test_tc_local'),
    );
    expect((await api.call(list, { token: api.token })).status).toBe(401);
  });
});
