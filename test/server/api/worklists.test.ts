/** Specification, section 4.2: the worklist endpoints, a row of its tables each, and the contract's limits. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { maxBatchItems, worklistStatuses } from '../../../src/contract/worklist.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';

const api = await startApi();
const { ingest, setStatus, get, list, history } = contract.worklists.endpoints;
const stored = async (id: string) => succeeded(await api.call(get, { params: { id } }));

describe('§4.2 POST /api/v1/worklists/ingest', () => {
  test('the scope is worklists:write', async () => {
    const { access_token } = await api.tokens({ scopes: ['worklists:read', 'worklists:manage'] });
    expect(await api.call(ingest, { body: examFields(), token: access_token })).toMatchObject({
      status: 403,
      error: {
        code: 'INSUFFICIENT_SCOPE',
        details: { required_scope: 'worklists:write', granted_scopes: ['worklists:read', 'worklists:manage'] },
      },
    });
    const writer = await api.tokens({ scopes: ['worklists:write'] });
    expect((await api.call(ingest, { body: examFields(), token: writer.access_token })).status).toBe(200);
  });

  test('header Authorization is required', async () => {
    expect(await api.call(ingest, { body: examFields(), token: null })).toMatchObject({ status: 401 });
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'header Content-Type: %s',
    async (type) => {
      expect((await api.call(ingest, { body: examFields(), headers: { 'content-type': type } })).status).toBe(200);
    },
  );

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'header Content-Type: %s is a 415',
    async (type) => {
      const answer = await api.call(ingest, { body: JSON.stringify(examFields()), headers: { 'content-type': type } });
      expect(answer).toMatchObject({
        status: 415,
        error: { code: 'UNSUPPORTED_MEDIA_TYPE', details: { supported: expect.arrayContaining(['application/json']) } },
      });
    },
  );

  test('header Idempotency-Key is recommended: with it nothing is processed twice', async () => {
    const ask = { body: examFields(), headers: { 'idempotency-key': 'b8a7ff3c-0a4f-4a1b-9a5e-0a6a5b7f0001' } };
    const [first, second] = [await api.call(ingest, ask), await api.call(ingest, ask)];
    expect(second.data).toEqual(first.data);
    expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ]);
  });

  test('header X-Source-System names the sender', async () => {
    const id = await api.exam({}, { headers: { 'x-source-system': 'PACS São Lucas' } });
    expect((await stored(id)).source_system).toBe('PACS São Lucas');
  });

  test.each(['x'.repeat(129)])('header X-Source-System: at most 128 characters', async (value) => {
    const answer = await api.call(ingest, { body: examFields(), headers: { 'x-source-system': value } });
    expect(answer).toMatchObject({
      status: 400,
      error: { details: { errors: [{ field: 'X-Source-System', code: 'INVALID_FORMAT' }] } },
    });
  });

  const shapes: [string, (...items: unknown[]) => unknown][] = [
    ['2: an array', (...items) => items],
    ['3: {items: […]}', (...items) => ({ items })],
  ];

  test('body 1: a single object', async () => {
    expect(await api.ingest(examFields())).toMatchObject({
      processed: 1,
      inserted: 1,
      items: [{ status: 'inserted' }],
    });
  });

  test.each(shapes)('body %s', async (_name, shape) => {
    const result = await api.ingest(shape(examFields(), examFields()));
    expect(result).toMatchObject({ processed: 2, inserted: 2, updated: 0, deduped: 0, errors: [] });
    expect(result.items).toHaveLength(2);
  });

  test.each(shapes)('body %s: partial success is a 200 with success: true', async (_name, shape) => {
    const good = examFields();
    const { json, data } = await api.call(ingest, { body: shape(examFields({ modality: 'XRAY' }), good, {}) });
    expect(json).toMatchObject({ success: true });
    expect(data).toMatchObject({ processed: 3, inserted: 1, items: [{ accession_number: good['accession_number'] }] });
    expect(data.errors.map(({ index, error }) => `${index} ${error}`)).toEqual([
      '0 INVALID_MODALITY',
      '2 FIELD_REQUIRED',
    ]);
  });

  test('response 200: meta with request_id, timestamp and processing_time_ms', async () => {
    const { json } = await api.call(ingest, { body: examFields() });
    expect(json['meta']).toMatchObject({
      request_id: expect.any(String),
      timestamp: expect.any(String),
      processing_time_ms: expect.any(Number),
    });
  });

  test.each([
    ['a single bad item', examFields({ modality: 'XRAY' }), [['modality', 'INVALID_MODALITY']]],
    [
      'an item without a patient',
      (({ patient_name: _gone, ...rest }) => rest)(examFields()),
      [['patient_name', 'FIELD_REQUIRED']],
    ],
    [
      'an array of bad items',
      [{ ...examFields(), modality: '' }, 3],
      [
        ['items.0.modality', 'FIELD_REQUIRED'],
        ['items.1', 'INVALID_TYPE'],
      ],
    ],
    [
      'a wrapped bad item',
      { items: [examFields({ exam_datetime: 'now' })] },
      [['items.0.exam_datetime', 'INVALID_FORMAT']],
    ],
    ['an empty array', [], [['items', 'FIELD_REQUIRED']]],
    ['an empty wrapped array', { items: [] }, [['items', 'FIELD_REQUIRED']]],
    ['items that are no list', { items: {} }, [['items', 'INVALID_TYPE']]],
  ])('response 400: %s', async (_name, body, expected) => {
    const answer = await api.call(ingest, { body });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    const { errors } = answer.error.details;
    expect(errors.map(({ field, code }) => [field, code])).toEqual(expected);
    for (const error of errors) expect(Object.keys(error).toSorted()).toEqual(['code', 'field', 'message']);
  });

  test('response 400: details.refused lists each item once, as data.errors does', async () => {
    const body = [{ ...examFields(), modality: 'XRAY' }, 3, {}];
    const { error } = await api.call(ingest, { body });
    const { errors } = (await api.call(ingest, { body: [...body, examFields()] })).data;
    expect(errors.map(({ index, field }) => [index, field])).toEqual([
      [0, 'modality'],
      [1, ''],
      [2, 'accession_number'],
    ]);
    expect(error.details).toMatchObject({ refused: errors });
  });

  test('response 401: UNAUTHORIZED with details.hint', async () => {
    const answer = await api.call(ingest, { body: examFields(), token: 'unknown' });
    expect(answer).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED', details: { hint: expect.stringMatching(/\w/) } },
    });
  });

  test(`at most ${maxBatchItems} items: one more is a 413 with limit_items`, async () => {
    const many = Array.from({ length: maxBatchItems }, () => examFields());
    expect(await api.ingest(many)).toMatchObject({ processed: maxBatchItems, inserted: maxBatchItems });
    const answer = await api.call(ingest, { body: { items: [...many, examFields()] } });
    expect(answer).toMatchObject({
      status: 413,
      error: { code: 'PAYLOAD_TOO_LARGE', details: { limit_items: maxBatchItems } },
    });
  });
});

describe('§4.2 PATCH /api/v1/worklists/items/{id}', () => {
  test('the scope is worklists:manage', async () => {
    const params = { id: await api.exam() };
    const { access_token } = await api.tokens({ scopes: ['worklists:write', 'worklists:read'] });
    const answer = await api.call(setStatus, { params, body: { status: 'in_progress' }, token: access_token });
    expect(answer).toMatchObject({ status: 403, error: { details: { required_scope: 'worklists:manage' } } });
    const manager = await api.tokens({ scopes: ['worklists:manage'] });
    expect(
      (await api.call(setStatus, { params, body: { status: 'in_progress' }, token: manager.access_token })).status,
    ).toBe(200);
  });

  test.each(worklistStatuses)('body: status %s', async (status) => {
    const params = { id: await api.exam() };
    const { data } = await api.call(setStatus, { params, body: { status } });
    expect(data).toMatchObject({ status, previous_status: 'new' });
  });

  test.each([
    ['status is required', {}, 'status', 'FIELD_REQUIRED'],
    ['an unknown status', { status: 'paused' }, 'status', 'INVALID_VALUE'],
    ['a status that is no string', { status: 1 }, 'status', 'INVALID_TYPE'],
    ['a reason that is no string', { status: 'new', reason: 1 }, 'reason', 'INVALID_TYPE'],
    ['a reason that is too long', { status: 'new', reason: 'r'.repeat(501) }, 'reason', 'TOO_LONG'],
    ['metadata that is no object', { status: 'new', metadata: [] }, 'metadata', 'INVALID_TYPE'],
    ['an unknown field', { status: 'new', note: 'x' }, 'note', 'UNKNOWN_FIELD'],
  ])('body: %s', async (_name, body, field, code) => {
    const answer = await api.call(setStatus, { params: { id: await api.exam() }, body });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(answer.error.details.errors[0]).toMatchObject({ field, code });
  });

  test('body: reason and metadata are kept in the history', async () => {
    const params = { id: await api.exam() };
    await api.call(setStatus, {
      params,
      body: { status: 'cancelled', reason: 'Duplicate order', metadata: { by: 'RIS' } },
    });
    const { items } = succeeded(await api.call(history, { params }));
    expect(items).toMatchObject([{ to: 'cancelled', reason: 'Duplicate order', metadata: { by: 'RIS' } }]);
  });

  test('response 200: data = id, accession_number, status, previous_status, updated_at, reason', async () => {
    const params = { id: await api.exam({ accession_number: 'SL-PATCH' }) };
    api.clock.advance(1000);
    const { data, json } = await api.call(setStatus, { params, body: { status: 'in_progress' } });
    expect(data).toEqual({
      id: params.id,
      accession_number: 'SL-PATCH',
      status: 'in_progress',
      previous_status: 'new',
      updated_at: new Date(api.clock.now()).toISOString(),
      reason: null,
    });
    expect(json['meta']).toMatchObject({ request_id: expect.any(String), timestamp: expect.any(String) });
  });

  test('an unknown item is a 404', async () => {
    const answer = await api.call(setStatus, { params: { id: 'wli_unknown' }, body: { status: 'new' } });
    expect(answer).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
  });

  test("taking an exam that somebody else holds: 409 with the holder's name, unless take_over", async () => {
    const login = { username: 'prado', password: 'correct horse' };
    const client = await api.createClient();
    await api.createUser({ ...login, display_name: 'Dra. Prado' });
    await api.createUser({ username: 'bruno', password: 'battery staple', display_name: 'Dr. Bruno' });
    const prado = (await api.tokens({ client, login })).access_token;
    const bruno = (await api.tokens({ client, login: { username: 'bruno', password: 'battery staple' } })).access_token;
    const params = { id: await api.exam({}, { token: prado }) };
    await api.call(setStatus, { params, body: { status: 'in_progress' }, token: prado });
    const refused = await api.call(setStatus, { params, body: { status: 'in_progress' }, token: bruno });
    expect(refused).toMatchObject({
      status: 409,
      error: { code: 'INVALID_TRANSITION', details: { assigned_to: 'Dra. Prado' } },
    });
    const body = { status: 'in_progress', metadata: { take_over: true } };
    expect((await api.call(setStatus, { params, body, token: bruno })).status).toBe(200);
    expect(succeeded(await api.call(get, { params, token: bruno })).assigned_to).toBe('Dr. Bruno');
  });
});

describe('§4.2 Reading (scope worklists:read, extension)', () => {
  const day = {
    exam_description: 'Angiotomografia coronária',
    modality: 'CT',
    exam_datetime: '2026-04-01T10:00:00-03:00',
  };
  const wanted = api.exam({ ...day, accession_number: 'SL-FIND' }, { headers: { 'x-source-system': 'RIS-A' } });

  test.each([
    ['status', { status: 'new', from: '2026-04-01' }],
    ['modality', { modality: 'ct', from: '2026-04-01' }],
    ['q: words in any order, without case and accents', { q: 'CORONARIA paciente' }],
    ['q: the accession number', { q: 'sl-find' }],
    ['from and to: days', { from: '2026-04-01', to: '2026-04-01' }],
    ['from and to: instants', { from: '2026-04-01T13:00:00Z', to: '2026-04-01T10:00:00-03:00' }],
    ['source_system', { source_system: 'RIS-A' }],
  ])('filter %s', async (_name, query) => {
    const id = await wanted;
    const { items } = succeeded(await api.call(list, { query }));
    expect(items.map((item) => item.id)).toEqual([id]);
  });

  test.each([
    ['status', { status: 'cancelled' }],
    ['modality', { modality: 'MR' }],
    ['q', { q: 'coronária fêmur' }],
    ['from', { from: '2026-04-02' }],
    ['source_system', { source_system: 'RIS-B' }],
    ['assigned_to', { assigned_to: 'Dra. Nobody' }],
  ])('filter %s leaves others out', async (_name, query) => {
    const id = await wanted;
    const { items } = succeeded(await api.call(list, { query: { ...query, limit: 200 } }));
    expect(items.map((item) => item.id)).not.toContain(id);
  });

  test.each([
    ['several with commas', '?status=new,in_progress&modality=ct,%20mr&q=sl-find', 1],
    ['several, repeated', '?status=new&status=completed&modality=CT&modality=MR&q=sl-find', 1],
    ['others, repeated', '?status=completed&status=cancelled&q=sl-find', 0],
    ['a comma in a name is a part of the name', '?hospital=Hospital%20A,%20Unidade%20B&q=sl-find', 0],
    ['subspecialty, priority and no report', '?subspecialty=cardiovascular&priority=ROUTINE,LOW&q=sl-find', 1],
    ['report', '?report=draft,final&q=sl-find', 0],
  ])('filter: %s', async (_name, query, count) => {
    await wanted;
    const { items } = succeeded(await api.call({ ...list, path: `${list.path}${query}` as typeof list.path }));
    expect(items).toHaveLength(count);
  });

  test.each([
    ['?status=done', 'status', 'INVALID_VALUE'],
    ['?status=new,', 'status', 'INVALID_VALUE'],
    ['?status=new&status=new,done', 'status', 'INVALID_VALUE'],
    ['?modality=CT,ZZ', 'modality', 'INVALID_MODALITY'],
    ['?modality=', 'modality', 'INVALID_VALUE'],
    ['?subspecialty=feet', 'subspecialty', 'INVALID_VALUE'],
    ['?priority=stat', 'priority', 'INVALID_VALUE'],
    ['?report=signed', 'report', 'INVALID_VALUE'],
    [`?status=${Array(60).fill('new').join(',')}`, 'status', 'TOO_LONG'],
  ])('%s is a 400, which names the parameter', async (query, field, code) => {
    const answer = await api.call({ ...list, path: `${list.path}${query}` as typeof list.path });
    expect(answer).toMatchObject({ status: 400, error: { details: { errors: [{ field, code }] } } });
    expect(JSON.stringify(answer.error)).not.toContain(`${field}.`);
  });

  test.each([get, list, history])('the scope of $path is worklists:read', async (endpoint) => {
    const { access_token } = await api.tokens({ scopes: ['worklists:write', 'worklists:manage'] });
    const answer = await api.call(endpoint, { params: { id: await wanted }, token: access_token });
    expect(answer).toMatchObject({ status: 403, error: { details: { required_scope: 'worklists:read' } } });
  });
});
