/** Seals keys with a passphrase: the key of a data directory, and that of a backup that leaves the computer. */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../../src/contract/errors.ts';
import { minPassphrase } from '../../../src/contract/maintenance.ts';
import { integer, object, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { deriveKey } from '../../runtime/secrets.ts';
import type { ScryptCost } from '../../runtime/secrets.ts';
import { createSealing } from './sealing.ts';

/** A key, sealed under a passphrase: plain JSON, for a file or for the head of one. */
export const PassphraseWrapped = object({
  scrypt: object({ N: integer(), r: integer(), p: integer() }),
  salt: string({ description: 'Base64.' }),
  key: string({ description: 'Base64.' }),
});
export type PassphraseWrapped = TypeOf<typeof PassphraseWrapped>;

/** 128 MiB and about half a second a guess (OWASP password storage: N 2^17, r 8, p 1). */
const cost: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };
/** Bytes of memory, 128 · N · r, that the cost in a file may take at most. */
const maxMemory = 2 ** 30;

const context = Buffer.from('key under a passphrase');

/** AppError CONFIGURATION where the passphrase is too short to protect anything. */
export async function wrapWithPassphrase(key: Uint8Array, passphrase: string): Promise<PassphraseWrapped> {
  if (passphrase.length < minPassphrase) {
    throw new AppError('CONFIGURATION', {
      message: `A passphrase has at least ${minPassphrase} characters.`,
      hint: 'Take several words. Write it down and keep it elsewhere: without it the data cannot be read by anybody.',
    });
  }
  const salt = randomBytes(16);
  const wrapping = createSealing(await deriveKey(passphrase, salt, cost)).forFile(salt);
  return {
    scrypt: { ...cost },
    salt: salt.toString('base64'),
    key: wrapping.seal(key, context).toString('base64'),
  };
}

/** AppError CONFIGURATION where the passphrase is another one, or what is wrapped was changed. */
export async function unwrapWithPassphrase(wrapped: PassphraseWrapped, passphrase: string): Promise<Buffer> {
  const salt = Buffer.from(wrapped.salt, 'base64');
  try {
    const { N, r, p } = wrapped.scrypt;
    if (128 * N * r > maxMemory || p > 16) throw new RangeError('That cost is none of ours.');
    const wrapping = createSealing(await deriveKey(passphrase, salt, { N, r, p })).forFile(salt);
    return wrapping.open(Buffer.from(wrapped.key, 'base64'), context);
  } catch (cause) {
    throw new AppError('CONFIGURATION', {
      message: 'The passphrase is wrong.',
      hint: 'It is the one that was given when this was encrypted; capital letters and spaces count.',
      cause,
    });
  }
}
