/** The port that says whose access token a call brings. server/auth implements it. */
import { AppError } from '../../src/contract/errors.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import type { Reader } from '../storage/store.ts';
import type { Caller } from './call.ts';

export interface Authenticator {
  /** Rejects with AppError UNAUTHORIZED, and with STORAGE_UNAVAILABLE where nobody can tell. */
  bearer(token: string): Promise<Caller>;
  /**
   * Calls `over` once, as soon as the token is refused (revoked, expired, or taken from its client or its user) or what is left of its
   * scopes is not enough. `caller` is whom `bearer` gave. The function returned ends it.
   */
  follow(token: string, caller: Caller, isAllowed: (scopes: readonly Scope[]) => boolean, over: () => void): () => void;
  /**
   * Reads, in the transaction that a call commits, whether its caller may still make it. AppError UNAUTHORIZED where the
   * authorization has ended meanwhile: no change may follow the answer to the call that ended it.
   */
  checkStillAllowed(
    reader: Reader,
    caller: Pick<Caller, 'grant_id' | 'token_id'>,
    scope: Scope | undefined,
  ): Promise<void>;
}

/** Why a token is not taken, with what to do about it. */
const refusals = {
  unknown: {
    message: 'The access token is not one of this server.',
    hint: 'Send the access_token of the token response as it came, to the server that gave it.',
  },
  expired: {
    message: 'The access token has expired.',
    hint: 'Get a new one with the refresh token.',
  },
  revoked: {
    message: 'The access token was revoked.',
    hint: 'Log in again: the authorization that it came from has ended.',
  },
} as const;

export type TokenRefusal = keyof typeof refusals;

export const unauthorized = (reason: TokenRefusal): AppError => new AppError('UNAUTHORIZED', refusals[reason]);
