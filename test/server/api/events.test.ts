/** Specification, section 6: webhook notifications, as a partner's server receives them. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { Delivery } from '../../../src/contract/webhook.ts';
import { signWebhook, webhookHeaders } from '../../../src/node/http/webhook-signature.ts';
import { dictated, startApi, succeeded } from '../../support/api.ts';
import type { Credentials } from '../../support/api.ts';
import { createReceiver } from '../delivery/webhooks/receiver.ts';
import type { Receiver } from '../delivery/webhooks/receiver.ts';

const api = await startApi();
const { put, test: sendTest, deliveries, resend, get, delete: remove } = contract.webhooks.endpoints;
const { update } = contract.records.endpoints;

interface Partner {
  readonly client: Credentials;
  readonly token: string;
  readonly receiver: Receiver;
  readonly secret: string;
}

/** A client of its own, whose webhook the test receives. */
async function partner(): Promise<Partner> {
  const client = await api.createClient({ test_mode: true });
  const receiver = await createReceiver();
  const body = { url: receiver.url };
  const { secret } = succeeded(await api.call(put, { params: { client_id: client.client_id }, body }), 201);
  return { client, token: (await api.tokens({ client })).access_token, receiver, secret: secret! };
}

async function eventOf({ receiver, secret }: Partner): Promise<{ type: string; data: Record<string, unknown> }> {
  await receiver.arrived(1);
  const { headers, body } = receiver.requests[0]!;
  const message = {
    id: String(headers[webhookHeaders.id]),
    timestamp: Number(headers[webhookHeaders.timestamp]),
    body,
  };
  expect(headers[webhookHeaders.signature]).toBe(signWebhook(message, secret));
  return JSON.parse(body) as { type: string; data: Record<string, unknown> };
}

/** The newest delivery once it has so many attempts. */
async function deliveryAfter({ client }: Partner, attempts: number): Promise<Delivery> {
  for (let tries = 0; tries < 10_000; tries++) {
    const { items } = succeeded(await api.call(deliveries, { params: { client_id: client.client_id } }));
    if (items[0]?.attempts.length === attempts) return items[0];
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`The delivery does not get to ${attempts} attempts`);
}

describe('§6 Events', () => {
  test('a document of the worklist is completed: worklist.document.completed', async () => {
    const ris = await partner();
    const { token } = ris;
    const worklist_item_id = await api.exam({ accession_number: 'SL-EVENT' }, { token });
    const { id } = await api.generate({ text: dictated, worklist_item_id }, { token });
    succeeded(await api.call(update, { params: { id }, body: { status: 'final' }, token }));
    expect(await eventOf(ris)).toEqual({
      type: 'worklist.document.completed',
      timestamp: '2026-03-02T11:30:00.000Z',
      data: {
        record_id: id,
        worklist_item_id,
        accession_number: 'SL-EVENT',
        status: 'completed',
        version: 2,
        signed: true,
        addendum: false,
        correction: false,
      },
    });
  });

  test.each([
    ['completed', {}],
    ['failed', { 'x-laudio-simulate': 'job=fail' }],
  ])('an asynchronous job finishes: medical_record.job.%s', async (status, headers) => {
    const ris = await partner();
    const { id } = await api.enqueue(undefined, { token: ris.token, headers });
    const { record_id } = await api.ended(id, { token: ris.token });
    expect(await eventOf(ris)).toMatchObject({
      type: `medical_record.job.${status}`,
      data: { job_id: id, record_id, status },
    });
  });

  test('an asynchronous job is cancelled: medical_record.job.cancelled', async () => {
    const ris = await partner();
    const { id } = await api.enqueue(undefined, {
      token: ris.token,
      headers: { 'x-laudio-simulate': 'job=slow:60000' },
    });
    succeeded(await api.call(contract.jobs.endpoints.cancel, { params: { id }, token: ris.token }));
    expect(await eventOf(ris)).toMatchObject({
      type: 'medical_record.job.cancelled',
      data: { job_id: id, record_id: null },
    });
  });

  test('the operator sends webhook.test', async () => {
    const ris = await partner();
    succeeded(await api.call(sendTest, { params: { client_id: ris.client.client_id } }), 202);
    expect(await eventOf(ris)).toMatchObject({ type: 'webhook.test', data: {} });
  });

  test('a refused event is sent again with the same webhook-id, and can be sent once more by hand', async () => {
    const ris = await partner();
    const params = { client_id: ris.client.client_id };
    ris.receiver.reply = 500;
    const { id } = succeeded(await api.call(sendTest, { params }), 202);
    expect(await deliveryAfter(ris, 1)).toMatchObject({ id, status: 'pending', attempts: [{ http_status: 500 }] });
    ris.receiver.reply = 204;
    api.clock.advance(60_000);
    expect(await deliveryAfter(ris, 2)).toMatchObject({ id, status: 'delivered', next_attempt_at: null });
    succeeded(await api.call(resend, { params: { ...params, id } }), 202);
    await deliveryAfter(ris, 3);
    expect(new Set(ris.receiver.requests.map(({ headers }) => headers[webhookHeaders.id])).size).toBe(1);
  });

  test('nothing reaches another client, and payloads hold no patient data', async () => {
    const [ris, other] = [await partner(), await partner()];
    await api.ended((await api.enqueue({ text: dictated }, { token: ris.token })).id, { token: ris.token });
    await eventOf(ris);
    expect(other.receiver.requests).toEqual([]);
    expect(ris.receiver.requests[0]!.body).not.toMatch(/patient|lungs/i);
  });

  test('the operator reads, changes and removes the webhook; the secret is shown once', async () => {
    const { client, receiver, secret } = await partner();
    const params = { client_id: client.client_id };
    expect(succeeded(await api.call(get, { params }))).not.toHaveProperty('secret');
    const rotated = succeeded(await api.call(put, { params, body: { url: receiver.url, rotate_secret: true } }));
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    expect(succeeded(await api.call(remove, { params }))).toEqual({ ...params, deleted: true });
    expect((await api.call(get, { params })).status).toBe(404);
  });

  test.each([
    'http://ris.example/hook',
    'http://10.0.0.8/hook',
    'https://169.254.169.254/latest',
    'ftp://127.0.0.1/',
    'not a url',
  ])('a target that is not allowed is refused: %s', async (url) => {
    const { client_id } = await api.createClient();
    const answer = await api.call(put, { params: { client_id }, body: { url } });
    expect(answer).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_FAILED', details: { errors: [{ field: 'url' }] } },
    });
  });
});
