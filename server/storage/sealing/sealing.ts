/**
 * Encryption at rest: AES-256-GCM (NIST SP 800-38D) for each frame, with a separate key for each file. So one key never meets
 * more random nonces than are safe (2^32), and nobody can move a frame from one file to another.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomFillSync } from 'node:crypto';
import { AppError } from '../../../src/contract/errors.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';

/** Bytes. */
export const dataKeyLength = 32;

const algorithm = 'aes-256-gcm';
/** Bytes: 96 bits, the length for which GCM is made. */
const nonceLength = 12;
const tagLength = 16;
const overhead = nonceLength + tagLength;

/** `dataKey`: 32 random bytes. Sealed data is nonce | ciphertext | tag. */
export function createSealing(dataKey: Uint8Array): Sealing {
  if (dataKey.length !== dataKeyLength) throw new TypeError(`A data key has ${dataKeyLength} bytes.`);
  const nonces = createNonces();
  return {
    forFile(salt) {
      const key = createSecretKey(new Uint8Array(hkdfSync('sha256', dataKey, salt, 'laudio file', dataKeyLength)));
      return {
        overhead,
        seal(plain, context) {
          const sealed = Buffer.allocUnsafe(overhead + plain.length);
          const nonce = nonces();
          const cipher = createCipheriv(algorithm, key, nonce).setAAD(context);
          sealed.set(nonce);
          // GCM gives as many bytes as it takes, and none at the end.
          sealed.set(cipher.update(plain), nonceLength);
          cipher.final();
          sealed.set(cipher.getAuthTag(), nonceLength + plain.length);
          return sealed;
        },
        open(sealed, context) {
          if (sealed.length < overhead) throw changed();
          const ends = sealed.length - tagLength;
          const nonce = sealed.subarray(0, nonceLength);
          const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength });
          decipher.setAAD(context).setAuthTag(sealed.subarray(ends));
          const plain = decipher.update(sealed.subarray(nonceLength, ends));
          try {
            decipher.final();
          } catch {
            throw changed();
          }
          return plain;
        },
      };
    },
  };
}

/** The error for sealed data that somebody changed, or that another key sealed. A retry is of no use. */
export const changed = (): AppError =>
  new AppError('STORAGE_UNAVAILABLE', {
    message: 'Encrypted data was changed, or it was encrypted with another key.',
    details: { changed: true },
  });

export const isChanged = (error: unknown): boolean => error instanceof AppError && error.details?.['changed'] === true;

/** Takes nonces from a pool: a call of the system for 12 bytes costs as much as sealing a document, and one for thousands hardly more. */
function createNonces(): () => Uint8Array {
  const pool = new Uint8Array(1024 * nonceLength);
  let next = pool.length;
  return () => {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    // A copy, for the pool is filled again.
    return pool.slice(next, (next += nonceLength));
  };
}
