/** Checks passwords for the login page. */
import { AppError } from '../../src/contract/errors.ts';
import { findUser, normaliseUsername } from './accounts.ts';
import { addressPolicy, createAttempts, loginPolicy, namePolicy } from './attempts.ts';
import type { AuthorizationServices, LoginEvent } from './exchange.ts';
import type { StoredUser } from './stored-account.ts';

export type LoginOutcome =
  | { readonly user: StoredUser }
  | { readonly wrong: true }
  /** Too many wrong passwords. */
  | { readonly waitSeconds: number }
  /** Too many concurrent logins; the password was not checked. */
  | { readonly busySeconds: number };

export interface LoginAttempt {
  readonly space: string;
  readonly username: string;
  readonly password: string;
  /** The address of the browser. */
  readonly address: string;
}

export type Login = (attempt: LoginAttempt) => Promise<LoginOutcome>;

/**
 * Slows down guessing for each name of a space at an address, even if the name doesn't exist; with higher limits, for
 * the name at all addresses and for all names at the address. While a caller has to wait, passwords are not checked.
 */
export function createLogin({ store, clock, hashing, noteLogin }: AuthorizationServices): Login {
  const rows = [
    { attempts: createAttempts(clock, loginPolicy), keyOf: (name: string, address: string) => `${name} ${address}` },
    { attempts: createAttempts(clock, namePolicy), keyOf: (name: string) => name },
    { attempts: createAttempts(clock, addressPolicy), keyOf: (_name: string, address: string) => address },
  ] as const;
  const decoy = hashing.decoy('password');

  return async ({ space, username, password, address }) => {
    const user = await findUser(store, space, username);
    const note = (outcome: LoginEvent['outcome']) => noteLogin({ outcome, user_id: user?.id ?? null, address });
    const name = JSON.stringify([space, normaliseUsername(username).toLowerCase()]);
    const counted = rows.map(({ attempts, keyOf }) => ({ attempts, key: keyOf(name, address) }));
    const waitSeconds = Math.max(...counted.map(({ attempts, key }) => attempts.wait(key)));
    if (waitSeconds > 0) {
      note('slowed');
      return { waitSeconds };
    }
    let known: Promise<boolean>;
    try {
      // An unknown name takes as long as a wrong password.
      known = hashing.verify(password, user?.password_hash ?? decoy, { kind: 'password', address });
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVER_BUSY') return { busySeconds: error.retryAfter ?? 1 };
      throw error;
    }
    // Counted before the result is known, so that concurrent guesses count too.
    for (const { attempts, key } of counted) attempts.recordFailure(key);
    if (!(await known) || !user) {
      note('wrong');
      return { wrong: true };
    }
    for (const { attempts, key } of counted) attempts.recordSuccess(key);
    note('done');
    return { user };
  };
}
