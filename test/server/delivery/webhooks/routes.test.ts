import { describe, expect, test } from 'vitest';
import type { Answer, Call } from '../../../../server/http/call.ts';
import { webhookRoutes } from '../../../../server/api/webhooks.ts';
import type { Transaction } from '../../../../server/storage/store.ts';
import { createTargets } from '../../../../server/delivery/webhooks/target.ts';
import { eventTypeNames } from '../../../../src/contract/events.ts';
import type { WebhookEvent } from '../../../../src/contract/events.ts';
import { createWebhookSecret, verifyWebhook } from '../../../../src/node/http/webhook-signature.ts';
import { createReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';
import { putClient, startedService } from './service.ts';

const day = 24 * 3600 * 1000;
const params = { client_id: 'ris' };

async function setUp() {
  const service = await startedService();
  const receiver = await createReceiver();
  const routes = webhookRoutes(service, { targets: createTargets() });
  const call = {
    commit: <A extends Answer>(work: (tx: Transaction) => Promise<A>) => service.store.transact(work),
  } as Call;
  await putClient(service, 'ris', null);
  return {
    ...service,
    receiver,
    routes,
    call,
    put: (body: object) => routes.put({ params, body: { url: receiver.url, ...body } }, call),
  };
}

const signedBy = (receiver: Receiver, at: number, now: number, secret: string | undefined): boolean =>
  verifyWebhook({ ...receiver.requests[at]!, now }, [secret!]).ok;

describe('the webhook of a client', () => {
  test('is registered with a secret that is shown once', async () => {
    const { routes, receiver, call, put, store } = await setUp();
    const made = await put({});
    expect(made).toEqual({
      status: 201,
      data: {
        client_id: 'ris',
        url: receiver.url,
        events: eventTypeNames,
        enabled: true,
        created_at: '2026-03-02T12:00:00.000Z',
        updated_at: '2026-03-02T12:00:00.000Z',
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const { secret: _, ...rest } = made.data;
    expect(await routes.get({ params }, call)).toEqual({ status: 200, data: rest });
    expect(await store.get('webhooks', 'ris')).toMatchObject({ id: 'ris', space: 'main' });
  });

  test('changes in what is given, and keeps the rest', async () => {
    const { put, clock } = await setUp();
    await put({ events: ['webhook.test'], enabled: false });
    clock.advance(1000);
    const changed = await put({ url: 'http://127.0.0.1:9/other' });
    expect(changed).toMatchObject({
      status: 200,
      data: {
        url: 'http://127.0.0.1:9/other',
        events: ['webhook.test'],
        enabled: false,
        created_at: '2026-03-02T12:00:00.000Z',
        updated_at: '2026-03-02T12:00:01.000Z',
      },
    });
    expect(changed.data).not.toHaveProperty('secret');
    expect((await put({ events: ['medical_record.job.failed'], enabled: true })).data).toMatchObject({
      events: ['medical_record.job.failed'],
      enabled: true,
    });
  });

  test('rotates its secret: both sign for a day', async () => {
    const { put, routes, call, receiver, clock, announcer } = await setUp();
    const test_ = async () => {
      await routes.test({ params, body: {} }, call);
      await announcer.idle();
    };
    const first = (await put({})).data.secret;
    const second = (await put({ rotate_secret: true })).data.secret;
    expect(second).not.toBe(first);
    clock.advance(day - 1);
    await test_();
    expect([first, second].map((secret) => signedBy(receiver, 0, clock.now(), secret))).toEqual([true, true]);
    const third = (await put({ rotate_secret: true })).data.secret;
    clock.advance(1);
    await test_();
    expect([first, second, third].map((secret) => signedBy(receiver, 1, clock.now(), secret))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('takes a secret that the receiver has already; one that is none is refused, unseen', async () => {
    const { put, routes, call, receiver, clock, announcer, store } = await setUp();
    const secret = createWebhookSecret();
    expect(await put({ secret })).toMatchObject({ status: 201, data: { secret } });
    expect((await put({ secret })).data.secret).toBe(secret);
    await routes.test({ params, body: {} }, call);
    await announcer.idle();
    expect(signedBy(receiver, 0, clock.now(), secret)).toBe(true);
    expect(receiver.requests[0]!.headers['webhook-signature']).not.toContain(' ');
    const before = await store.get('webhooks', 'ris');
    const refusal: unknown = await put({ secret: 'whsec_canary' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED', details: { errors: [{ field: 'secret' }] } });
    expect(JSON.stringify(refusal)).not.toContain('canary');
    expect(await store.get('webhooks', 'ris')).toEqual(before);
  });

  test.each(['http://192.168.1.1/', 'https://169.254.169.254/', 'http://2130706433/', 'ftp://127.0.0.1/'])(
    'is refused at %s, and nothing is kept',
    async (url) => {
      const { put, store } = await setUp();
      await expect(put({ url })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      expect(await store.count('webhooks')).toBe(0);
    },
  );

  test('is removed; what was pending ends, and what was sent can still be read', async () => {
    const { put, routes, call, receiver, announcer, store, clock } = await setUp();
    await put({});
    receiver.reply = 500;
    await routes.test({ params, body: {} }, call);
    await announcer.idle();
    expect(await routes.delete({ params }, call)).toEqual({ status: 200, data: { client_id: 'ris', deleted: true } });
    expect((await store.find('deliveries', {}))[0]).toMatchObject({ status: 'failed', next_attempt_at: null });
    await put({});
    clock.advance(3 * day);
    await announcer.idle();
    expect(receiver.requests).toHaveLength(1);
    await routes.delete({ params }, call);
    expect(await store.get('webhooks', 'ris')).toBeUndefined();
    expect((await routes.deliveries({ params, query: {} }, call)).data.items).toMatchObject([{ status: 'failed' }]);
  });

  test('a client that does not exist, or has none, is NOT_FOUND', async () => {
    const { routes, call, put, receiver } = await setUp();
    const unknown = { params: { client_id: 'nobody' } };
    const notFound = { code: 'NOT_FOUND' };
    await expect(routes.put({ ...unknown, body: { url: receiver.url } }, call)).rejects.toMatchObject(notFound);
    await expect(routes.deliveries({ ...unknown, query: {} }, call)).rejects.toMatchObject(notFound);
    for (const input of [unknown, { params }]) {
      await expect(routes.get(input, call)).rejects.toMatchObject(notFound);
      await expect(routes.delete(input, call)).rejects.toMatchObject(notFound);
      await expect(routes.test({ ...input, body: {} }, call)).rejects.toMatchObject(notFound);
    }
    await put({});
    await expect(routes.resend({ params: { ...params, id: 'dlv_none' } }, call)).rejects.toMatchObject(notFound);
  });
});

describe('deliveries', () => {
  test('a test event is sent to that client alone, whatever it subscribed to', async () => {
    const { put, routes, call, receiver, announcer, client } = await setUp();
    await client('other', { url: receiver.url });
    await put({ events: ['medical_record.job.failed'] });
    const sent = await routes.test({ params, body: {} }, call);
    expect(sent).toEqual({
      status: 202,
      data: {
        id: expect.stringMatching(/^dlv_/),
        client_id: 'ris',
        type: 'webhook.test',
        status: 'pending',
        created_at: '2026-03-02T12:00:00.000Z',
        next_attempt_at: '2026-03-02T12:00:00.000Z',
        attempts: [],
      },
    });
    await announcer.idle();
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([sent.data.id]);
  });

  test('are listed page by page, newest first, without payloads, each client its own', async () => {
    const { put, routes, call, announcer, client, announce } = await setUp();
    await put({});
    await client('other');
    await announce();
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) ids.unshift((await routes.test({ params, body: {} }, call)).data.id);
    await announcer.idle();
    const first = (await routes.deliveries({ params, query: { limit: 3 } }, call)).data;
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first.items[0]).toMatchObject({ status: 'delivered', attempts: [{ http_status: 204 }] });
    expect(first.items[0]).not.toHaveProperty('event');
    const second = (await routes.deliveries({ params, query: { limit: 3, cursor: first.next_cursor! } }, call)).data;
    expect(second.items.map(({ type }) => type)).toEqual(['webhook.test', 'worklist.document.completed']);
    expect(second.items.every(({ client_id }) => client_id === 'ris')).toBe(true);
    expect(second.next_cursor).toBeNull();
  });

  test('of a test client have their payload, one by one too', async () => {
    const { routes, call, receiver, announcer, client } = await setUp();
    const { client_id } = await client('test_tc_suite', { url: receiver.url });
    const { id, event } = (await routes.test({ params: { client_id }, body: {} }, call)).data;
    await announcer.idle();
    expect(receiver.requests[0]!.body).toBe(JSON.stringify(event));
    const [listed] = (await routes.deliveries({ params: { client_id }, query: {} }, call)).data.items;
    expect(listed).toMatchObject({ id, event: { type: 'webhook.test', data: {} } });
    expect(await routes.delivery({ params: { client_id, id } }, call)).toEqual({ status: 200, data: listed });
  });

  test('one of a real client is shown without its payload, and to that client alone', async () => {
    const { put, routes, call, announcer, client } = await setUp();
    await put({});
    await client('other');
    const { id } = (await routes.test({ params, body: {} }, call)).data;
    await announcer.idle();
    const { data } = await routes.delivery({ params: { ...params, id } }, call);
    expect(data).toMatchObject({ id, status: 'delivered' });
    expect(data).not.toHaveProperty('event');
    await expect(routes.delivery({ params: { client_id: 'other', id } }, call)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test.each(eventTypeNames)('%s is sent to a test client with test data, whatever it subscribed to', async (type) => {
    const { routes, call, receiver, announcer, client, clock } = await setUp();
    const { client_id, secrets } = await client('test_tc_suite', { url: receiver.url, events: ['webhook.test'] });
    await routes.test({ params: { client_id }, body: { type } }, call);
    await announcer.idle();
    expect(signedBy(receiver, 0, clock.now(), secrets[0]!.secret)).toBe(true);
    const { data, ...event } = JSON.parse(receiver.requests[0]!.body) as WebhookEvent;
    expect(event).toEqual({ type, timestamp: '2026-03-02T12:00:00.000Z' });
    if (type !== 'webhook.test') expect(data).toMatchObject({ test: true, status: type.split('.').at(-1) });
  });

  test.each(eventTypeNames.filter((type) => type !== 'webhook.test'))(
    '%s is never invented for a real client',
    async (type) => {
      const { put, routes, call, store } = await setUp();
      await put({});
      await expect(routes.test({ params, body: { type } }, call)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { errors: [{ field: 'type' }] },
      });
      expect(await store.count('deliveries')).toBe(0);
    },
  );

  test('one can be sent again, with the same id and body, even when it was given up', async () => {
    const { put, routes, call, receiver, announcer, clock, store } = await setUp();
    await put({});
    receiver.reply = 500;
    const { id } = (await routes.test({ params, body: {} }, call)).data;
    await announcer.idle();
    for (let count = 0; count < 9; count++) {
      clock.advance(day);
      await announcer.idle();
    }
    expect(await store.get('deliveries', id)).toMatchObject({ status: 'failed' });
    receiver.reply = 204;
    const again = await routes.resend({ params: { ...params, id } }, call);
    expect(again).toMatchObject({ status: 202, data: { id, status: 'pending' } });
    await announcer.idle();
    expect(await store.get('deliveries', id)).toMatchObject({ status: 'delivered' });
    expect(receiver.requests).toHaveLength(11);
    expect(receiver.requests.at(-1)!.body).toBe(receiver.requests[0]!.body);
    expect(receiver.requests.at(-1)!.headers['webhook-id']).toBe(id);
  });

  test('of another client cannot be sent again, nor anything while the webhook is off', async () => {
    const { put, routes, call, receiver, announcer, client, store } = await setUp();
    await put({});
    await client('other', { url: receiver.url });
    const { id } = (await routes.test({ params: { client_id: 'other' }, body: {} }, call)).data;
    await announcer.idle();
    await expect(routes.resend({ params: { ...params, id } }, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const own = (await routes.test({ params, body: {} }, call)).data.id;
    await announcer.idle();
    await put({ enabled: false });
    await expect(routes.test({ params, body: {} }, call)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(routes.resend({ params: { ...params, id: own } }, call)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    expect(await store.get('deliveries', own)).toMatchObject({ status: 'delivered' });
  });

  test('events pending when a webhook is turned on again are sent then', async () => {
    const { put, announce, receiver, announcer, advance } = await setUp();
    await put({});
    receiver.reply = 500;
    await announce();
    await put({ enabled: false });
    await advance(day);
    expect(receiver.requests).toHaveLength(1);
    receiver.reply = 204;
    await put({ enabled: true });
    await announcer.idle();
    expect(receiver.requests).toHaveLength(2);
  });
});
