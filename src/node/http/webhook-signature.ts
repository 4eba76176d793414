/** Signing and verifying webhooks (Standard Webhooks 1.0, symmetric signatures `v1`). */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { webhookHeaders } from '../../contract/headers.ts';

export { webhookHeaders };

const secretPrefix = 'whsec_';
const scheme = 'v1';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The largest distance of a request's timestamp from the present, in seconds. */
export const timestampTolerance = 5 * 60;

export interface WebhookMessage {
  /** The same at every attempt. */
  readonly id: string;
  /** Time of sending, in seconds since 1970. */
  readonly timestamp: number;
  /** Exactly the bytes of the request. */
  readonly body: string | Uint8Array;
}

/** Makes a new secret of 32 random bytes. `random`: their source; default: the machine. */
export const createWebhookSecret = (random: (bytes: number) => Buffer = randomBytes): string =>
  secretPrefix + random(32).toString('base64');

/**
 * The 24 to 64 bytes of a secret. AppError CONFIGURATION for an invalid secret; the message does not show the secret.
 */
export function webhookKey(secret: string): Buffer {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : '';
  const bytes = Buffer.from(base64.test(encoded) ? encoded : '', 'base64');
  if (bytes.length >= 24 && bytes.length <= 64) return bytes;
  throw new AppError('CONFIGURATION', {
    message: `A webhook secret is \`${secretPrefix}\` followed by 24 to 64 bytes in base64.`,
  });
}

/** One signature, `v1,<base64 of HMAC-SHA256 over id.timestamp.body>`. */
export const signWebhook = ({ id, timestamp, body }: WebhookMessage, secret: string): string =>
  `${scheme},${createHmac('sha256', webhookKey(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;

/** The three headers; every live secret signs, so that a receiver may switch at any time. */
export const signedHeaders = (message: WebhookMessage, secrets: readonly string[]): Record<string, string> => ({
  [webhookHeaders.id]: message.id,
  [webhookHeaders.timestamp]: String(message.timestamp),
  [webhookHeaders.signature]: secrets.map((secret) => signWebhook(message, secret)).join(' '),
});

/** Reasons to reject a request. */
export type WebhookRefusal = 'headers' | 'timestamp' | 'signature';

export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array;
  /** Present time, ms since 1970. */
  readonly now: number;
}

/**
 * Verifies that one of the secrets signed this request, and that the request is fresh. Returns the request's id. Full
 * stops join the signed parts, so neither id nor timestamp may hold one.
 */
export function verifyWebhook(
  { headers, body, now }: ReceivedWebhook,
  secrets: readonly string[],
): { ok: true; id: string } | { ok: false; reason: WebhookRefusal } {
  const id = headers[webhookHeaders.id];
  const timestamp = headers[webhookHeaders.timestamp];
  const signatures = headers[webhookHeaders.signature];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
    return { ok: false, reason: 'headers' };
  }
  if (!/^[^.]+$/.test(id) || !/^(?:0|[1-9]\d{0,14})$/.test(timestamp)) return { ok: false, reason: 'headers' };
  // No comparison with NaN is true.
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= timestampTolerance)) return { ok: false, reason: 'timestamp' };
  const message = { id, timestamp: Number(timestamp), body };
  const expected = secrets.map((secret) => Buffer.from(signWebhook(message, secret)));
  const received = signatures.split(' ').map((signature) => Buffer.from(signature));
  const matches = expected.some((one) => received.some((other) => same(one, other)));
  return matches ? { ok: true, id } : { ok: false, reason: 'signature' };
}

/** Compares in constant time. */
const same = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
