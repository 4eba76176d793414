/** Does this person know the password? Asked by the login page alone. */
import { findUser, normalUsername } from './accounts.ts';
import { createAttempts, loginPolicy } from './attempts.ts';
import type { AuthorizationServices, StoredUser } from './exchange.ts';
import { hashSecret, passwordCost, verifySecret } from './secrets.ts';

export type LoginOutcome = { readonly user: StoredUser } | { readonly wrong: true } | { readonly waitSeconds: number };

export type Login = (space: string, username: string, password: string) => Promise<LoginOutcome>;

/** Guessing is slowed for each name of a space, whether it exists or not; whoever waits is not even looked at. */
export function createLogin({ store, clock }: AuthorizationServices): Login {
  const attempts = createAttempts(clock, loginPolicy);
  let decoy: Promise<string> | undefined;

  return async (space, username, password) => {
    const name = JSON.stringify([space, normalUsername(username).toLowerCase()]);
    const waitSeconds = attempts.wait(name);
    if (waitSeconds > 0) return { waitSeconds };
    // Counted before it is known, so that guesses sent all at once are guesses too.
    attempts.failed(name);
    const user = await findUser(store, space, username);
    // An unknown name takes as long as a wrong password.
    const hash = user?.password_hash ?? (await (decoy ??= hashSecret('', passwordCost)));
    const right = await verifySecret(password, hash);
    if (!user || !right) return { wrong: true };
    attempts.succeeded(name);
    return { user };
  };
}
