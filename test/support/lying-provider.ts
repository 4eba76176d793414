/** A login provider whose answers the test chooses, to attack the relying party. */
import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { startHttpServer } from './http-server.ts';
import type { Reply } from './http-server.ts';
import { providerClient } from './login-provider.ts';

export interface LyingProvider {
  readonly issuer: string;
  /** Changes the claims of the next id token. */
  claims: Record<string, unknown>;
  /** Instead of the next id token. */
  idToken: string | undefined;
  /** Instead of the answer at that path. */
  readonly replies: Map<string, Reply>;
  /** Fields of the metadata. */
  metadata: Record<string, unknown>;
  /** A token that says whose session ended, with changed claims. */
  signLogout(claims?: Record<string, unknown>): Promise<string>;
}

export const paths = { metadata: '/.well-known/openid-configuration', token: '/token', jwks: '/jwks' } as const;

/** `nonce`: that of the login in progress. */
export async function startLyingProvider(nonce: () => string): Promise<LyingProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'first', use: 'sig', alg: 'RS256' }];
  const signIdToken = () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { nonce: nonce(), preferred_username: 'helena', roles: ['physician'], iat: now, exp: now + 60 };
    const own = { iss: server.url, sub: 'sub-helena', aud: providerClient.clientId, ...claims };
    return new SignJWT({ ...own, ...fake.claims }).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(privateKey);
  };
  const answers: Record<string, () => Promise<unknown>> = {
    [paths.metadata]: async () => ({
      issuer: server.url,
      authorization_endpoint: `${server.url}/authorize`,
      token_endpoint: server.url + paths.token,
      jwks_uri: server.url + paths.jwks,
      ...fake.metadata,
    }),
    [paths.token]: async () => ({
      access_token: createHash('sha256').update(nonce()).digest('hex'),
      token_type: 'Bearer',
      id_token: fake.idToken ?? (await signIdToken()),
    }),
    [paths.jwks]: async () => ({ keys }),
  };
  const server = await startHttpServer(async ({ path }) => fake.replies.get(path) ?? { body: await answers[path]?.() });
  onTestFinished(() => server.close());
  const fake: LyingProvider = {
    issuer: server.url,
    claims: {},
    idToken: undefined,
    replies: new Map(),
    metadata: {},
    signLogout(claims) {
      const iat = Math.floor(Date.now() / 1000);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const own = { iss: server.url, sub: 'sub-helena', aud: providerClient.clientId, iat, jti: 'one', events };
      const header = { alg: 'RS256', kid: 'first', typ: 'logout+jwt' };
      return new SignJWT({ ...own, ...claims }).setProtectedHeader(header).sign(privateKey);
    },
  };
  return fake;
}
