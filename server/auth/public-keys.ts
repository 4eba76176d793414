/** Reads the public keys that a client registers for its assertions (RFC 7517). */
import { createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import type { Jwks } from '../../src/contract/admin.ts';
import type { assertionAlgorithms } from '../../src/contract/oauth.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import { findEntry } from '../../src/domain/find-entry.ts';

type Algorithm = (typeof assertionAlgorithms)[number];

interface KeyType {
  /** The members of the key itself. */
  readonly members: readonly string[];
  /** The first is the default. */
  readonly algorithms: readonly Algorithm[];
  /** Returns what is wrong with a key of the type. */
  readonly problem?: (key: KeyObject) => string | undefined;
}

const minBits = 2048;
const maxBits = 8192;

/** Keyed by `kty`, and `crv` if the type has one. */
const keyTypes: Readonly<Record<string, KeyType>> = {
  'EC P-256': { members: ['x', 'y'], algorithms: ['ES256'] },
  'EC P-384': { members: ['x', 'y'], algorithms: ['ES384'] },
  'EC P-521': { members: ['x', 'y'], algorithms: ['ES512'] },
  'OKP Ed25519': { members: ['x'], algorithms: ['EdDSA', 'Ed25519'] },
  RSA: {
    members: ['n', 'e'],
    algorithms: ['RS256', 'PS256'],
    problem({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }) {
      if (modulusLength < minBits || modulusLength > maxBits) return `must have ${minBits} to ${maxBits} bits`;
      // With an exponent of 1, a signature equals the signed data.
      return publicExponent < 3n ? 'has an exponent that protects nothing' : undefined;
    },
  },
};

/** Members of private and symmetric keys. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Returns the keys with `kid` and `alg`, without unknown members, or their problems. */
export async function readPublicKeys({ keys }: Jwks): Promise<{ jwks: Jwks } | { problems: FieldError[] }> {
  const read = await Promise.all(keys.map(readKey));
  const problems = read.flatMap((key, at) => (typeof key === 'string' ? [createProblem(at, key)] : []));
  const good = read.filter((key) => typeof key !== 'string');
  const kids = good.map(({ kid }) => kid);
  const duplicate = kids.findIndex((kid, at) => kids.indexOf(kid) < at);
  if (problems.length === 0 && duplicate >= 0)
    problems.push(createProblem(duplicate, 'has the kid of a key before it'));
  return problems.length > 0 ? { problems } : { jwks: { keys: good } };
}

const createProblem = (at: number, problem: string): FieldError => ({
  field: `jwks.keys.${at}`,
  message: `jwks.keys.${at} ${problem}`,
  code: 'INVALID_VALUE',
});

/** Returns the key or its problem. */
async function readKey(jwk: Record<string, unknown>): Promise<Record<string, unknown> | string> {
  if (privateMembers.some((member) => Object.hasOwn(jwk, member)))
    return 'is a private key, which must stay where it is: make another pair of keys, and register the public key alone';
  const name = [jwk['kty'], jwk['crv']].filter((part) => part !== undefined).join(' ');
  const type = findEntry(keyTypes, name);
  if (!type) return `must be one of ${Object.keys(keyTypes).join(', ')}`;
  const { alg = type.algorithms[0], use = 'sig' } = jwk;
  if (!type.algorithms.some((known) => known === alg)) return `must have the alg ${type.algorithms.join(' or ')}`;
  if (use !== 'sig') return 'must have the use sig';
  const own = ['kty', 'crv', ...type.members].filter((member) => jwk[member] !== undefined);
  const key = Object.fromEntries(own.map((member) => [member, jwk[member]]));
  const imported = importKey(key);
  if (!imported) return 'is not a key';
  const problem = type.problem?.(imported);
  if (problem !== undefined) return problem;
  const { calculateJwkThumbprint } = await import('jose');
  const { kid = await calculateJwkThumbprint(key as never) } = jwk;
  if (typeof kid !== 'string' || kid === '' || kid.length > 256)
    return 'must have a kid of 1 to 256 characters, or none';
  return { ...key, kid, alg, use };
}

function importKey(key: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}
