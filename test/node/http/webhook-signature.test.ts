import { randomBytes } from 'node:crypto';
import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import {
  createWebhookSecret,
  signWebhook,
  signedHeaders,
  verifyWebhook,
} from '../../../src/node/http/webhook-signature.ts';

/** From the reference libraries of Standard Webhooks. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
const message = fc.record({ id, timestamp: fc.integer({ min: 0, max: 4e9 }), body: fc.string({ unit: 'grapheme' }) });

describe('signing', () => {
  test('agrees with the official vector', () => {
    expect(signWebhook(vector.message, vector.secret)).toBe(vector.signature);
  });

  test('a new secret has 32 bytes and is another each time', () => {
    const [one, other] = [createWebhookSecret(), createWebhookSecret()];
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(one).not.toBe(other);
  });

  test.each([
    ['no prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['not base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La-aS_'],
    ['23 bytes', `whsec_${randomBytes(23).toString('base64')}`],
    ['65 bytes', `whsec_${randomBytes(65).toString('base64')}`],
    ['nothing', 'whsec_'],
  ])('refuses a secret with %s and does not show it', (_what, secret) => {
    expect(() => signWebhook(vector.message, secret)).toThrow(expect.objectContaining({ code: 'CONFIGURATION' }));
    expect(() => signWebhook(vector.message, secret)).toThrow(
      /^A webhook secret is `whsec_` followed by 24 to 64 bytes/,
    );
  });

  test.each([24, 64])('takes a secret of %d bytes', (size) => {
    expect(signWebhook(vector.message, `whsec_${randomBytes(size).toString('base64')}`)).toMatch(/^v1,/);
  });
});

describe('verifying', () => {
  const now = vector.message.timestamp * 1000;
  const headers = signedHeaders(vector.message, [vector.secret]);
  const { body } = vector.message;
  const verify = (changed: Record<string, string | undefined>, at = now) =>
    verifyWebhook({ headers: { ...headers, ...changed }, body, now: at }, [vector.secret]);

  test('a signed event verifies with any of its secrets', () => {
    const secret = createWebhookSecret();
    fc.assert(
      fc.property(message, (sent) => {
        const received = {
          headers: signedHeaders(sent, [vector.secret, secret]),
          body: Buffer.from(sent.body),
          now: sent.timestamp * 1000,
        };
        for (const known of [[vector.secret], [secret], [createWebhookSecret(), secret]]) {
          expect(verifyWebhook(received, known)).toEqual({ ok: true, id: sent.id });
        }
        expect(verifyWebhook(received, [createWebhookSecret()])).toEqual({ ok: false, reason: 'signature' });
      }),
    );
  });

  test('any change of id, timestamp or body fails', () => {
    fc.assert(
      fc.property(message, message, (sent, other) => {
        const signature = signedHeaders(sent, [vector.secret])['webhook-signature'];
        for (const part of ['id', 'timestamp', 'body'] as const) {
          if (sent[part] === other[part]) continue;
          const forged = { ...sent, [part]: other[part] };
          const received = {
            headers: { ...signedHeaders(forged, []), 'webhook-signature': signature },
            body: forged.body,
            now: forged.timestamp * 1000,
          };
          expect(verifyWebhook(received, [vector.secret])).toEqual({ ok: false, reason: 'signature' });
        }
      }),
    );
  });

  test('any change of a byte of the body or of the signature fails', () => {
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(verifyWebhook({ headers, body: changed, now }, [vector.secret]).ok).toBe(false);
    }
    for (let at = 0; at < vector.signature.length; at++) {
      const changed =
        vector.signature.slice(0, at) + (vector.signature[at] === 'A' ? 'B' : 'A') + vector.signature.slice(at + 1);
      expect(verify({ 'webhook-signature': changed }).ok).toBe(false);
    }
  });

  test('is good for five minutes before and after', () => {
    expect(verify({}, now + 300_000).ok).toBe(true);
    expect(verify({}, now - 300_000).ok).toBe(true);
    expect(verify({}, now + 301_000)).toEqual({ ok: false, reason: 'timestamp' });
    expect(verify({}, now - 301_000)).toEqual({ ok: false, reason: 'timestamp' });
  });

  test('passes over signatures of other schemes', () => {
    expect(verify({ 'webhook-signature': `v1a,abc v2,def ${vector.signature}` }).ok).toBe(true);
    expect(verify({ 'webhook-signature': vector.signature.replace('v1', 'v2') }).ok).toBe(false);
  });

  test.each([
    [{ 'webhook-id': undefined }],
    [{ 'webhook-timestamp': undefined }],
    [{ 'webhook-signature': undefined }],
    [{ 'webhook-id': '' }],
    [{ 'webhook-id': 'a.1614265330' }],
    [{ 'webhook-timestamp': '1614265330.0' }],
    [{ 'webhook-timestamp': '01614265330' }],
    [{ 'webhook-timestamp': '1e9' }],
    [{ 'webhook-timestamp': 'now' }],
  ])('headers with %o are none', (changed) => {
    expect(verify(changed)).toEqual({ ok: false, reason: 'headers' });
  });
});
