/**
 * Where random bytes come from that may be known. With a seed they are the same in each run. What lets somebody in (tokens,
 * codes, secrets of clients) and every key is never made of these, but of the machine's own randomness.
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto';

export interface Randomness {
  bytes(count: number): Buffer;
  /** From 0 up to 1. */
  number(): number;
}

/** Each purpose has bytes of its own: what is drawn for one does not change the others. */
export type RandomnessFor = (purpose: string) => Randomness;

const machineRandomness: Randomness = { bytes: randomBytes, number: Math.random };

/** `seed` undefined: the machine's own randomness. */
export const randomnessFor =
  (seed: string | undefined): RandomnessFor =>
  (purpose) =>
    seed === undefined ? machineRandomness : seeded(seed, purpose);

/** The key stream of AES in counter mode, the key being the hash of seed and purpose. */
function seeded(seed: string, purpose: string): Randomness {
  const key = createHash('sha256')
    .update(JSON.stringify([seed, purpose]))
    .digest();
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const bytes = (count: number): Buffer => cipher.update(Buffer.alloc(count));
  return { bytes, number: () => bytes(6).readUIntBE(0, 6) / 2 ** 48 };
}
