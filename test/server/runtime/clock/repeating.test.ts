/** A seed and a clock that stands: the same calls get the same answers, to the byte. */
import { expect, onTestFinished, test } from 'vitest';
import { builtInTestClient } from '../../../../server/index.ts';
import { contract } from '../../../../src/contract/index.ts';
import { simulatedClock } from '../../../../src/node/simulated-clock.ts';
import { dictated, examFields, startApi, succeeded } from '../../../support/api.ts';
import type { Answer, Api } from '../../../support/api.ts';
import { createReceiver } from '../../delivery/webhooks/receiver.ts';
import type { Receiver } from '../../delivery/webhooks/receiver.ts';

const { records, worklists, webhooks, jobs, transcriptions } = contract;
const { client_id } = builtInTestClient;

const start = (seed: string): Promise<Api> =>
  startApi({ simulated: simulatedClock('fixed:2026-03-02T09:00:00Z'), seed, rateLimit: 100 }, onTestFinished);

/** All of an answer that a partner sees. */
const seen = ({ status, headers, text }: Answer): string => JSON.stringify({ status, headers, text });

/** A day of a partner, one call after the other: what the partner got, and what its receiver got. */
async function day({ call, server }: Api, hook: Receiver) {
  const answers: string[] = [];
  const statuses = () => answers.map((answer) => (JSON.parse(answer) as Answer).status);
  const made = async <T>(asked: Promise<Answer<T>>): Promise<T> => {
    const answer = await asked;
    answers.push(seen(answer));
    return succeeded(answer, answer.status < 300 ? answer.status : 200);
  };
  await made(call(webhooks.endpoints.put, { params: { client_id }, body: { url: hook.url } }));
  const items = [examFields({ accession_number: 'SL-1' }), examFields({ accession_number: 'SL-2' })];
  const ingested = await made(call(worklists.endpoints.ingest, { body: { source_system: 'RIS', items } }));
  const worklist_item_id = ingested.items[0]!.id;
  const record = await made(call(records.endpoints.generate, { body: { text: dictated, worklist_item_id } }));
  const id = 'title' in record ? record.id : '';
  await server.clock.advance(5000);
  for (const format of ['pdf', 'hl7', 'fhir', 'txt'] as const)
    answers.push(seen(await call(records.endpoints.export, { params: { id }, query: { format } })));
  const job = await made(call(records.endpoints.generate, { body: { text: dictated, mode: 'async' } }));
  await server.clock.advance(0);
  await made(call(jobs.endpoints.get, { params: { id: job.id } }));
  await made(call(worklists.endpoints.list));
  await made(call(records.endpoints.versions, { params: { id } }));
  await made(call(webhooks.endpoints.deliveries, { params: { client_id } }));
  await made(call(transcriptions.endpoints.create, { body: {} }));
  answers.push(seen(await call(records.endpoints.get, { params: { id: 'rec_none' } })));
  const received = hook.requests.map(({ headers, body }) => ({ headers: { ...headers, host: '' }, body }));
  return { answers, statuses: statuses(), received };
}

test('the same seed, clock and calls give the same answers, exports and webhooks', async () => {
  const hook = await createReceiver();
  const first = await day(await start('demo'), hook);
  expect(first.statuses).toEqual([201, 200, 201, 200, 200, 200, 200, 202, 200, 200, 200, 200, 201, 404]);
  expect(first.received).toHaveLength(1);
  const second = await day(await start('demo'), hook);
  expect(second.answers).toEqual(first.answers);
  expect(second.received.slice(first.received.length)).toEqual(first.received);
  const other = await day(await start('another'), hook);
  expect(other.answers).not.toEqual(first.answers);
});

test('changes follow the simulated time: an answer’s end repeats, and a date or time is one of that clock', async () => {
  const ends: (string | undefined)[][] = [];
  for (const others of [1, 2]) {
    const { call, ingest, server, createUser } = await start('demo');
    const numbers = async (updated_since: string) => {
      const { items } = succeeded(await call(worklists.endpoints.list, { query: { updated_since } }));
      return items.map(({ accession_number }) => accession_number);
    };
    await ingest([examFields({ accession_number: 'SL-1' })]);
    // What is written meanwhile by others, and when the audit trail is, changes no number.
    for (let n = 0; n < others; n++) await createUser({ username: `user-${n}`, password: 'a-password-1' });
    const { updated_until: first } = succeeded(await call(worklists.endpoints.list));
    await server.clock.advance(600_000);
    await ingest([examFields({ accession_number: 'SL-2' })]);
    expect(await numbers('2026-03-02')).toEqual(['SL-2', 'SL-1']);
    expect(await numbers('2026-03-02T09:00:00Z')).toEqual(['SL-2', 'SL-1']);
    expect(await numbers('2026-03-02T09:10:00Z')).toEqual(['SL-2']);
    expect(await numbers('2026-03-03')).toEqual([]);
    expect(await numbers(first!)).toEqual(['SL-2']);
    ends.push([first, succeeded(await call(worklists.endpoints.list)).updated_until]);
  }
  expect(ends[1]).toEqual(ends[0]);
});

test('values that grant access never repeat', async () => {
  const secrets = async () => {
    const api = await start('demo');
    const client = await api.createClient();
    const { access_token, refresh_token } = await api.tokens();
    return { id: client.client_id, keys: [client.client_secret, access_token, refresh_token, api.server.adminToken] };
  };
  const [first, second] = [await secrets(), await secrets()];
  expect(second.id).toBe(first.id);
  for (const [n, key] of second.keys.entries()) expect(key).not.toBe(first.keys[n]);
});
