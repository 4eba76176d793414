/** Partner applications and people: how one comes to be, and who logs in. */
import { defaultSpace } from '../../src/contract/admin.ts';
import { testClientPrefix, testSecretPrefix } from '../../src/contract/oauth.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Services } from '../services.ts';
import type { Reader, Transaction } from '../store/store.ts';
import type { StoredClient, StoredUser } from './exchange.ts';
import { generatedCost, hashSecret, randomSecret } from './secrets.ts';

type Making = Pick<Services, 'clock' | 'ids'>;

/** Who approves for a test client, and who may log in for it in manual mode. Both stand in the documentation. */
export const testUser = { username: 'test-physician', password: 'test-physician', display_name: 'Dra. Teste' } as const;

export interface ClientWish {
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly kind?: StoredClient['kind'];
  readonly scopes?: StoredClient['scopes'];
  readonly space?: string;
  readonly test_mode?: boolean;
  /** For the built-in test client, whose id and secret are known to all. */
  readonly credentials?: { readonly id: string; readonly secret: string };
}

/** A client with its secret, which is shown once and kept as a hash. Nothing is stored yet. */
export async function makeClient(
  { clock, ids }: Making,
  wish: ClientWish,
): Promise<{ client: StoredClient; secret: string }> {
  const test = wish.test_mode === true;
  const { id, secret } = wish.credentials ?? { id: ids(test ? 'test_tc' : 'lc'), secret: makeClientSecret(test) };
  const client: StoredClient = {
    id,
    name: wish.name,
    kind: wish.kind ?? 'web',
    redirect_uris: [...wish.redirect_uris],
    scopes: [...new Set(wish.scopes ?? allScopes)],
    space: wish.space ?? (test ? id : defaultSpace),
    test_mode: test,
    created_at: isoNow(clock),
    secret_hash: await hashSecret(secret, generatedCost),
  };
  return { client, secret };
}

export const makeClientSecret = (test: boolean): string => (test ? testSecretPrefix : 'lcs_') + randomSecret();

/** The built-in pair says which prefix a test client has; ids.ts makes the same one. */
export const builtIn = { id: `${testClientPrefix}local`, secret: `${testSecretPrefix}local` } as const;

/** How a name is kept: without spaces around it, and in one Unicode form. */
export const normalUsername = (username: string): string => username.trim().normalize('NFC');

/** Looked up without regard to case, in one space. */
export async function findUser(reader: Reader, space: string, username: string): Promise<StoredUser | undefined> {
  const is = { space, username: normalUsername(username).toLowerCase() };
  return (await reader.find('users', { is, limit: 1 }))[0];
}

export const findTestUser = (reader: Reader, space: string): Promise<StoredUser | undefined> =>
  findUser(reader, space, testUser.username);

/** The hash of the test user's password; no more than a formality, since the password is known to all. */
export const hashTestPassword = (): Promise<string> => hashSecret(testUser.password, generatedCost);

/** Gives the space a test user, unless it has one. */
export async function putTestUser(
  tx: Transaction,
  { clock, ids }: Making,
  space: string,
  passwordHash: string,
): Promise<void> {
  if (await findTestUser(tx, space)) return;
  const { username, display_name } = testUser;
  tx.put('users', {
    id: ids('usr'),
    username,
    display_name,
    space,
    created_at: isoNow(clock),
    password_hash: passwordHash,
  });
}
