/**
 * Logins that ended while their server was unreachable: revoked there once it answers. The list has no secrets; the
 * tokens stay in the credential store, where only this module looks for them.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { conforms } from '../../client/conforms.ts';
import { isTransient } from '../../client/transient.ts';
import { AppError } from '../../contract/errors.ts';
import { array, integer, object, oneOf, string } from '../../contract/schema.ts';
import type { TypeOf } from '../../contract/schema.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Credentials, CredentialStore, CredentialStoreKind } from './credential-store.ts';
import { withFileLock } from '../files/file-lock.ts';
import { revocationsFile } from '../paths.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from '../files/private-file.ts';

const EndedLogin = object({
  /** The name of its tokens in the credential store. */
  name: string(),
  server: string(),
  client_id: string(),
  credential_store: oneOf(['keychain', 'file']),
  /** Milliseconds since 1970: no attempt before this, and given up later. */
  next_at: integer(),
  until: integer(),
});
export type EndedLogin = TypeOf<typeof EndedLogin>;
const EndedFile = array(EndedLogin);

/** A server that is gone for good must not delay every command. */
const interval = 600_000;
/** After this time the tokens have expired on the server. */
const maxAge = 90 * 86_400_000;

export interface RevocationsDeps {
  readonly stateDirectory: string;
  readonly clock: Clock;
  readonly storeOf: (kind: CredentialStoreKind) => CredentialStore;
  /** Throws the server's error. */
  readonly revoke: (ended: Pick<EndedLogin, 'server' | 'client_id'>, credentials: Credentials) => Promise<void>;
}

export interface Revocations {
  /** Resolves when the entry is on disk. */
  add(login: Pick<EndedLogin, 'server' | 'client_id' | 'credential_store'>, credentials: Credentials): Promise<void>;
  /** Tries the revocations that are due. */
  send(): Promise<void>;
}

export function createRevocations({ stateDirectory, clock, storeOf, revoke }: RevocationsDeps): Revocations {
  const path = join(stateDirectory, revocationsFile);
  const locked = (work: (list: readonly EndedLogin[]) => Promise<void>): Promise<void> =>
    withFileLock(`${path}.lock`, { clock, timeout: 60_000 }, async () => work(parse(await readPrivateFile(path))));
  const write = (list: readonly EndedLogin[]): Promise<void> =>
    list.length === 0 ? removePrivateFile(path) : writePrivateFile(path, JSON.stringify(list));
  /** Whether the revocation must be tried again. */
  const isLeft = async (ended: EndedLogin): Promise<boolean> => {
    const store = storeOf(ended.credential_store);
    try {
      const credentials = await store.load(ended.name);
      if (credentials && ended.until > clock.now()) await revoke(ended, credentials);
    } catch (error) {
      if (isTransient(error)) return true;
      // Any other error is the server's verdict: it no longer knows the token, or does not know this client.
      if (!(error instanceof AppError)) throw error;
    }
    return store.remove(ended.name).then(
      () => false,
      () => true,
    );
  };
  return {
    // The list first: a name without tokens is dropped, tokens without a name would stay for good.
    add: (login, credentials) =>
      locked(async (list) => {
        const name = `ended-${randomBytes(8).toString('hex')}`;
        const now = clock.now();
        await write([...list, { ...login, name, next_at: now, until: now + maxAge }]);
        await storeOf(login.credential_store).save(name, credentials);
      }),
    send: () =>
      locked(async (list) => {
        const left: EndedLogin[] = [];
        for (const ended of list) {
          if (ended.next_at > clock.now()) left.push(ended);
          else if (await isLeft(ended)) left.push({ ...ended, next_at: clock.now() + interval });
        }
        await write(left);
      }),
  };
}

/** A damaged list is replaced by an empty one: the tokens expire on the server. */
function parse(content: string | undefined): readonly EndedLogin[] {
  try {
    const value: unknown = JSON.parse(content ?? '[]');
    return conforms(EndedFile, value) ? (value as EndedLogin[]) : [];
  } catch {
    return [];
  }
}
