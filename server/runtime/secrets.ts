/** Makes and compares secrets, and writes and reads their hashes; hashing.ts computes slow ones. Nothing here is ever logged. */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { normalForm } from '../../src/domain/normal-form.ts';

/** scrypt's cost: memory is 128 · N · r bytes, time grows with N · r · p. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** What the hash of a secret costs, by whose secret it is. */
export const secretCosts = {
  /** What people choose (OWASP password storage: N 2^15, r 8, p 3). */
  password: { N: 2 ** 15, r: 8, p: 3 },
  /** What this server makes: 256 random bits need no slow hash, and a token request should not wait for one. */
  client: { N: 2 ** 12, r: 8, p: 1 },
} as const satisfies Record<string, ScryptCost>;
export type SecretKind = keyof typeof secretCosts;
export type SecretCosts = Readonly<Record<SecretKind, ScryptCost>>;

const keyBytes = 32;

/** 256 random bits as base64url, 43 characters. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** SHA-256 as base64url. The store keeps the hash of a random token, and finds the token by it. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Compares in a time that does not depend on where the two texts differ. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

/** The input of a key derivation, as plain data that a thread can receive. */
export interface Derivation {
  readonly secret: string;
  readonly salt: Uint8Array;
  readonly bytes: number;
  readonly options: ScryptCost & { readonly maxmem: number };
}

export const derivationOf = (secret: string, salt: Uint8Array, cost: ScryptCost): Derivation => ({
  // NFC: the same password typed on two keyboards may come in two encodings.
  secret: normalForm(secret),
  salt,
  bytes: keyBytes,
  // Node refuses more than 32 MiB unless told otherwise; OpenSSL needs a little more than 128 · N · r.
  options: { ...cost, maxmem: 128 * cost.N * cost.r * 2 },
});

/** Derives 32 bytes with scrypt (RFC 7914) at the given cost. For use while a server starts. */
export const deriveKey = (text: string, saltBytes: Buffer, cost: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { secret, salt, bytes, options } = derivationOf(text, saltBytes, cost);
    scrypt(secret, salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** The hash of a secret, as the store keeps it. */
export interface SecretHash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** `scrypt$N$r$p$salt$key`. */
export const writeHash = ({ cost, salt, key }: SecretHash): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');

/** `undefined` if the text is not such a hash. */
export function readHash(text: string): SecretHash | undefined {
  const [kind, N, r, p, salt, key] = text.split('$');
  if (kind !== 'scrypt' || !salt || !key) return undefined;
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

/** A hash that no secret gives. To compare with it makes an unknown client or name take as long as a known one. */
export const decoyHash = (cost: ScryptCost): string =>
  writeHash({ cost, salt: randomBytes(16), key: randomBytes(keyBytes) });
