/** Reads public keys for the registration of a client from files: PEM, JWK or JWKS. */
import { createPublicKey } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import type { Jwks } from '../../src/contract/admin.ts';
import { AppError } from '../../src/contract/errors.ts';
import { list } from '../command.ts';
import { nameOf, readText } from '../shell/input-file.ts';
import type { Io } from '../shell/io.ts';

export const publicKeyOption = {
  publicKey: list('Public key with which the client logs in instead of a secret: PEM, JWK or JWKS', {
    placeholder: 'FILE',
  }),
};

/** Far more than ten keys need. */
const maxBytes = 100_000;

/** The keys of the files; `undefined` without files. USAGE for a private key, or an invalid one. */
export async function readPublicKeys(io: Io, files: readonly string[]): Promise<Jwks | undefined> {
  if (files.length === 0) return undefined;
  const keys: JsonWebKey[] = [];
  for (const file of files) keys.push(...keysIn(await readText(io, file, maxBytes), nameOf(file)));
  return { keys: keys as Record<string, unknown>[] };
}

function keysIn(text: string, name: string): JsonWebKey[] {
  if (/PRIVATE KEY/.test(text)) throw privateKey(name);
  try {
    if (!text.trimStart().startsWith('{')) return [createPublicKey(text).export({ format: 'jwk' })];
    const value = JSON.parse(text) as { keys?: JsonWebKey[] } & JsonWebKey;
    const keys = value.keys ?? [value];
    if (keys.some((key) => Object.hasOwn(key, 'd') || Object.hasOwn(key, 'k'))) throw privateKey(name);
    return keys;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('USAGE', {
      message: `${name} contains no public key.`,
      hint: 'It must be PEM, JWK or JWKS: "openssl pkey -in key.pem -pubout -out key.pub" makes one.',
    });
  }
}

const privateKey = (name: string): AppError =>
  new AppError('USAGE', {
    message: `${name} contains a private key, which must stay with the client.`,
    hint: 'Extract its public key: "openssl pkey -in key.pem -pubout -out key.pub".',
  });
