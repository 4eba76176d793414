/**
 * Caches verified client secrets, so that a working client neither waits for slow hashes nor is locked out by guessers.
 * Concurrent requests with the same secret share one hash. The cache holds keyed hashes: the secrets have 256 random
 * bits and need no slower protection.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Hashing } from './hashing.ts';
import { removeOldest } from '../../src/domain/oldest.ts';

export interface Recognition {
  /** Whether `verify` accepted this secret for this hash before. */
  knows(hash: string, secret: string): boolean;
  /** Whether the secret matches the hash. Throws AppError SERVER_BUSY as `Hashing.verify` does. */
  verify(hash: string, secret: string, address: string): Promise<boolean>;
}

/** Secrets in the cache; the oldest is evicted first. */
const mostSecrets = 10_000;

export function createRecognition(hashing: Pick<Hashing, 'verify'>): Recognition {
  const key = randomBytes(32);
  const known = new Set<string>();
  const asked = new Map<string, Promise<boolean>>();
  const markOf = (hash: string, secret: string): string =>
    createHmac('sha256', key).update(hash).update('\0').update(secret).digest('base64url');
  return {
    knows: (hash, secret) => known.has(markOf(hash, secret)),
    verify(hash, secret, address) {
      const mark = markOf(hash, secret);
      const before = asked.get(mark);
      if (before) return before;
      const answer = hashing
        .verify(secret, hash, { kind: 'client', address })
        .then((isRight) => {
          if (isRight) known.add(mark);
          if (known.size > mostSecrets) removeOldest(known);
          return isRight;
        })
        .finally(() => asked.delete(mark));
      asked.set(mark, answer);
      return answer;
    },
  };
}
