/**
 * Caches verified client secrets, so that a working client neither waits for slow hashes nor is locked out by guessers.
 * Concurrent requests with the same secret share one hash. The cache holds keyed hashes: the secrets have 256 random
 * bits and need no slower protection.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Hashing } from './hashing.ts';
import { removeOldest } from '../../src/domain/oldest.ts';

export interface VerifiedSecretsCache {
  /** Whether `verify` accepted this secret for this hash before. */
  has(hash: string, secret: string): boolean;
  /** Whether the secret matches the hash. Throws AppError SERVER_BUSY as `Hashing.verify` does. */
  verify(hash: string, secret: string, address: string): Promise<boolean>;
}

/** Secrets in the cache; the oldest is evicted first. */
const maxSecrets = 10_000;

export function createVerifiedSecretsCache(hashing: Pick<Hashing, 'verify'>): VerifiedSecretsCache {
  const key = randomBytes(32);
  const marks = new Set<string>();
  const running = new Map<string, Promise<boolean>>();
  const computeMark = (hash: string, secret: string): string =>
    createHmac('sha256', key).update(hash).update('\0').update(secret).digest('base64url');
  return {
    has: (hash, secret) => marks.has(computeMark(hash, secret)),
    verify(hash, secret, address) {
      const mark = computeMark(hash, secret);
      const before = running.get(mark);
      if (before) return before;
      const answer = hashing
        .verify(secret, hash, { kind: 'client', address })
        .then((isRight) => {
          if (isRight) marks.add(mark);
          if (marks.size > maxSecrets) removeOldest(marks);
          return isRight;
        })
        .finally(() => running.delete(mark));
      running.set(mark, answer);
      return answer;
    },
  };
}
