import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../../src/contract/errors.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { createWebhookSecret, verifyWebhook } from '../../../../src/node/http/webhook-signature.ts';
import { createIds } from '../../../../server/storage/ids.ts';
import { createTargets } from '../../../../server/delivery/webhooks/target.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { openUnsteady } from '../../storage/lowdb/unsteady-store.ts';
import { createReceiver } from './receiver.ts';
import type { ReceivedRequest } from './receiver.ts';
import { createService, startedService, startOfTest } from './service.ts';
import type { Service } from './service.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const verified = (request: ReceivedRequest, service: Service, secret: string) =>
  verifyWebhook({ ...request, now: service.clock.now() }, [secret]);

describe('announcing', () => {
  test('an event arrives signed, its body exactly what was kept', async () => {
    const receiver = await createReceiver();
    const service = await startedService();
    const { secrets } = await service.client('ris', { url: `${receiver.url}?tenant=7` });
    await service.announce({ data: { record_id: 'rec_1', status: 'final' } });

    const [delivery] = await service.deliveries();
    expect(receiver.requests).toHaveLength(1);
    const [request] = receiver.requests;
    expect(request!.path).toBe('/hook?tenant=7');
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-timestamp': String(startOfTest / 1000),
    });
    expect(verified(request!, service, secrets[0]!.secret)).toEqual({ ok: true, id: delivery!.id });
    expect(JSON.parse(request!.body)).toEqual({
      type: 'worklist.document.completed',
      timestamp: '2026-03-02T12:00:00.000Z',
      data: { record_id: 'rec_1', status: 'final' },
    });
    expect(delivery).toMatchObject({
      status: 'delivered',
      next_attempt_at: null,
      attempts: [{ at: '2026-03-02T12:00:00.000Z', http_status: 204, error: null, duration_ms: expect.any(Number) }],
    });
    expect(delivery!.id).toMatch(/^dlv_/);
  });

  test('goes to the webhooks of that space which are on, want that type and belong to a client', async () => {
    const service = createService();
    await service.client('yes');
    await service.client('elsewhere', { space: 'other' });
    await service.client('off', { enabled: false });
    await service.client('jobs', { events: ['medical_record.job.failed'] });
    await service.client('former');
    await service.store.transact(async (tx) => tx.remove('clients', 'former'));
    await service.announce();
    expect((await service.deliveries()).map(({ client_id }) => client_id)).toEqual(['yes']);
    await service.announce({ type: 'medical_record.job.failed' });
    expect(
      (await service.deliveries())
        .slice(1)
        .map(({ client_id }) => client_id)
        .toSorted(),
    ).toEqual(['jobs', 'yes']);
  });

  test('is part of the transaction: a change that fails announces nothing', async () => {
    const service = await startedService();
    await service.client('ris');
    const change = service.store.transact(async (tx) => {
      await service.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: {} });
      throw new AppError('VERSION_CONFLICT');
    });
    await expect(change).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    await service.announcer.idle();
    expect(await service.deliveries()).toEqual([]);
  });

  test('a change that the disk refused is announced to nobody', async () => {
    const { store, disk } = await openUnsteady()(await temporaryDirectory());
    disk.calm();
    onTestFinished(() => store.close());
    const receiver = await createReceiver();
    const clock = manualClock(startOfTest);
    const service = await startedService({}, { store, clock, ids: createIds(clock) });
    await service.client('ris', { url: receiver.url });
    disk.unsettle();
    const change = service.announce();
    while (!disk.isWaiting) await new Promise((resolve) => setImmediate(resolve));
    // As another change that was announced meanwhile would.
    await service.announcer.idle();
    disk.fail();
    // What was written of it can be cut off again.
    disk.calm();
    await expect(change).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(receiver.requests).toEqual([]);
    await service.announce();
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('answers of the receiver', () => {
  test('a failure is tried again by the whole schedule, with the same id, then given up', async () => {
    const receiver = await createReceiver(500);
    const service = await startedService();
    const { secrets } = await service.client('ris', { url: receiver.url });
    await service.announce();
    for (const delay of [
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ]) {
      const before = receiver.requests.length;
      expect((await service.deliveries())[0]).toMatchObject({
        status: 'pending',
        next_attempt_at: new Date(service.clock.now() + delay).toISOString(),
      });
      await service.advance(delay - 1);
      expect(receiver.requests).toHaveLength(before);
      await service.advance(1);
      expect(receiver.requests).toHaveLength(before + 1);
      expect(verified(receiver.requests.at(-1)!, service, secrets[0]!.secret).ok).toBe(true);
    }
    const [delivery] = await service.deliveries();
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(delivery!.attempts.map(({ http_status }) => http_status)).toEqual(Array.from({ length: 10 }, () => 500));
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery!.id]));
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    await service.advance(48 * hour);
    expect(receiver.requests).toHaveLength(10);
    expect(service.log).toEqual([{ level: 'warn', event: 'webhook_failed', delivery_id: delivery!.id }]);
  });

  test('a later 2xx ends the retries', async () => {
    const receiver = await createReceiver(500);
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    await service.announce();
    receiver.reply = 201;
    await service.advance(5 * second);
    await service.advance(48 * hour);
    expect(receiver.requests).toHaveLength(2);
    expect((await service.deliveries())[0]).toMatchObject({
      status: 'delivered',
      attempts: [{ http_status: 500 }, { http_status: 201 }],
    });
  });

  test.each([301, 302, 303, 307, 308])('a %d is a failure and is not followed', async (status) => {
    const elsewhere = await createReceiver();
    const receiver = await createReceiver({ status, headers: { location: elsewhere.url } });
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    await service.announce();
    expect(elsewhere.requests).toEqual([]);
    expect((await service.deliveries())[0]).toMatchObject({
      status: 'pending',
      attempts: [{ http_status: status, error: null }],
    });
  });

  test('410 turns the webhook off', async () => {
    const receiver = await createReceiver(410);
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    await service.announce();
    expect((await service.deliveries())[0]).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(await service.store.get('webhooks', 'ris')).toMatchObject({ enabled: false });
    await service.announce();
    await service.advance(48 * hour);
    expect(receiver.requests).toHaveLength(1);
    expect(service.log).toEqual([{ level: 'warn', event: 'webhook_gone', client_id: 'ris' }]);
  });

  test('410 stops what was waiting for its turn as well', async () => {
    const receiver = await createReceiver(410);
    const service = await startedService({ perEndpoint: 1 });
    await service.client('ris', { url: receiver.url });
    await service.store.transact(async (tx) => {
      for (const count of [1, 2, 3]) {
        await service.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: { count } });
      }
    });
    await service.announcer.idle();
    expect(receiver.requests).toHaveLength(1);
    expect((await service.deliveries()).map(({ status }) => status)).toEqual(['failed', 'pending', 'pending']);
  });

  test('a 410 of an address that was changed meanwhile does not', async () => {
    let answer = () => {};
    const receiver = await createReceiver((response) => (answer = () => response.writeHead(410).end()));
    const service = await startedService();
    const webhook = await service.client('ris', { url: receiver.url });
    const announced = service.announce();
    await receiver.arrived(1);
    await service.store.transact(async (tx) => tx.put('webhooks', { ...webhook, url: 'https://new.example.com/' }));
    answer();
    await announced;
    expect(await service.store.get('webhooks', 'ris')).toMatchObject({ enabled: true });
  });

  test.each([429, 503])('Retry-After of a %d puts the next attempt off', async (status) => {
    const receiver = await createReceiver({ status, headers: { 'retry-after': '120' } });
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    await service.announce();
    await service.advance(2 * minute - 1);
    expect(receiver.requests).toHaveLength(1);
    await service.advance(1);
    expect(receiver.requests).toHaveLength(2);
  });

  test('Retry-After may be a date, is bounded by a day, and counts with 429 and 503 only', async () => {
    const date = await createReceiver({ status: 503, headers: { 'retry-after': 'Mon, 02 Mar 2026 12:10:00 GMT' } });
    const long = await createReceiver({ status: 429, headers: { 'retry-after': '999999999' } });
    const other = await createReceiver({ status: 500, headers: { 'retry-after': '120' } });
    const service = await startedService();
    await service.client('a', { url: date.url });
    await service.client('b', { url: long.url });
    await service.client('c', { url: other.url });
    await service.announce();
    const next = Object.fromEntries(
      (await service.deliveries()).map((delivery) => [delivery.client_id, delivery.next_attempt_at]),
    );
    expect(next).toEqual({
      a: '2026-03-02T12:10:00.000Z',
      b: '2026-03-03T12:00:00.000Z',
      c: '2026-03-02T12:00:05.000Z',
    });
  });

  test('the answer is read to a bound: one that never ends does not hold anything up', async () => {
    const receiver = await createReceiver((response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write(Buffer.alloc(16 * 1024))) if (response.destroyed) return;
      };
      response.on('drain', more);
      more();
    });
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    await service.announce();
    expect((await service.deliveries())[0]).toMatchObject({ status: 'delivered' });
  });
});

describe('when there is no answer', () => {
  const failed = async (service: Service, error: string) => {
    const [delivery] = await service.deliveries();
    expect(delivery).toMatchObject({
      status: 'pending',
      next_attempt_at: '2026-03-02T12:00:05.000Z',
      attempts: [{ http_status: null, error }],
    });
  };

  test('silence ends after the time limit', async () => {
    const receiver = await createReceiver(() => {});
    const service = await startedService({ timeoutMs: 50 });
    await service.client('ris', { url: receiver.url });
    await service.announce();
    await failed(service, 'There was no answer in time.');
  });

  test('a refused connection', async () => {
    const service = await startedService();
    await service.client('ris', { url: `http://127.0.0.1:${await closedPort()}/` });
    await service.announce();
    await failed(service, 'The connection was refused.');
  });

  test('a connection that breaks', async () => {
    const receiver = await createReceiver((response) => void response.socket!.destroy());
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    await service.announce();
    await failed(service, 'The connection broke.');
  });

  test('the address is checked again when the connection is made (DNS rebinding)', async () => {
    const receiver = await createReceiver();
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const targets = createTargets({ resolve: async () => answers.shift()! });
    const url = receiver.url.replace('http://127.0.0.1', 'https://ris.example.com');
    await targets.addresses(targets.parse(url));
    const service = await startedService({ targets });
    await service.client('ris', { url });
    await service.announce();
    expect(receiver.requests).toEqual([]);
    await failed(
      service,
      'This host is not allowed: webhooks go to public https addresses, or to loopback (127.0.0.1, localhost).',
    );
  });

  test('the connection goes to the address that was checked', async () => {
    const receiver = await createReceiver();
    let lookups = 0;
    const targets = createTargets({ resolve: async () => (lookups++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']) });
    const service = await startedService({ targets });
    await service.client('ris', { url: receiver.url.replace('127.0.0.1', 'localhost') });
    await service.announce();
    expect(lookups).toBe(1);
    expect(receiver.requests).toHaveLength(1);
    expect(receiver.requests[0]!.headers.host).toMatch(/^localhost:\d+$/);
  });

  test('a name is not looked up a second time for https either, and is the one that TLS asks for', async () => {
    let hello = Buffer.alloc(0);
    const server = createServer((socket) => {
      socket.on('data', (chunk) => {
        hello = Buffer.concat([hello, chunk]);
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    // `example.invalid` has no address anywhere else (RFC 6761 6.4).
    const targets = createTargets({ allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
    const service = await startedService({ targets });
    await service.client('ris', { url: `https://ris.example.invalid:${(server.address() as AddressInfo).port}/` });
    await service.announce();
    expect(hello.toString('latin1')).toContain('ris.example.invalid');
  });

  test('an address that could not have been registered is not connected to', async () => {
    const receiver = await createReceiver();
    const service = await startedService();
    await service.client('ris', { url: receiver.url.replace('127.0.0.1', '2130706433') });
    await service.announce();
    expect(receiver.requests).toEqual([]);
    await failed(
      service,
      'The host must be written in its plain form, without a user name, an unusual spelling or spaces.',
    );
  });
});

describe('secrets', () => {
  test('after a rotation both sign until the end of the old one', async () => {
    const receiver = await createReceiver();
    const service = await startedService();
    const [young, old] = [createWebhookSecret(), createWebhookSecret()];
    const until = new Date(startOfTest + 24 * hour).toISOString();
    await service.client('ris', {
      url: receiver.url,
      secrets: [
        { secret: young, until: null },
        { secret: old, until },
      ],
    });
    await service.announce();
    expect(verified(receiver.requests[0]!, service, young).ok).toBe(true);
    expect(verified(receiver.requests[0]!, service, old).ok).toBe(true);
    await service.advance(24 * hour);
    await service.announce();
    expect(verified(receiver.requests[1]!, service, young).ok).toBe(true);
    expect(verified(receiver.requests[1]!, service, old)).toEqual({ ok: false, reason: 'signature' });
  });

  test('neither secrets nor addresses nor payloads are logged or kept with an attempt', async () => {
    const receiver = await createReceiver(410);
    const service = await startedService();
    const { secrets } = await service.client('ris', { url: `${receiver.url}?key=canary` });
    await service.announce({ data: { record_id: 'rec_canary' } });
    const seen = JSON.stringify([service.log, (await service.deliveries())[0]!.attempts]);
    for (const hidden of ['canary', secrets[0]!.secret, '127.0.0.1']) expect(seen).not.toContain(hidden);
    expect(service.log).toHaveLength(1);
  });
});
