/** Access tokens: JSON Web Tokens (RFC 9068), signed with a key that this server generates and never exports. */
import type { JWK } from 'jose';
import type { Scope } from '../../src/contract/scopes.ts';
import { isScope } from '../../src/contract/scopes.ts';
import type { AuthDeps } from './deps.ts';
import type { Documents } from '../storage/collections.ts';
import { randomSecret } from '../runtime/secrets.ts';
import { readServerKey } from './server-key.ts';
import { textBefore } from '../../src/domain/text-before.ts';

/**
 * Every JOSE library supports ES256. It is the only accepted algorithm, whatever a token's header names (RFC 8725 3.1).
 */
const algorithm = 'ES256';

/** Imported for the first token, not at startup. */
const loadJose = () => import('jose');

export type Grant = Documents['grants'];

/** The `sub` claim: the user, or the client itself for client credentials (RFC 9068 2.2). */
export const subjectOf = (grant: Grant): string => grant.user_id ?? grant.client_id;

/** The claims of an access token. */
export interface AccessTokenClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audience: string;
  readonly client_id: string;
  readonly scope: readonly Scope[];
  /** `<grant id>.<random>`: a look at the grant shows whether the token was revoked. */
  readonly id: string;
  readonly grant_id: string;
  /** ms since 1970. */
  readonly expires_at: number;
}

export interface AccessTokens {
  /** Signs a token with this lifetime. */
  sign(grant: Grant, scope: readonly Scope[], seconds: number): Promise<string>;
  /** Returns the claims, or why there are none: the token is not from this server, or has expired. */
  read(token: string): Promise<AccessTokenClaims | 'unknown' | 'expired'>;
  /** The public key, for the JWKS. */
  publicKeys(): Promise<Record<string, unknown>[]>;
}

/** The first use generates the key if the store has none. */
export function createAccessTokens({ store, clock }: Pick<AuthDeps, 'store' | 'clock'>): AccessTokens {
  let cachedKey: { readonly kid: unknown; readonly key: ReturnType<typeof importKey> } | undefined;
  /** The key is read each time, and imported once. */
  const key = async () => {
    const jwk = await readServerKey({ store }, 'signing_key', makeKey);
    if (!cachedKey || cachedKey.kid !== jwk.kid) cachedKey = { kid: jwk.kid, key: importKey(jwk) };
    return cachedKey.key;
  };

  return {
    async sign(grant, scope, seconds) {
      const { privateKey, kid } = await key();
      const { SignJWT } = await loadJose();
      const issued = Math.floor(clock.now() / 1000);
      return new SignJWT({ client_id: grant.client_id, scope: scope.join(' ') })
        .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
        .setIssuer(grant.issuer)
        .setSubject(subjectOf(grant))
        .setAudience(grant.issuer)
        .setJti(`${grant.id}.${randomSecret().slice(0, 22)}`)
        .setIssuedAt(issued)
        .setExpirationTime(issued + seconds)
        .sign(privateKey);
    },
    async read(token) {
      const { publicKey, kid } = await key();
      const { errors, jwtVerify } = await loadJose();
      try {
        const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
          algorithms: [algorithm],
          typ: 'at+jwt',
          requiredClaims: ['iss', 'sub', 'aud', 'client_id', 'scope', 'jti', 'iat', 'exp'],
          currentDate: new Date(clock.now()),
        });
        return protectedHeader.kid === kid ? readClaims(payload) : 'unknown';
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        if (error instanceof errors.JOSEError || error instanceof TypeError) return 'unknown';
        throw error;
      }
    },
    async publicKeys() {
      const { publicJwk } = await key();
      return [{ ...publicJwk }];
    },
  };
}

function readClaims(payload: Record<string, unknown>): AccessTokenClaims {
  const text = (name: string): string => String(payload[name]);
  return {
    issuer: text('iss'),
    subject: text('sub'),
    audience: text('aud'),
    client_id: text('client_id'),
    scope: text('scope').split(' ').filter(isScope),
    id: text('jti'),
    grant_id: textBefore(text('jti'), '.'),
    expires_at: Number(payload.exp) * 1000,
  };
}

async function importKey(privateJwk: JWK) {
  const { importJWK } = await loadJose();
  const { d: _private, ...publicJwk } = privateJwk;
  return {
    privateKey: await importJWK(privateJwk, algorithm),
    publicKey: await importJWK(publicJwk, algorithm),
    publicJwk,
    kid: String(privateJwk.kid),
  };
}

async function makeKey(): Promise<JWK> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await loadJose();
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, alg: algorithm, use: 'sig', kid: await calculateJwkThumbprint(jwk) };
}
