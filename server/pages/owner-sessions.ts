/**
 * The browsers of whoever runs this server: each showed the setup code, which stands in the terminal. Their sessions are in
 * memory alone, and end with the server, after an hour without a request, and after a working day.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../src/domain/clock.ts';
import { ownName, readCookie, secureAttribute } from '../../src/node/http/cookies.ts';
import { isSetupCode } from '../../src/node/login/setup-code.ts';
import { addressOf } from '../http/client-address.ts';
import { createAttempts, ownerPolicy } from '../auth/attempts.ts';
import { sameSecret } from '../runtime/secrets.ts';
import { isFromOurPage } from '../auth/pages/form.ts';

export interface OwnerSession {
  /** The hidden field of the forms. */
  readonly csrf: string;
}

/** Why the code was not taken. */
export type EnterProblem = 'forged' | 'wrong' | { readonly waitSeconds: number };

export interface OwnerSessions {
  /** The session of the browser that sent the request, each time the same object; `undefined`: it has not shown the code. */
  of(request: FastifyRequest): OwnerSession | undefined;
  /** Begins a session if the code is right: the value of `Set-Cookie`. */
  enter(request: FastifyRequest, typed: unknown): { readonly cookie: string } | { readonly problem: EnterProblem };
  /** Ends the session of the browser: the value of `Set-Cookie`. */
  leave(request: FastifyRequest): string;
  /** Whether a form of a page of that session sent the request. */
  isOwnForm(request: FastifyRequest, session: OwnerSession, csrf: string | null): boolean;
}

/** Browsers that may be inside at the same time; another one ends the oldest. */
const mostBrowsers = 16;
const idleMs = 60 * 60_000;
const longestMs = 10 * 60 * 60_000;

interface Entry extends OwnerSession {
  readonly id: string;
  readonly begun: number;
  last: number;
}

export function createOwnerSessions({ clock, code }: { readonly clock: Clock; readonly code: string }): OwnerSessions {
  const attempts = createAttempts(clock, ownerPolicy);
  let entries: readonly Entry[] = [];

  const isOver = ({ begun, last }: Entry): boolean => {
    const now = clock.elapsed();
    return now - begun > longestMs || now - last > idleMs;
  };
  const find = (request: FastifyRequest): Entry | undefined => {
    const id = readCookie(request.headers.cookie, cookieName(request));
    if (id === undefined) return undefined;
    entries = entries.filter((entry) => !isOver(entry));
    return entries.find((entry) => sameSecret(id, entry.id));
  };
  const attributes = ({ base }: FastifyRequest): string => `Path=/; HttpOnly; SameSite=Strict${secureAttribute(base)}`;

  return {
    of(request) {
      const entry = find(request);
      if (entry) entry.last = clock.elapsed();
      return entry;
    },
    enter(request, typed) {
      // A form of another site would put the browser into a session that it did not ask for.
      if (!isFromOurPage(request)) return { problem: 'forged' };
      const address = addressOf(request);
      const waitSeconds = attempts.wait(address);
      if (waitSeconds > 0) return { problem: { waitSeconds } };
      if (typeof typed !== 'string' || !isSetupCode(typed, code)) {
        attempts.failed(address);
        return { problem: 'wrong' };
      }
      attempts.succeeded(address);
      const now = clock.elapsed();
      const entry = { id: unguessable(), csrf: unguessable(), begun: now, last: now };
      entries = [...entries, entry].slice(-mostBrowsers);
      return { cookie: `${cookieName(request)}=${entry.id}; ${attributes(request)}` };
    },
    leave(request) {
      const entry = find(request);
      entries = entries.filter((each) => each !== entry);
      return `${cookieName(request)}=; Max-Age=0; ${attributes(request)}`;
    },
    isOwnForm: (request, session, csrf) => isFromOurPage(request) && sameSecret(csrf ?? '', session.csrf),
  };
}

const unguessable = (): string => randomBytes(32).toString('base64url');

/** Servers on other ports of this machine see each other's cookies, so each has a name of its own. */
const cookieName = ({ base }: FastifyRequest): string =>
  ownName(base, `laudio_owner_${createHash('sha256').update(base).digest('hex').slice(0, 12)}`);
