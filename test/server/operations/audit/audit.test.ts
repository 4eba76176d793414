/** Who saw or changed what, as the operator reads it; and what nobody reads there. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '../../../../src/contract/audit.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { contract } from '../../../../src/contract/index.ts';
import { dictated, examFields, startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { connectMllp, orderMessage } from '../../../support/mllp.ts';
import { controlledStore } from '../../http/controlled-store.ts';
import { backupOf, everything, exportOf, restoreTo, seedTo } from '../../../support/maintenance.ts';

const { list, verify } = contract.audit.endpoints;
const { worklists, records, users, clients, maintenance, priors, signatures, criticalResults } = contract;
const start = () => startApi({}, onTestFinished);

const entriesOf = async (api: Api, query: Record<string, unknown> = {}): Promise<AuditEntry[]> =>
  succeeded(await api.call(list, { query })).items;
const newest = async (api: Api, query: Record<string, unknown> = {}) =>
  (await entriesOf(api, { ...query, limit: 1 }))[0];
const verdictOf = async (api: Api) => succeeded(await api.call(verify));

/** A person of a hospital, through an application of it. */
async function person(api: Api, username = 'ana') {
  const client = await api.createClient();
  const login = { username, password: 'correct horse' };
  const user = await api.createUser(login);
  const { access_token: token } = await api.tokens({ client, login });
  return { user, client, token, login };
}

describe('a change', () => {
  test('has an entry with who, what and by which call', async () => {
    const api = await start();
    const { user, client, token } = await person(api);
    const answer = await api.call(worklists.endpoints.ingest, { token, body: { items: [examFields(), examFields()] } });
    const ids = succeeded(answer).items.map(({ id }) => id);
    expect(await newest(api)).toEqual({
      number: expect.any(Number),
      at: '2026-03-02T11:30:00.000Z',
      by: 'person',
      user_id: user.id,
      client_id: client.client_id,
      action: 'worklists.ingest',
      kind: 'items',
      ids,
      outcome: 'done',
      request_id: answer.headers['x-request-id'],
      address: '127.0.0.1',
      previous: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
  });

  test('by a job, the operator, a login and the server itself has one, too', async () => {
    const api = await start();
    const { user, client, token } = await person(api);
    const job = await api.ended((await api.enqueue({ text: dictated }, { token })).id, { token });
    expect(await entriesOf(api, { id: job.record_id! })).toMatchObject([
      { by: 'service', action: 'jobs.run', kind: 'records', user_id: user.id, client_id: client.client_id },
    ]);
    expect(await entriesOf(api, { id: job.id })).toContainEqual(
      expect.objectContaining({ action: 'records.generate' }),
    );
    expect(await entriesOf(api, { id: user.id })).toMatchObject([
      { by: 'person', action: 'login', kind: 'users', user_id: user.id, address: '127.0.0.1', outcome: 'done' },
      { by: 'operator', action: 'users.create', kind: 'users', user_id: null, client_id: null },
    ]);
    expect((await entriesOf(api, { user_id: user.id })).at(-1)).toMatchObject({ action: 'login', kind: 'grants' });
    expect(await entriesOf(api, { limit: 1000 })).toContainEqual(
      expect.objectContaining({ by: 'service', kind: 'settings' }),
    );
    expect(await verdictOf(api)).toMatchObject({ sound: true });
  });

  test('of anything that a call can change is entered', async () => {
    const api = await start();
    const { user, token } = await person(api);
    const { id } = await api.generate({ text: dictated }, { token });
    await api.call(records.endpoints.delete, { params: { id }, token });
    await api.call(users.endpoints.delete, { params: { id: user.id } });
    const { client_id } = await api.createClient();
    await api.call(clients.endpoints.delete, { params: { id: client_id } });
    const actions = (await entriesOf(api, { limit: 1000 })).map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining([
        'records.generate',
        'records.delete',
        'users.delete',
        'clients.create',
        'clients.delete',
      ]),
    );
  });
});

test('a report in two steps, its PIN, its critical result and its priors are entered, without a word of them', async () => {
  const api = await start();
  const { token: resident, user } = await person(api);
  const { user: attending, token, login } = await person(api, 'helena');
  for (const [{ id }, role] of [
    [user, 'resident'],
    [attending, 'attending'],
  ] as const)
    await api.call(users.endpoints.update, { params: { id }, body: { role } });
  const [canary, pin] = ['CANARIO7XQ', '908172635401'];
  const item = await api.exam({}, { token });
  await api.call(worklists.endpoints.assign, { params: { id: item }, body: { to: user.id, reason: canary }, token });
  const report = {
    ...examFields({ accession_number: canary }),
    report_id: canary,
    text: `Findings: ${canary}.`,
  };
  const imported = succeeded(await api.call(priors.endpoints.import, { body: { items: [report] }, token }));
  succeeded(await api.call(priors.endpoints.ofItem, { params: { id: item }, token }));
  const { id } = await api.generate({ text: 'Findings: tension pneumothorax.' }, { token: resident });
  const params = { id };
  const update = (body: object, by: string) => api.call(records.endpoints.update, { params, body, token: by });
  succeeded(await update({ status: 'preliminary' }, resident));
  succeeded(await update({ status: 'draft', note: canary }, token));
  succeeded(await update({ status: 'preliminary' }, resident));
  succeeded(await api.call(signatures.endpoints.setPin, { body: { password: login.password, pin }, token }));
  expect((await update({ status: 'final', pin: '000000' }, token)).status).toBe(403);
  const { critical_results: results } = succeeded(await update({ status: 'final', pin, grace_seconds: 60 }, token));
  succeeded(await api.call(signatures.endpoints.takeBack, { params, token }));
  succeeded(await update({ status: 'final', pin }, token));
  const decision = { status: 'told', communication: { to: canary, way: 'phone', read_back: true } };
  const of = { id, result: results![0]!.id };
  succeeded(await api.call(criticalResults.endpoints.decide, { params: of, body: decision, token }));
  const all = await entriesOf(api, { limit: 1000 });
  const ofRecord = (outcome: string) =>
    all.filter((entry) => entry.ids.includes(id) && entry.outcome === outcome).map(({ action }) => action);
  expect(ofRecord('refused')).toEqual(['records.update']);
  expect(ofRecord('done')).toEqual([
    'criticalResults.decide',
    'records.update',
    'signatures.takeBack',
    ...Array.from({ length: 4 }, () => 'records.update'),
    'records.generate',
  ]);
  expect(all.find(({ action }) => action === 'signatures.setPin')).toMatchObject({ ids: [attending.id] });
  expect(all.find(({ action }) => action === 'worklists.assign')).toMatchObject({ ids: [item] });
  expect(all.find(({ action }) => action === 'priors.import')).toMatchObject({ ids: [imported.items[0]!.id] });
  expect(JSON.stringify(all)).not.toMatch(new RegExp(`${canary}|${pin}`));
});

describe('visible fields', () => {
  test('is entered, once an hour where somebody looks again and again', async () => {
    const api = await start();
    const { token, user } = await person(api);
    const id = await api.exam({}, { token });
    const look = () => api.call(worklists.endpoints.list, { token });
    await look();
    await look();
    await api.call(worklists.endpoints.get, { params: { id }, token });
    const seen = async () => (await entriesOf(api, { id, user_id: user.id })).map(({ action }) => action);
    expect(await seen()).toEqual(['worklists.list', 'worklists.ingest']);
    api.clock.advance(3600_000);
    const { access_token: later } = await api.tokens({
      client: await api.createClient(),
      login: { username: 'ana', password: 'correct horse' },
    });
    await api.call(worklists.endpoints.get, { params: { id }, token: later });
    expect((await seen())[0]).toBe('worklists.get');
  });

  test('and taken away is entered each time', async () => {
    const api = await start();
    const { token } = await person(api);
    const { id } = await api.generate({ text: dictated }, { token });
    const take = () => api.call(records.endpoints.export, { params: { id }, query: { format: 'html' }, token });
    await take();
    await take();
    expect((await entriesOf(api, { id })).filter(({ action }) => action === 'records.export')).toHaveLength(2);
    await exportOf(api);
    await backupOf(api);
    expect(await entriesOf(api, { limit: 2 })).toMatchObject([
      { action: 'maintenance.backup', by: 'operator', kind: 'everything', ids: [] },
      { action: 'maintenance.export', by: 'operator', kind: 'everything' },
    ]);
  });

  test('of a message that came in by a channel is entered each time somebody looks at its content', async () => {
    const api = await start();
    const { add, queue, message } = contract.channels.endpoints;
    const body = { name: 'ris', kind: 'hl7-in', space: 'test_tc_local', settings: { port: 0 } };
    const { state } = succeeded(await api.call(add, { body }), 201);
    const peer = await connectMllp(state.address!);
    await peer.ask(orderMessage());
    peer.close();
    const { id } = succeeded(await api.call(queue, { params: { channel: 'ris' } })).items[0]!;
    const looks = async () => (await entriesOf(api, { id })).filter(({ action }) => action === 'channels.message');
    succeeded(await api.call(message, { params: { id } }));
    expect(await looks()).toEqual([]);
    for (const _ of [1, 2]) succeeded(await api.call(message, { params: { id }, query: { content: true } }));
    const look = { by: 'operator', kind: 'messages', ids: [id], outcome: 'done' };
    expect(await looks()).toMatchObject([look, look]);
  });

  test('of a message that the operator tries again, accepts or drops is entered in the name of the operator', async () => {
    const api = await start();
    const { add, queue, retry, drop } = contract.channels.endpoints;
    const body = { name: 'ris', kind: 'hl7-in', space: 'default', settings: { port: 0 } };
    const { state } = succeeded(await api.call(add, { body }), 201);
    const peer = await connectMllp(state.address!);
    await peer.ask(orderMessage());
    for (const id of ['M2', 'M3']) {
      const answer = await peer.ask(orderMessage({ id, patient: 'P2', name: 'OUTRO^PACIENTE' }));
      expect(answer).toContain('id and name differ. Ask the sender');
    }
    peer.close();
    const messages = succeeded(
      await api.call(queue, { params: { channel: 'ris' }, query: { state: 'refused' } }),
    ).items;
    const [second, first] = messages.map(({ id }) => id);
    const accepting = { params: { id: first! }, query: { accept_patient_change: true } };
    succeeded(await api.call(retry, accepting));
    succeeded(await api.call(drop, { params: { id: second! } }));
    const entries = (await entriesOf(api, {})).filter(({ by }) => by === 'operator').slice(0, 3);
    expect(entries.map(({ action, kind, ids }) => [action, kind, ids]).toSorted()).toEqual([
      ['channels.drop', 'messages', [second]],
      ['channels.retry', 'items', [expect.stringMatching(/^wli_/)]],
      ['channels.retry', 'messages', [first]],
    ]);
  });

  test('not, for want of a right or a password, is entered as refused', async () => {
    const api = await start();
    const { client, user, login } = await person(api);
    const { access_token: token } = await api.tokens({ client, login, scopes: ['worklists:read'] });
    const { id } = await api.generate({ text: `Test Patient. ${dictated}` });
    await api.call(records.endpoints.get, { params: { id }, token });
    await api.call(records.endpoints.get, { params: { id: 'MARIA_SILVA' }, token });
    for (const named of [id.replace('_', '-'), 'MARIA-SILVA'])
      await api.call(contract.fhir.endpoints.report, { params: { id: named }, token });
    await expect(api.tokens({ client, login: { ...login, password: 'wrong' } })).rejects.toThrow();
    await expect(api.tokens({ client, login: { username: 'MARIA', password: 'wrong' } })).rejects.toThrow();
    const refused = (await entriesOf(api, { limit: 1000 })).filter(({ outcome }) => outcome === 'refused');
    expect(refused.map(({ action, ids }) => [action, ids])).toEqual([
      ['login', []],
      ['login', [user.id]],
      ['fhir.report', []],
      ['fhir.report', [id]],
      ['records.get', []],
      ['records.get', [id]],
    ]);
  });
});

test('no canary is in the trail, wherever somebody puts it', async () => {
  const api = await start();
  const canary = 'CANARIO7XQ';
  const headers = { 'x-request-id': canary, 'user-agent': canary };
  const { token } = await person(api);
  const body = examFields({ patient_name: `${canary}^MARIA`, metadata: { [canary]: canary } });
  const id = await api.exam({ patient_name: canary }, { token, headers });
  await api.call(worklists.endpoints.ingest, { body, token, headers });
  await api.call(worklists.endpoints.setStatus, {
    params: { id },
    body: { status: 'in_progress', reason: canary },
    token,
  });
  await api.generate({ text: `${dictated} ${canary}.` }, { token, headers });
  await api.call(worklists.endpoints.list, { query: { q: canary }, token });
  await api.call(worklists.endpoints.get, { params: { id: canary }, token });
  const all = await entriesOf(api, { limit: 1000 });
  expect(all.length).toBeGreaterThan(8);
  expect(JSON.stringify(all)).not.toContain(canary);
});

describe('the trail', () => {
  test('outlives a reset, which is in it', async () => {
    const api = await start();
    const { id } = await api.generate();
    const before = (await verdictOf(api)).head;
    await api.call(maintenance.endpoints.reset, { body: {} });
    expect((await entriesOf(api, { id })).map(({ action }) => action)).toEqual(['records.generate']);
    expect(await newest(api)).toMatchObject({ action: 'maintenance.reset', by: 'operator', kind: 'everything' });
    expect(succeeded(await api.call(verify, { query: before }))).toMatchObject({ sound: true });
  });

  test('of a backup goes on after its restore, and says which one it replaces', async () => {
    const [api, other] = [await start(), await start()];
    const { id } = await api.generate();
    const bytes = await backupOf(api);
    const replaced = (await verdictOf(other)).head;
    expect((await restoreTo(other, bytes)).status).toBe(200);
    expect(await newest(other)).toMatchObject({ action: 'maintenance.restore', by: 'operator', replaced });
    expect((await entriesOf(other, { id })).at(-1)).toMatchObject({ action: 'records.generate' });
    expect(await verdictOf(other)).toMatchObject({ sound: true });
  });

  test('of a snapshot goes on in the same way', async () => {
    const api = await start();
    const params = { name: 'morning' };
    await api.call(maintenance.endpoints.saveSnapshot, { params });
    await api.generate();
    const replaced = (await verdictOf(api)).head;
    expect((await api.call(maintenance.endpoints.loadSnapshot, { params })).status).toBe(200);
    expect(await newest(api)).toMatchObject({ action: 'maintenance.loadSnapshot', by: 'operator', replaced });
    expect(await verdictOf(api)).toMatchObject({ sound: true });
  });

  test('is written by the server alone: a seed brings none, and an export has it only by name', async () => {
    const api = await start();
    await api.generate();
    expect(await everything(api)).not.toContain('"audit"');
    const lines = await exportOf(api, { collections: 'audit' });
    expect(lines).toContain('records.generate');
    expect(await seedTo(api, lines)).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining('only the server writes the audit trail') },
    });
    expect(await verdictOf(api)).toMatchObject({ sound: true });
  });

  test('is asked for by person, application, document and time, page by page', async () => {
    const api = await start();
    const { user, client, token } = await person(api);
    for (let n = 0; n < 5; n++) {
      await api.exam({}, { token });
      api.clock.advance(1000);
    }
    api.clock.advance(60_000);
    const id = await api.exam({}, { token });
    expect((await entriesOf(api, { id })).map(({ ids }) => ids)).toEqual([[id]]);
    expect(await entriesOf(api, { since: '2026-03-02T11:31:00Z', user_id: user.id })).toHaveLength(1);
    expect((await entriesOf(api, { client_id: client.client_id, until: '2026-03-02T11:30:30Z' })).length).toBe(6);
    const first = succeeded(await api.call(list, { query: { limit: 2 } }));
    const second = succeeded(await api.call(list, { query: { limit: 2, before: first.next_before } }));
    expect(second.items[0]!.number).toBe(first.items[1]!.number - 1);
  });

  test('those of a person who was removed are found, also where a page has none; of nobody there are none', async () => {
    const api = await start();
    const { user, client } = await person(api);
    await api.call(users.endpoints.delete, { params: { id: user.id } });
    await api.call(clients.endpoints.delete, { params: { id: client.client_id } });
    expect((await entriesOf(api, { user_id: user.id })).length).toBeGreaterThan(0);
    for (const who of [{ user_id: user.id }, { client_id: client.client_id }])
      for (const page of [{ before: 1 }, { since: '2027-01-01T00:00:00Z' }, { id: 'rec_none' }])
        expect(await entriesOf(api, { ...who, ...page })).toEqual([]);
    expect((await api.call(list, { query: { user_id: 'usr_00000000000000000000000000' } })).status).toBe(404);
  });
});

test('reading goes on while the disk refuses, and what was seen meanwhile is entered later', async () => {
  const storage = controlledStore();
  const api = await startApi({ store: storage.between }, onTestFinished);
  const { token, user } = await person(api);
  const id = await api.exam({}, { token });
  storage.fail(new AppError('STORAGE_UNAVAILABLE'));
  expect((await api.call(worklists.endpoints.get, { params: { id }, token })).status).toBe(200);
  expect((await api.call(list)).status).toBe(200);
  expect(api.logged.filter(({ event }) => event === 'audit_not_written')).toHaveLength(1);
  expect((await api.call(worklists.endpoints.ingest, { body: examFields(), token })).status).toBe(503);
  storage.recover();
  expect((await entriesOf(api, { id })).map(({ action, user_id }) => [action, user_id])).toEqual([
    ['worklists.get', user.id],
    ['worklists.ingest', user.id],
  ]);
  expect(await verdictOf(api)).toMatchObject({ sound: true });
});
