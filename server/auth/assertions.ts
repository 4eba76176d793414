/**
 * Signed assertions by which clients log in (RFC 7523, `private_key_jwt`). Each one names only this server, is valid
 * for a few minutes, and works once, so that a logged or intercepted assertion is useless.
 */
import type { JWTPayload } from 'jose';
import { assertionAlgorithms, assertionSeconds } from '../../src/contract/oauth.ts';
import type { AuthDeps } from './deps.ts';
import { sha256 } from '../runtime/secrets.ts';
import type { StoredClient } from './stored-account.ts';

/** The two names of one algorithm (RFC 8037 3.1, RFC 9864 2.2). Clients use either, whichever was registered with the key. */
const withBothNames = ({ keys }: NonNullable<StoredClient['jwks']>) => ({
  keys: keys.map(({ alg, ...key }) => (key['crv'] === 'Ed25519' ? key : { ...key, alg })),
});

/** Tolerated difference between the clocks of client and server. */
const skewSeconds = 30;

/** Imported for the first assertion. */
const loadJose = () => import('jose');

export interface Assertions {
  /** The client id that the unverified assertion claims; `undefined` if it is no client's JWT. */
  claimedClient(assertion: string): Promise<string | undefined>;
  /**
   * Verifies the assertion and uses it up. Returns why it is invalid, or `undefined`. `audiences`: the names of this
   * server.
   */
  findProblem(assertion: string, client: StoredClient, audiences: readonly string[]): Promise<string | undefined>;
}

export function createAssertions({ store, clock }: Pick<AuthDeps, 'store' | 'clock'>): Assertions {
  /** Returns whether this is the first use. */
  const markUsed = (client: StoredClient, { jti, exp }: VerifiedAssertion): Promise<boolean> => {
    const id = sha256(JSON.stringify([client.id, jti]));
    // Remembered for as long as the assertion verifies.
    const expires_at = new Date((exp + skewSeconds) * 1000).toISOString();
    return store.transact(async (tx) => {
      if (await tx.get('assertions', id)) return false;
      tx.put('assertions', { id, client_id: client.id, expires_at });
      return true;
    });
  };

  return {
    async claimedClient(assertion) {
      const { decodeJwt, errors } = await loadJose();
      try {
        const { sub } = decodeJwt(assertion) as { sub?: unknown };
        return typeof sub === 'string' && sub !== '' ? sub : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
    async findProblem(assertion, client, audiences) {
      if (!client.jwks) return 'This client has no key registered';
      const { createLocalJWKSet, errors, jwtVerify } = await loadJose();
      const keys = createLocalJWKSet(withBothNames(client.jwks) as never);
      const now = clock.now();
      const expected = {
        algorithms: [...assertionAlgorithms],
        issuer: client.id,
        subject: client.id,
        audience: [...audiences],
        requiredClaims: ['jti', 'exp', 'aud'],
        clockTolerance: skewSeconds,
        currentDate: new Date(now),
      };
      /** Verifies with the key that the header names, or with any that fits if it names none. */
      const verifyPayload = async (): Promise<JWTPayload> => {
        try {
          // Each registered key has one algorithm and is used for no other.
          return (await jwtVerify(assertion, keys, expected)).payload;
        } catch (error) {
          if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
          for await (const key of error) {
            const tried = await jwtVerify(assertion, key, expected).catch(ignoreWrongKey);
            if (tried) return tried.payload;
          }
          throw new errors.JWSSignatureVerificationFailed();
        }
      };
      const ignoreWrongKey = (error: unknown): undefined => {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      };
      try {
        const verified = checkClaims(await verifyPayload(), now);
        if (typeof verified === 'string') return verified;
        return (await markUsed(client, verified)) ? undefined : 'The assertion was used before; jti must be new';
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'The assertion has expired';
        if (error instanceof errors.JWTClaimValidationFailed) return `${error.claim} of the assertion is wrong`;
        if (error instanceof errors.JOSEError || error instanceof TypeError)
          return 'The assertion is not signed by a key that this client registered';
        throw error;
      }
    },
  };
}

interface VerifiedAssertion {
  readonly jti: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

/** Checks the claims that `jwtVerify` doesn't. */
function checkClaims({ jti, exp, iat, aud }: JWTPayload, now: number): VerifiedAssertion | string {
  const seconds = now / 1000;
  if (typeof jti !== 'string' || jti === '') return 'jti of the assertion is missing';
  // If an assertion names several servers, each could use it at the others.
  if (Array.isArray(aud) && aud.length !== 1) return 'aud of the assertion must name this server alone';
  if (exp === undefined || exp > seconds + assertionSeconds + skewSeconds)
    return `exp of the assertion must be within ${assertionSeconds / 60} minutes`;
  if (iat !== undefined && iat > seconds + skewSeconds) return 'iat of the assertion is in the future';
  return { jti, exp };
}
