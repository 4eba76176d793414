/** A token for the built-in test client, got as any client gets one: authorize, then exchange the code. */
import { oauth } from '../../src/contract/oauth.ts';
import type { TokenResponse } from '../../src/contract/oauth.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import type { Ready } from './process.ts';

const { authorize, token } = oauth.endpoints;

export async function testToken({ url, test_client: client }: Pick<Ready, 'url' | 'test_client'>): Promise<string> {
  const asked = new URL(authorize.path, url);
  asked.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: allScopes.join(' '),
    state: 'state',
  }).toString();
  const redirect = await fetch(asked, { redirect: 'manual' });
  const code = URL.parse(redirect.headers.get('location') ?? '')?.searchParams.get('code');
  if (code == null) throw new Error(`authorize answered ${redirect.status} without a code`);
  const answer = await fetch(new URL(token.path, url), {
    method: token.method,
    body: new URLSearchParams({ grant_type: 'authorization_code', code, ...client }),
  });
  if (!answer.ok) throw new Error(`token answered ${answer.status}`);
  return ((await answer.json()) as TokenResponse).access_token;
}
