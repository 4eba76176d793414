import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { manualClock } from '../../../src/domain/clock.ts';
import { createWebhookListener } from '../../../src/node/http/webhook-listener.ts';
import type { HeardWebhook, WebhookListener } from '../../../src/node/http/webhook-listener.ts';
import { createWebhookSecret, signedHeaders } from '../../../src/node/http/webhook-signature.ts';

const start = Date.parse('2026-03-02T12:00:00Z');
const secret = createWebhookSecret();
const event = { type: 'webhook.test', timestamp: '2026-03-02T12:00:00.000Z', data: {} };

let listener: WebhookListener | undefined;
afterEach(() => listener?.close());

async function listen(options: { limit?: number } = {}) {
  const clock = manualClock(start);
  const opened = await createWebhookListener({ secrets: [secret], clock, ...options });
  listener = opened;
  const heard = opened.heard[Symbol.asyncIterator]();
  const send = async (
    body: string,
    headers = signedHeaders({ id: 'dlv_1', timestamp: start / 1000, body }, [secret]),
  ) => (await fetch(opened.url, { method: 'POST', headers, body })).status;
  const next = async (): Promise<HeardWebhook> => (await heard.next()).value;
  return { clock, opened, heard, send, next };
}

describe('the webhook listener', () => {
  test('answers 204 to a signed event and hands it on', async () => {
    const { opened, send, next } = await listen();
    expect(opened.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await send(JSON.stringify(event))).toBe(204);
    const body = JSON.stringify(event);
    const headers = signedHeaders({ id: 'dlv_1', timestamp: start / 1000, body }, [secret]);
    expect(await next()).toEqual({ verified: true, id: 'dlv_1', event, repeated: false, headers, body });
  });

  test('flags an id that it heard before', async () => {
    const { send, next } = await listen();
    expect(await send(JSON.stringify(event))).toBe(204);
    expect(await send(JSON.stringify(event))).toBe(204);
    expect([await next(), await next()]).toMatchObject([{ repeated: false }, { repeated: true }]);
  });

  test('answers 401 to what is unsigned, forged or old, and shows nothing of it', async () => {
    const { clock, send, next } = await listen();
    const body = JSON.stringify(event);
    expect(await send(body, {})).toBe(401);
    expect(
      await send(body, signedHeaders({ id: 'dlv_1', timestamp: start / 1000, body }, [createWebhookSecret()])),
    ).toBe(401);
    clock.advance(301_000);
    expect(await send(body)).toBe(401);
    expect([await next(), await next(), await next()]).toEqual([
      { verified: false, id: null, event: null, reason: 'headers' },
      { verified: false, id: 'dlv_1', event: null, reason: 'signature' },
      { verified: false, id: 'dlv_1', event: null, reason: 'timestamp' },
    ]);
    // A forged one does not use up the id.
    const fresh = signedHeaders({ id: 'dlv_1', timestamp: clock.now() / 1000, body }, [secret]);
    expect(await send(body, fresh)).toBe(204);
    expect(await next()).toMatchObject({ verified: true, repeated: false });
  });

  test.each(['', 'text', '[]', '"a"', 'null', '{"type":'])(
    'answers 400 to a signed body that is no event: %j',
    async (body) => {
      const { send, next } = await listen();
      expect(await send(body)).toBe(400);
      expect(await next()).toEqual({ verified: false, id: 'dlv_1', event: null, reason: 'body' });
    },
  );

  test('answers 413 to a body over the limit and 405 to other methods, and hands on neither', async () => {
    const { opened, send, heard } = await listen({ limit: 100 });
    expect(await send('x'.repeat(1_000_000))).toBe(413);
    expect((await fetch(opened.url)).status).toBe(405);
    await opened.close();
    expect(await heard.next()).toEqual({ done: true, value: undefined });
  });

  test('a connection that breaks off in the middle of a body harms nobody', async () => {
    const { opened, send, next } = await listen();
    const socket = connect(Number(new URL(opened.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"type"', () => socket.destroy());
    await closed;
    expect(await send(JSON.stringify(event))).toBe(204);
    expect(await next()).toMatchObject({ verified: true });
  });

  test('close ends the iteration after what was heard', async () => {
    const { opened, send, heard } = await listen();
    await send(JSON.stringify(event));
    await opened.close();
    expect(await heard.next()).toMatchObject({ done: false, value: { verified: true } });
    expect(await heard.next()).toMatchObject({ done: true });
  });

  test('knows a secret that is added while it listens', async () => {
    const secrets: string[] = [];
    listener = await createWebhookListener({ secrets, clock: manualClock(start) });
    const body = JSON.stringify(event);
    const headers = signedHeaders({ id: 'dlv_1', timestamp: start / 1000, body }, [secret]);
    const send = async () => (await fetch(listener!.url, { method: 'POST', headers, body })).status;
    expect(await send()).toBe(401);
    secrets.push(secret);
    expect(await send()).toBe(204);
  });

  test('refuses a secret that is none before it listens', async () => {
    await expect(createWebhookListener({ secrets: ['whsec_x'], clock: manualClock(start) })).rejects.toMatchObject({
      code: 'CONFIGURATION',
    });
  });
});
