/** Tokens that a program obtains without a person: on demand, kept in memory, one for all calls of the process. */
import type { ClientOptions } from '../../client/client.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Credentials } from './credential-store.ts';

/** The part of a client's options that its tokens come from. */
export type TokenSource = Required<Pick<ClientOptions, 'token' | 'refresh'>>;

/** Milliseconds before its expiry from which on an access token starts no request: a request takes time as well. */
const margin = 30_000;

export const isFresh = (clock: Clock, { expires_at }: Pick<Credentials, 'expires_at'>): boolean =>
  expires_at - clock.now() > margin;

/** Whether the access token says that it was issued to this client (RFC 9068 2.2). The claim is not verified. */
export function isIssuedTo(token: string, clientId: string): boolean {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return (Object(claims) as { client_id?: unknown }).client_id === clientId;
  } catch {
    return false;
  }
}

/**
 * Logs in at the first call, and again when the token expires or is refused. `given`: a token to begin with, whose
 * expiry only the server knows.
 */
export function keptTokens(clock: Clock, logIn: () => Promise<Credentials>, given?: string): TokenSource {
  let known: Pick<Credentials, 'access_token' | 'expires_at'> | undefined =
    given === undefined ? undefined : { access_token: given, expires_at: Infinity };
  let login: Promise<string> | undefined;
  const tokenBut = (refused: string | undefined): Promise<string> => {
    if (known && known.access_token !== refused && isFresh(clock, known)) return Promise.resolve(known.access_token);
    return (login ??= logIn()
      .then((credentials) => (known = credentials).access_token)
      .finally(() => {
        login = undefined;
      }));
  };
  return { token: () => tokenBut(undefined), refresh: tokenBut };
}
