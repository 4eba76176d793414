/** Checks passwords for the login page. */
import { AppError } from '../../src/contract/errors.ts';
import { findUser, normaliseUsername } from './accounts.ts';
import { addressPolicy, createAttempts, loginPolicy, namePolicy } from './attempts.ts';
import type { AuthorizationServices, LoginEvent, Sender } from './exchange.ts';
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
  /** The browser and its request. */
  readonly from: Sender;
}

export type Login = (attempt: LoginAttempt) => Promise<LoginOutcome>;

/**
 * Slows down guessing for each name of a space at an address, even if the name doesn't exist; with higher limits, for
 * the name at all addresses and for all names at the address. While a caller has to wait, passwords are not checked.
 */
export function createLogin({ store, counters, hashing, noteLogin }: AuthorizationServices): Login {
  const rows = [
    { attempts: createAttempts(counters, loginPolicy), keyOf: (name: string, address: string) => `${name} ${address}` },
    { attempts: createAttempts(counters, namePolicy), keyOf: (name: string) => name },
    { attempts: createAttempts(counters, addressPolicy), keyOf: (_name: string, address: string) => address },
  ] as const;
  const decoy = hashing.decoy('password');

  return async ({ space, username, password, from }) => {
    const { address } = from;
    const user = await findUser(store, space, username);
    const note = (outcome: LoginEvent['outcome']) =>
      noteLogin({ way: 'password', outcome, user_id: user?.id ?? null, from });
    const name = JSON.stringify([space, normaliseUsername(username).toLowerCase()]);
    const counted = rows.map(({ attempts, keyOf }) => ({ attempts, key: keyOf(name, address) }));
    const slow = (waitSeconds: number): LoginOutcome => {
      note('slowed');
      return { waitSeconds };
    };
    const waiting = Math.max(...(await Promise.all(counted.map(({ attempts, key }) => attempts.wait(key)))));
    if (waiting > 0) return slow(waiting);
    const begun = await Promise.all(counted.map(({ attempts, key }) => attempts.begin(key)));
    const undo = () => Promise.all(begun.map((attempt) => attempt.undo()));
    const waitSeconds = Math.max(...begun.map((attempt) => attempt.waitSeconds));
    if (waitSeconds > 0) {
      await undo();
      return slow(waitSeconds);
    }
    let isRight: boolean;
    try {
      // An unknown name, or a user without a password, takes as long as a wrong password.
      isRight = await hashing.verify(password, user?.password_hash || decoy, { kind: 'password', address });
    } catch (error) {
      await undo();
      if (error instanceof AppError && error.code === 'SERVER_BUSY') return { busySeconds: error.retryAfter ?? 1 };
      throw error;
    }
    if (!isRight || !user) {
      note('wrong');
      return { wrong: true };
    }
    await Promise.all(counted.map(({ attempts, key }) => attempts.recordSuccess(key)));
    note('done');
    return { user };
  };
}
