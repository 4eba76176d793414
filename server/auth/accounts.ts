/** Creates clients and test users, and finds users by name. */
import { defaultSpace } from '../../src/contract/admin.ts';
import type { Jwks } from '../../src/contract/admin.ts';
import { builtInClientId, testSecretPrefix } from '../../src/contract/oauth.ts';
import { allScopes, serverScopes } from '../../src/contract/scopes.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Reader, Transaction } from '../storage/store.ts';
import type { AuthorizationServices } from './exchange.ts';
import { randomSecret } from '../runtime/secrets.ts';
import type { StoredClient, StoredUser } from './stored-account.ts';
import { normalForm } from '../../src/domain/normal-form.ts';

type AccountDeps = Pick<AuthorizationServices, 'clock' | 'ids' | 'hashing'>;

/**
 * The server approves test clients in this user's name; in manual mode the user may log in. The password is public, so
 * its hash may be in the code. The hash has the usual cost, so that response times don't reveal which users are test
 * users.
 */
export const testUser = {
  username: 'test-physician',
  password: 'test-physician',
  password_hash: 'scrypt$32768$8$3$a25vd24tdG8tYWxsLW5vdw$xkiyI8m3lUXAH3sc3dAg3u_i3gh7-zzDhSzImPxGFmg',
  display_name: 'Dra. Teste',
} as const;

export interface ClientInput {
  readonly name: string;
  readonly redirect_uris?: readonly string[];
  readonly kind?: StoredClient['kind'];
  readonly scopes?: StoredClient['scopes'];
  /** A client with keys gets no secret. */
  readonly jwks?: Jwks;
  readonly space?: string;
  readonly test_mode?: boolean;
  /** For the built-in test client, whose id and secret are public. */
  readonly credentials?: typeof builtIn;
}

/**
 * Creates a client and its secret, if it uses one. The secret is shown once; only its hash is stored, by the caller.
 */
export async function makeClient(
  { clock, ids, hashing }: AccountDeps,
  input: ClientInput,
): Promise<{ client: StoredClient; secret?: string }> {
  const test = input.test_mode === true;
  const { kind = 'web', jwks, credentials } = input;
  const id = credentials?.id ?? ids(test ? 'test_tc' : 'lc');
  const client: StoredClient = {
    id,
    name: input.name,
    kind,
    redirect_uris: [...(input.redirect_uris ?? [])],
    scopes: [...new Set(input.scopes ?? (kind === 'server' ? serverScopes : allScopes))],
    ...(jwks && { jwks }),
    space: input.space ?? (test ? id : defaultSpace),
    test_mode: test,
    created_at: isoNow(clock),
    secret_hash: credentials?.secret_hash ?? null,
  };
  if (jwks || credentials) return { client };
  const secret = makeClientSecret(test);
  return { client: { ...client, secret_hash: await hashing.hash(secret, 'client') }, secret };
}

export const makeClientSecret = (test: boolean): string => (test ? testSecretPrefix : 'lcs_') + randomSecret();

/** Id and secret of the built-in test client. The secret is hashed at the cost of client secrets. */
export const builtIn = {
  id: builtInClientId,
  secret: `${testSecretPrefix}local`,
  secret_hash: 'scrypt$4096$8$1$dGVzdC1jbGllbnQtc2FsdA$V9Zl2rSdJrRJHYIa_ritD9Ayd8RPfLmIe-Xo4QNkRiU',
} as const;

/** The stored form of a name: trimmed, in Unicode's normal form. */
export const normaliseUsername = (username: string): string => normalForm(username.trim());

/** Finds a user of the space by name, ignoring case. */
export async function findUser(reader: Reader, space: string, username: string): Promise<StoredUser | undefined> {
  const is = { space, username: normaliseUsername(username).toLowerCase() };
  return (await reader.find('users', { is, limit: 1 }))[0];
}

export const findTestUser = (reader: Reader, space: string): Promise<StoredUser | undefined> =>
  findUser(reader, space, testUser.username);

/** Gives the space a test user if it has none. */
export async function putTestUser(
  tx: Transaction,
  { clock, ids }: Pick<AccountDeps, 'clock' | 'ids'>,
  space: string,
): Promise<void> {
  if (await findTestUser(tx, space)) return;
  const { username, password_hash, display_name } = testUser;
  tx.put('users', {
    id: ids('usr'),
    username,
    display_name,
    space,
    created_at: isoNow(clock),
    password_hash,
  });
}
