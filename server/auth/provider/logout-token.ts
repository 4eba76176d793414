/** Reads logout tokens (OpenID Connect Back-Channel Logout 1.0): the provider says that a person's session has ended. */
import type { JWTVerifyGetKey } from 'jose';
import { boundedFetch } from './bounded-fetch.ts';

/** Loaded by the first token. */
const loadJose = () => import('jose');

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** How old a token may be, and how far the provider's clock may be off, in seconds. */
const limits = { maxTokenAge: 120, clockTolerance: 60 } as const;
/** Signatures by a key that the provider alone has. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** The provider's keys, which are read again for an unknown one. */
export async function readKeys(address: string): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch } = await loadJose();
  return createRemoteJWKSet(new URL(address), {
    [customFetch]: (url: string, init: object) => boundedFetch(url, init),
  });
}

/** The person (`sub`) whose session ended; `undefined` if the token is none, or names only a session. */
export async function readLogoutToken(
  token: string,
  { issuer, audience, keys }: { readonly issuer: string; readonly audience: string; readonly keys: JWTVerifyGetKey },
): Promise<string | undefined> {
  const { errors, jwtVerify } = await loadJose();
  try {
    const { payload } = await jwtVerify(token, keys, {
      ...limits,
      issuer,
      audience,
      algorithms,
      requiredClaims: ['iat', 'jti', 'events', 'sub'],
    });
    const { nonce, events, sub } = payload;
    // With a nonce it is an id token (section 2.6).
    return nonce === undefined && Object.hasOwn(Object(events), event) ? sub : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
