/** Logs in as a test client, which the server approves at once: no browser, no listener, no person. */
import type { ClientOptions } from '../../client/client.ts';
import { AppError } from '../../contract/errors.ts';
import { allScopes } from '../../contract/scopes.ts';
import { beginAuthorization, finishAuthorization } from './authorization.ts';
import type { Credentials } from './credential-store.ts';
import type { OAuthClient } from './oauth-tokens.ts';

/** Redirect URIs of a client for this computer, with whatever port (RFC 8252 7.3). */
export const testRedirectUris = ['http://127.0.0.1/callback', 'http://[::1]/callback'] as const;

const maxPage = 1_000_000;

/** Tokens of the test physician. LOGIN_FAILED if the server does not approve; `scope`: default all. */
export async function logInTestClient(
  http: ClientOptions,
  client: OAuthClient,
  scope: string = allScopes.join(' '),
): Promise<Credentials> {
  const { url, pending } = await beginAuthorization(http, {
    client,
    scope,
    redirectUri: testRedirectUris[0],
    manual: false,
  });
  const answer = await http.transport({ method: 'GET', url, headers: { accept: 'text/html' } });
  await answer.text(maxPage);
  const { location = '' } = answer.headers;
  if (!location.startsWith(`${testRedirectUris[0]}?`)) {
    throw new AppError('LOGIN_FAILED', {
      message: `The server did not approve ${client.client_id} (${answer.status}).`,
      hint: `It must be a test client with the redirect URI ${testRedirectUris[0]}.`,
      status: answer.status,
    });
  }
  return finishAuthorization(http, { client, pending, query: new URL(location).searchParams, hint: 'Log in again.' });
}
