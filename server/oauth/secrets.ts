/** Secrets: made, hashed and compared. Nothing here is ever logged. */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** scrypt's cost: memory is 128 · N · r bytes, time grows with N · r · p. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** For what people choose (OWASP password storage: N 2^15, r 8, p 3). */
export const passwordCost: ScryptCost = { N: 2 ** 15, r: 8, p: 3 };
/** For what this server makes: 256 random bits need no slow hash, and a token request should not wait for one. */
export const generatedCost: ScryptCost = { N: 2 ** 12, r: 8, p: 1 };

const keyBytes = 32;

/** 256 random bits as base64url, 43 characters. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** SHA-256 as base64url: how random tokens are kept and looked up. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Takes the same time wherever the two differ. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

/** `scrypt$N$r$p$salt$key`, the salt fresh. */
export async function hashSecret(secret: string, cost: ScryptCost): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(secret, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Does the secret give this hash? The hash says at what cost. */
export async function verifySecret(secret: string, hash: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hash.split('$');
  if (kind !== 'scrypt' || !salt || !key) return false;
  const derived = await deriveKey(secret, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  const kept = Buffer.from(key, 'base64url');
  return kept.length === derived.length && timingSafeEqual(kept, derived);
}

/** 32 bytes that take the time and the memory of `cost` to find out (scrypt, RFC 7914). */
export const deriveKey = (secret: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Node refuses more than 32 MiB unless told otherwise; OpenSSL needs a little more than 128 · N · r.
    const maxmem = 128 * cost.N * cost.r * 2;
    // NFC: the same password typed on two keyboards may come in two encodings.
    scrypt(secret.normalize('NFC'), salt, keyBytes, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
