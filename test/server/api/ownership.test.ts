/** The contract's "Ownership": nothing is ever visible across spaces, and what is shared is shared by a space alone. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { dictated, examFields, startApi, succeeded } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';

const api = await startApi();
const { worklists, records, jobs, clients } = contract;
const other = (await api.tokens({ client: await api.createClient({ test_mode: true }) })).access_token;

const owned = (async () => {
  const item = await api.exam({ accession_number: 'SL-OWN', study_uid: '1.2.99' });
  const record = await api.generate({ audio: { content_type: 'audio/wav', data: wav().toString('base64') } });
  const job = await api.ended((await api.enqueue({ text: dictated })).id);
  return { item, record: record.id, job: job.id };
})();

describe('Ownership', () => {
  const { setStatus, get: getItem, history } = worklists.endpoints;
  test.each([
    [getItem, 'item', {}],
    [history, 'item', {}],
    [setStatus, 'item', { body: { status: 'in_progress' } }],
    [records.endpoints.get, 'record', {}],
    [records.endpoints.update, 'record', { body: { title: 'Mine' } }],
    [records.endpoints.delete, 'record', {}],
    [records.endpoints.correct, 'record', { body: { text: 'In the findings, replace clear with free.' } }],
    [records.endpoints.versions, 'record', {}],
    [records.endpoints.version, 'record', { params: { n: 1 } }],
    [records.endpoints.audio, 'record', {}],
    [records.endpoints.export, 'record', { query: { format: 'txt' } }],
    [jobs.endpoints.get, 'job', {}],
    [jobs.endpoints.logs, 'job', {}],
    [jobs.endpoints.result, 'job', {}],
    [jobs.endpoints.cancel, 'job', {}],
  ] as const)('$method $path of another space: 404, as if it did not exist', async (endpoint, kind, ask) => {
    const id = (await owned)[kind];
    const params = { ...('params' in ask && ask.params), id };
    const theirs = await api.call(endpoint, { ...ask, params, token: other });
    const nobodys = await api.call(endpoint, { ...ask, params: { ...params, id: `${kind}_nobody` }, token: other });
    expect(theirs).toMatchObject({ status: 404, error: nobodys.error });
  });

  test.each([worklists.endpoints.list, records.endpoints.list, jobs.endpoints.list])(
    '$path of another space is empty',
    async (endpoint) => {
      await owned;
      expect(succeeded(await api.call(endpoint)).items.length).toBeGreaterThan(0);
      expect(succeeded(await api.call(endpoint, { token: other })).items).toEqual([]);
    },
  );

  test('a worklist item of another space is none to generate for', async () => {
    const { item } = await owned;
    const answer = await api.call(records.endpoints.generate, {
      body: { text: dictated, worklist_item_id: item },
      token: other,
    });
    expect(answer).toMatchObject({
      status: 400,
      error: { details: { errors: [{ field: 'worklist_item_id', code: 'INVALID_VALUE' }] } },
    });
  });

  test('deduplication stays inside a space', async () => {
    await owned;
    const same = examFields({ accession_number: 'SL-OWN', study_uid: '1.2.99' });
    const token = (await api.tokens({ client: await api.createClient({ test_mode: true }) })).access_token;
    expect(await api.ingest(same, { token })).toMatchObject({ inserted: 1, deduped: 0 });
    expect(await api.ingest(same)).toMatchObject({ inserted: 0, deduped: 1 });
  });

  test('idempotency keys stay with their client', async () => {
    const token = (await api.tokens({ client: await api.createClient({ test_mode: true }) })).access_token;
    const headers = { 'idempotency-key': 'the-same-key' };
    const body = examFields();
    const mine = await api.call(worklists.endpoints.ingest, { body, headers });
    const theirs = await api.call(worklists.endpoints.ingest, { body, headers, token });
    expect(theirs).toMatchObject({ status: 200, data: { inserted: 1 } });
    expect(theirs.headers).not.toHaveProperty('idempotency-replayed');
    expect(theirs.data.items[0]!.id).not.toBe(mine.data.items[0]!.id);
  });

  test('cursors stay inside a space', async () => {
    const token = (await api.tokens({ client: await api.createClient({ test_mode: true }) })).access_token;
    await api.ingest([examFields(), examFields()]);
    const { next_cursor: cursor } = succeeded(await api.call(worklists.endpoints.list, { query: { limit: 1 } }));
    const answer = await api.call(worklists.endpoints.list, { query: { cursor }, token });
    expect(answer).toMatchObject({
      status: 400,
      error: { details: { errors: [{ field: 'cursor', code: 'INVALID_VALUE' }] } },
    });
  });

  test('production clients share the space of their organisation: what the RIS sends, the physician sees', async () => {
    const [ris, app] = [await api.createClient(), await api.createClient()];
    expect([ris.space, app.space]).toEqual(['local', 'local']);
    const login = { username: 'prado', password: 'correct horse' };
    await api.createUser(login);
    const [sender, physician] = [await api.tokens({ client: ris, login }), await api.tokens({ client: app, login })];
    const id = await api.exam({ patient_name: 'SILVA^MARIA' }, { token: sender.access_token });
    expect(succeeded(await api.call(getItem, { params: { id }, token: physician.access_token }))).toMatchObject({
      display_name: 'Maria Silva',
    });
    expect((await api.call(getItem, { params: { id } })).status).toBe(404);
  });

  test('each test client has a separate space, unless it is created with one; real and test data never share one', async () => {
    const alone = await api.createClient({ test_mode: true });
    expect(alone.space).toBe(alone.client_id);
    const [first, second] = [
      await api.createClient({ test_mode: true, space: 'qa' }),
      await api.createClient({ test_mode: true, space: 'qa' }),
    ];
    const token = (await api.tokens({ client: first })).access_token;
    const id = await api.exam({}, { token });
    const shared = (await api.tokens({ client: second })).access_token;
    expect((await api.call(getItem, { params: { id }, token: shared })).status).toBe(200);
    const redirect_uris = ['http://127.0.0.1/callback'];
    for (const body of [
      { name: 'x', redirect_uris, space: 'qa' },
      { name: 'x', redirect_uris, space: 'local', test_mode: true },
    ]) {
      const refused = await api.call(clients.endpoints.create, { body });
      expect(refused).toMatchObject({ status: 400, error: { details: { errors: [{ field: 'space' }] } } });
    }
  });
});
