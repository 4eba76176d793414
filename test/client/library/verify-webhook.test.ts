/** `verifyWebhook` of the package, against what the server signs. */
import { expect, test } from 'vitest';
import { AppError, verifyWebhook } from '../../../src/client/library/index.ts';
import type { WebhookHeaders } from '../../../src/client/library/index.ts';
import { createWebhookSecret, signedHeaders } from '../../../src/node/http/webhook-signature.ts';

const now = Date.parse('2026-03-02T09:00:00Z');
const secret = createWebhookSecret();
const body = JSON.stringify({ type: 'webhook.test', timestamp: '2026-03-02T09:00:00.000Z', data: {} });
const sign = (signed: string, at = now): Record<string, string> =>
  signedHeaders({ id: 'dlv_1', timestamp: at / 1000, body: signed }, [createWebhookSecret(), secret]);

const signed = sign(body);
const upper = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toUpperCase(), [value]]));

test.each<[string, string | Uint8Array, WebhookHeaders]>([
  ['of Node', Buffer.from(body), signed],
  ['of fetch', new TextEncoder().encode(body), new Headers(signed)],
  ['of a gateway', body, upper],
])('returns the event, with headers %s', (_, sent, headers) => {
  expect(verifyWebhook(sent, headers, secret, { now })).toEqual({ ...JSON.parse(body), id: 'dlv_1' });
  expect(verifyWebhook(sent, headers, [createWebhookSecret(), secret], { now: new Date(now) }).id).toBe('dlv_1');
});

function refusal(...given: Parameters<typeof verifyWebhook>): unknown {
  try {
    return verifyWebhook(...given);
  } catch (error) {
    return error instanceof AppError ? (error.details?.['reason'] ?? error.code) : error;
  }
}

test('refuses everything else, and says why', () => {
  const other = '{"type":"unknown.event"}';
  expect(refusal(`${body} `, signed, secret, { now })).toBe('signature');
  expect(refusal(body, signed, createWebhookSecret(), { now })).toBe('signature');
  expect(refusal(body, signed, [], { now })).toBe('signature');
  expect(refusal(body, signed, secret, { now: now + 301_000 })).toBe('timestamp');
  expect(refusal(body, signed, secret, { now: Number.NaN })).toBe('timestamp');
  expect(refusal(body, signed, secret)).toBe('timestamp');
  expect(refusal(body, { ...signed, 'webhook-signature': undefined }, secret, { now })).toBe('headers');
  expect(refusal(body, { ...signed, 'Webhook-Id': 'dlv_2' }, secret, { now })).toBe('headers');
  expect(refusal(other, sign(other), secret, { now })).toBe('body');
  expect(refusal('[', sign('['), secret, { now })).toBe('body');
  expect(refusal(body, signed, 'secret', { now })).toBe('CONFIGURATION');
  expect(refusal(JSON.parse(body), signed, secret, { now })).toBe('USAGE');
  expect(refusal(body, signed, undefined as never, { now })).toBe('USAGE');
  expect(refusal(body, signed, secret, { now: '2026-03-02T09:00:00Z' as never })).toBe('USAGE');
  expect(refusal(body, signed, secret, { nwo: now } as object)).toBe('USAGE');
  expect(refusal(body, undefined as never, secret, { now })).toBe('USAGE');
});
