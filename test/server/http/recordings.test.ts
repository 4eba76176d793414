/** A recording as the whole body of a call, as any client can send it. */
import { expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { createClient } from '../../../src/client/client.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';

const api = await startApi();
const { dictate } = contract.records.endpoints;
const send = (
  body: Buffer,
  {
    type = 'application/octet-stream',
    query = {},
    headers = {},
  }: { type?: string; query?: object; headers?: object } = {},
) => api.call(dictate, { body, query, headers: { 'content-type': type, ...headers } } as never);

test.each(['application/octet-stream', 'audio/wav', 'Audio/WebM; codecs=opus'])(
  'is taken as %s, by its content, and becomes a record of the exam',
  async (type) => {
    const { items } = succeeded(await api.call(contract.worklists.endpoints.ingest, { body: examFields() }));
    const query = { worklist_item_id: items[0]?.id, language: 'pt-BR', template_id: 'test_template_cardiology' };
    const answer = await send(wav(), { type, query });
    expect(answer.status, JSON.stringify(answer.json)).toBe(202);
    const job = succeeded(answer, 202) as { id: string };
    expect(answer.headers['location']).toBe(`/api/v1/jobs/${job.id}`);
    const { record_id } = await api.ended(job.id);
    const record = succeeded(await api.call(contract.records.endpoints.get, { params: { id: record_id ?? '' } }));
    expect(record).toMatchObject({ source: { kind: 'audio', content_type: 'audio/wav' }, ...query });
  },
);

test.each([
  ['nothing', Buffer.alloc(0), 'application/octet-stream', 400],
  ['a text', Buffer.from('Test Patient.'), 'audio/wav', 415],
  ['JSON', Buffer.from('{"text":"Test Patient."}'), 'application/json', 415],
  ['a form', Buffer.from('--x--'), 'multipart/form-data; boundary=x', 415],
])('%s is refused', async (_, body, type, status) => {
  expect(await send(body, { type })).toMatchObject({ status });
});

test('unknown and wrong parameters are refused', async () => {
  for (const query of [
    { languge: 'pt-BR' },
    { language: 'xx' },
    { template_id: 'none' },
    { worklist_item_id: 'wli_1' },
  ])
    expect([query, (await send(wav(), { query })).status]).toEqual([query, 400]);
});

test('comes once by its key; another recording or parameter is refused', async () => {
  const headers = { 'idempotency-key': 'recording-1' };
  const [first, again] = [await send(wav(), { headers }), await send(wav(), { headers })];
  expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([202, 202, 'true']);
  expect((succeeded(again, 202) as { id: string }).id).toBe((succeeded(first, 202) as { id: string }).id);
  expect((await send(wav({ seconds: 2 }), { headers })).status).toBe(422);
  expect((await send(wav(), { headers, query: { language: 'pt-BR' } })).status).toBe(422);
});

test('is sent by the typed client, as bytes and as a file', async () => {
  const client = createClient({
    transport: api.server.transport,
    server: api.server.url,
    clock: api.clock,
    random: () => 0,
    uuid: () => 'key',
    token: async () => api.token,
  });
  const bytes = wav();
  const one = await client.records.dictate({ body: bytes, query: { language: 'en-US' } });
  const file = {
    contentType: 'audio/wav',
    open: async function* () {
      yield bytes;
    },
  };
  const other = await client.records.dictate({ body: bytes, file }, { idempotencyKey: 'other' });
  expect([one.status, other.status, one.data.status]).toEqual([202, 202, 'queued']);
});
