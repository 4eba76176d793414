/** Tokens that a program gets by itself: as they are needed, kept in memory, one for all calls of the process. */
import type { ClientOptions } from '../../client/client.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Credentials } from './credential-store.ts';

/** The part of a client's options that its tokens come from. */
export type TokenSource = Required<Pick<ClientOptions, 'token' | 'refresh'>>;

/** Milliseconds before its end in which an access token is no longer begun with: a request takes time as well. */
const margin = 30_000;

export const isFresh = (clock: Clock, { expires_at }: Pick<Credentials, 'expires_at'>): boolean =>
  expires_at - clock.now() > margin;

/** Whether the access token says that this client got it (RFC 9068 2.2). Nobody vouches for what it says here. */
export function isTokenOf(token: string, clientId: string | undefined): boolean {
  if (!clientId) return false;
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return (Object(claims) as { client_id?: unknown }).client_id === clientId;
  } catch {
    return false;
  }
}

/**
 * Logs in at the first call, and again when the token ends or is refused. `given`: a token to begin with, whose end
 * nobody but the server knows.
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
