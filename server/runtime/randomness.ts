/**
 * Random bytes that are not secret, which a seed makes reproducible. Credentials (tokens, codes, client secrets) and keys never come
 * from here, but from the system's randomness.
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto';

export interface Randomness {
  bytes(count: number): Buffer;
  /** A number from 0 to below 1. */
  number(): number;
}

/** Each purpose has a separate sequence, independent of the others. */
export type RandomnessFor = (purpose: string) => Randomness;

const machineRandomness: Randomness = { bytes: randomBytes, number: Math.random };

/** Without a seed: the system's randomness. */
export const randomnessFor =
  (seed: string | undefined): RandomnessFor =>
  (purpose) =>
    seed === undefined ? machineRandomness : createSeeded(seed, purpose);

/** The key stream of AES in counter mode; the key is the hash of seed and purpose. */
function createSeeded(seed: string, purpose: string): Randomness {
  const key = createHash('sha256')
    .update(JSON.stringify([seed, purpose]))
    .digest();
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const bytes = (count: number): Buffer => cipher.update(Buffer.alloc(count));
  return { bytes, number: () => bytes(6).readUIntBE(0, 6) / 2 ** 48 };
}
