/** Events passed on to a receiver behind the listener: as they came, once each, and with the receiver's own answer. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../src/domain/clock.ts';
import { createWebhookForwarder } from '../../../src/node/http/webhook-forwarder.ts';
import { createWebhookListener } from '../../../src/node/http/webhook-listener.ts';
import type { HeardWebhook } from '../../../src/node/http/webhook-listener.ts';
import { createWebhookSecret, signedHeaders, verifyWebhook } from '../../../src/node/http/webhook-signature.ts';
import { createReceiver } from '../../server/delivery/webhooks/receiver.ts';
import type { Reply } from '../../server/delivery/webhooks/receiver.ts';

const now = Date.parse('2026-03-02T12:00:00Z');
const secret = createWebhookSecret();
// Another program would write the same event otherwise; the bytes are what is signed.
const body = '{ "type": "webhook.test",\n "timestamp": "2026-03-02T12:00:00.000Z", "data": { "name": "São" } }';
const signed = signedHeaders({ id: 'dlv_1', timestamp: now / 1000, body }, [secret]);

async function listenBefore(url: string) {
  const forwarder = createWebhookForwarder(() => url, {});
  const listener = await createWebhookListener({ secrets: [secret], clock: manualClock(now), forwarder });
  onTestFinished(async () => {
    await listener.close();
    await forwarder.close();
  });
  const heard = listener.heard[Symbol.asyncIterator]();
  return {
    listener,
    send: (headers: Record<string, string> = signed, signal?: AbortSignal) =>
      fetch(listener.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Laudio', ...headers },
        body,
        redirect: 'manual',
        ...(signal && { signal }),
      }),
    next: async () => (await heard.next()).value as HeardWebhook,
  };
}

const behind = async (reply?: Reply) => {
  const receiver = await createReceiver(reply);
  return { receiver, ...(await listenBefore(receiver.url)) };
};

test('body and headers reach the receiver unchanged, so that it can check the signature itself', async () => {
  const { receiver, send, next } = await behind();
  expect((await send()).status).toBe(204);
  const [request] = receiver.requests;
  expect(request).toMatchObject({ path: '/hook', body });
  expect(request!.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Laudio', ...signed });
  expect(request!.headers.host).toBe(new URL(receiver.url).host);
  expect(verifyWebhook({ ...request!, now }, [secret])).toEqual({ ok: true, id: 'dlv_1' });
  expect(await next()).toMatchObject({
    verified: true,
    forwarded: { http_status: 204, error: null, duration_ms: expect.any(Number) },
  });
});

test('an unverified event goes nowhere', async () => {
  const { receiver, send, next } = await behind();
  expect((await send({})).status).toBe(401);
  expect((await send({ ...signed, 'webhook-id': 'dlv_2' })).status).toBe(401);
  expect(await next()).toEqual({ verified: false, id: null, event: null, reason: 'headers' });
  expect(receiver.requests).toEqual([]);
});

test.each([
  [{ status: 503, headers: { 'retry-after': '7' } }, 503, '7'],
  [{ status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 302, null],
  [410, 410, null],
] as const)(
  'the sender gets the answer of the receiver, %j, of a single request',
  async (reply, status, retryAfter) => {
    const { receiver, send, next } = await behind(reply);
    const answer = await send();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect(await next()).toMatchObject({ verified: true, forwarded: { http_status: status, error: null } });
    expect(receiver.requests).toHaveLength(1);
  },
);

test('a receiver that is down, or breaks off: 502, and why', async () => {
  const { receiver, send, next } = await behind((response) => response.destroy());
  expect((await send()).status).toBe(502);
  expect(await next()).toMatchObject({
    forwarded: { http_status: null, error: expect.stringContaining('the connection was cut') },
  });
  expect(receiver.requests).toHaveLength(1);

  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const down = await listenBefore(`http://127.0.0.1:${port}/hook?token=canary`);
  expect((await down.send()).status).toBe(502);
  const told = await down.next();
  expect(told).toMatchObject({
    forwarded: { error: `http://127.0.0.1:${port} could not be reached: nothing is listening there.` },
  });
  expect(JSON.stringify(told)).not.toContain('canary');
});

test('a receiver without an answer is given up with the sender, and said to be slow', async () => {
  const { receiver, send, next } = await behind(() => undefined);
  const gone = new AbortController();
  const sent = send(signed, gone.signal);
  await receiver.arrived(1);
  gone.abort();
  await expect(sent).rejects.toThrow();
  expect(await next()).toMatchObject({
    forwarded: { http_status: null, error: 'It did not answer while the sender waited.' },
  });
});

test('an answer without an end holds up nobody', async () => {
  const { send, next } = await behind((response) => void response.writeHead(200).write('more'));
  expect((await send()).status).toBe(200);
  expect(await next()).toMatchObject({ forwarded: { http_status: 200 } });
});

test('a repeat goes on as well, flagged: the receiver has to know it by its id', async () => {
  const { receiver, send, next } = await behind();
  await send();
  await send();
  expect([await next(), await next()]).toMatchObject([{ repeated: false }, { repeated: true }]);
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['dlv_1', 'dlv_1']);
});
