/**
 * Claims that a browser keeps for the server, unread and unchanged: encrypted JSON Web Tokens (RFC 7516, 7519) under
 * the server's key. So nothing is remembered here, and nobody can displace what others wait for.
 */
import type { Clock } from '../../domain/clock.ts';

export interface SealedClaims {
  /** Text that fits into an address or a cookie, valid for so many seconds. `kind` separates uses. */
  seal(kind: string, claims: object, seconds: number): Promise<string>;
  /** Returns `undefined` for a foreign text, another kind, or an expired one. */
  open<T extends object>(kind: string, text: string | undefined): Promise<T | undefined>;
}

const algorithms = { alg: 'dir', enc: 'A256GCM' } as const;

interface SealedClaimsDeps {
  readonly clock: Clock;
  /** 32 bytes. */
  readonly key: () => Promise<Uint8Array>;
}

export function createSealedClaims({ clock, key }: SealedClaimsDeps): SealedClaims {
  return {
    async seal(typ, claims, seconds) {
      const { EncryptJWT } = await loadJose();
      return new EncryptJWT({ ...claims })
        .setProtectedHeader({ ...algorithms, typ })
        .setExpirationTime(Math.floor(clock.now() / 1000) + seconds)
        .encrypt(await key());
    },
    async open<T extends object>(typ: string, text: string | undefined) {
      if (text === undefined) return undefined;
      const { errors, jwtDecrypt } = await loadJose();
      try {
        const { payload } = await jwtDecrypt(text, await key(), {
          keyManagementAlgorithms: [algorithms.alg],
          contentEncryptionAlgorithms: [algorithms.enc],
          typ,
          currentDate: new Date(clock.now()),
        });
        // Only the server can have written it.
        return payload as object as T;
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}

/** Loaded by the first login. */
const loadJose = () => import('jose');
