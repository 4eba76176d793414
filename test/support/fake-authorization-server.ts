/** A small authorization server that can be told to misbehave. */
import { createHash } from 'node:crypto';
import { contract } from '../../src/contract/index.ts';
import { failed, startHttpServer, succeeded } from './http-server.ts';
import type { Asked, Reply, TestServer } from './http-server.ts';

export interface FakeAuthorizationServer extends TestServer {
  /** Changes what the redirect says. */
  redirect: (query: URLSearchParams) => void;
  /** Instead of the redirect. */
  authorizeReply: Reply | undefined;
  /** Instead of tokens. */
  tokenReply: Reply | undefined;
  /** Instead of the answer to a revocation. */
  revokeReply: Reply | undefined;
  /** Changes the tokens' answer. */
  token: Record<string, unknown>;
  metadata: Record<string, unknown> | undefined;
  /** Access tokens that are good no more. */
  readonly revoked: Set<string>;
  /** Requests of one grant type. */
  grants(type: string): Asked[];
}

const { authorize, token, revoke, validate, metadata } = contract.oauth.endpoints;

export async function startAuthorizationServer(): Promise<FakeAuthorizationServer> {
  let challenge = '';
  let given = 0;
  const tokensFor = (asked: Asked): Reply => {
    const form = new URLSearchParams(asked.body);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (form.get('grant_type') === 'authorization_code' && (form.get('code') !== 'the-code' || proof !== challenge)) {
      return { status: 400, body: { error: 'invalid_grant', error_description: 'The code is wrong.' } };
    }
    if (form.get('grant_type') === 'refresh_token' && form.get('refresh_token') !== `refresh-${given}`) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    given++;
    const body = {
      access_token: `access-${given}`,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: `refresh-${given}`,
      scope: 'jobs:read',
    };
    return { body: { ...body, ...fake.token } };
  };
  const answers: Record<string, (asked: Asked) => Reply> = {
    [metadata.path]: () => (fake.metadata ? { body: fake.metadata } : { status: 404, body: '' }),
    [authorize.path]: ({ query }) => {
      challenge = query.get('code_challenge') ?? '';
      if (fake.authorizeReply) return fake.authorizeReply;
      const back = new URL(query.get('redirect_uri') ?? '');
      const answer = new URLSearchParams({ code: 'the-code', state: query.get('state') ?? '', iss: server.url });
      fake.redirect(answer);
      back.search = answer.toString();
      return { status: 303, headers: { location: back.href }, body: '' };
    },
    [token.path]: (asked) => fake.tokenReply ?? tokensFor(asked),
    [revoke.path]: () => fake.revokeReply ?? { body: {} },
    [validate.path]: ({ headers }) => {
      if (fake.revoked.has(String(headers['authorization']).slice('Bearer '.length)))
        return failed(401, 'UNAUTHORIZED');
      return succeeded({
        valid: true,
        client_id: 'test_tc_local',
        user: { id: 'usr_1', username: 'test', display_name: 'Dr. Test' },
        scope: 'jobs:read',
        test_mode: true,
        expires_at: '2026-03-02T11:30:00.000Z',
        expires_in: 3600,
      });
    },
  };
  const server = await startHttpServer((asked) => answers[asked.path]?.(asked) ?? { status: 404, body: '' });
  const fake: FakeAuthorizationServer = {
    ...server,
    redirect: () => undefined,
    authorizeReply: undefined,
    tokenReply: undefined,
    revokeReply: undefined,
    token: {},
    metadata: { issuer: server.url, authorization_response_iss_parameter_supported: true },
    revoked: new Set(),
    grants: (type) =>
      server.asked.filter(
        ({ path, body }) => path === token.path && new URLSearchParams(body).get('grant_type') === type,
      ),
  };
  return fake;
}
