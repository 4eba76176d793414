/** Makes clients and test users, and finds users by their names. */
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

type Making = Pick<AuthorizationServices, 'clock' | 'ids' | 'hashing'>;

/**
 * The user in whose name the server approves a test client, and who may log in for the client in manual mode. The documentation
 * shows the password, so its hash may stand here. The hash has the cost of every password: otherwise the time of a login would
 * tell test users from others.
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
  /** The client logs in by these keys, and gets no secret. */
  readonly jwks?: Jwks;
  readonly space?: string;
  readonly test_mode?: boolean;
  /** For the built-in test client, whose id and secret are known to all. */
  readonly credentials?: typeof builtIn;
}

/** Makes a client and its secret, if it has one, which is shown once; the client has its hash. Nothing is stored yet. */
export async function makeClient(
  { clock, ids, hashing }: Making,
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

/** The built-in pair says which prefix a test client has; ids.ts makes the same one. Its hash is at the cost of a client's. */
export const builtIn = {
  id: builtInClientId,
  secret: `${testSecretPrefix}local`,
  secret_hash: 'scrypt$4096$8$1$dGVzdC1jbGllbnQtc2FsdA$V9Zl2rSdJrRJHYIa_ritD9Ayd8RPfLmIe-Xo4QNkRiU',
} as const;

/** The form in which the store keeps a name: without spaces around it, in Unicode's normal form. */
export const normalUsername = (username: string): string => normalForm(username.trim());

/** Finds a user of the space by name, ignoring case. */
export async function findUser(reader: Reader, space: string, username: string): Promise<StoredUser | undefined> {
  const is = { space, username: normalUsername(username).toLowerCase() };
  return (await reader.find('users', { is, limit: 1 }))[0];
}

export const findTestUser = (reader: Reader, space: string): Promise<StoredUser | undefined> =>
  findUser(reader, space, testUser.username);

/** Gives the space a test user, unless it has one. */
export async function putTestUser(
  tx: Transaction,
  { clock, ids }: Pick<Making, 'clock' | 'ids'>,
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
