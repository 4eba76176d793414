/**
 * Browser sessions of operators, begun by the setup code from the server's terminal or by the login provider. They are only in
 * memory, and end with the server, after an idle hour, and after a working day.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ownName, readCookie, secureAttribute } from '../../src/node/http/cookies.ts';
import { isSetupCode } from '../../src/node/login/setup-code.ts';
import { findSender, findSenderAddress } from '../http/client-address.ts';
import type { AuthorizationServices, LoginEvent } from '../auth/exchange.ts';
import { createAttempts, setupCodePolicy } from '../auth/attempts.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { OperatorRole } from '../auth/provider/provider-options.ts';
import type { StoredUser } from '../auth/stored-account.ts';
import { randomSecret, sameSecret } from '../runtime/secrets.ts';
import { isFromOurPage } from '../auth/pages/form.ts';

type NoteLogin = AuthorizationServices['noteLogin'];

export interface OperatorSession {
  /** Who logged in by the provider; `undefined`: whoever has the setup code. */
  readonly user: NamedOperator | undefined;
  readonly role: OperatorRole;
  /** Value of the hidden field in forms. */
  readonly csrf: string;
}

export type NamedOperator = Pick<StoredUser, 'id' | 'display_name'>;

/** Why the code lets nobody in. `closed`: it ended when an operator logged in by name. */
export type CodeProblem = 'forged' | 'wrong' | 'closed' | { readonly waitSeconds: number };

export interface OperatorSessions {
  /** The session of the requesting browser, always the same object; `undefined`: it has none. */
  find(request: FastifyRequest): OperatorSession | undefined;
  /** Begins a session if the code is right. Returns the value of `Set-Cookie`. */
  enter(
    request: FastifyRequest,
    typed: unknown,
  ): Promise<{ readonly cookie: string } | { readonly problem: CodeProblem }>;
  /** Begins the session of an operator whom the provider named. Returns the value of `Set-Cookie`. */
  enterAs(request: FastifyRequest, user: NamedOperator, role: OperatorRole): string;
  /** Ends all sessions of that user. */
  end(user: string): void;
  /** Ends the browser's session. Returns the value of `Set-Cookie`. */
  leave(request: FastifyRequest): string;
  /** Whether the request comes from a form of that session. */
  isFormOf(request: FastifyRequest, session: OperatorSession, csrf: string | null): boolean;
}

/** Maximum of concurrent browsers; another one ends the oldest session. */
const maxBrowsers = 16;
const idleMs = 60 * 60_000;
const maxSessionMs = 10 * 60 * 60_000;

interface Entry extends OperatorSession {
  readonly id: string;
  readonly begun: number;
  last: number;
}

export function createOperatorSessions({
  clock,
  counters,
  code,
  noteLogin,
  isCodeClosed,
}: Pick<AuthDeps, 'clock' | 'counters'> & {
  /** `undefined`: there is none. */
  readonly code: string | undefined;
  readonly noteLogin: NoteLogin;
  /** Whether the code is valid no longer. */
  readonly isCodeClosed: () => Promise<boolean>;
}): OperatorSessions {
  const attempts = createAttempts(counters, setupCodePolicy);
  let entries: readonly Entry[] = [];

  const isOver = ({ begun, last }: Entry): boolean => {
    const now = clock.elapsed();
    return now - begun > maxSessionMs || now - last > idleMs;
  };
  const find = (request: FastifyRequest): Entry | undefined => {
    const id = readCookie(request.headers.cookie, cookieName(request));
    if (id === undefined) return undefined;
    entries = entries.filter((entry) => !isOver(entry));
    return entries.find((entry) => sameSecret(id, entry.id));
  };
  const attributes = ({ base }: FastifyRequest): string => `Path=/; HttpOnly; SameSite=Strict${secureAttribute(base)}`;

  const begin = (request: FastifyRequest, user: NamedOperator | undefined, role: OperatorRole): string => {
    const now = clock.elapsed();
    const entry = { user, role, id: randomSecret(), csrf: randomSecret(), begun: now, last: now };
    entries = [...entries, entry].slice(-maxBrowsers);
    return `${cookieName(request)}=${entry.id}; ${attributes(request)}`;
  };
  return {
    find(request) {
      const entry = find(request);
      if (entry) entry.last = clock.elapsed();
      return entry;
    },
    async enter(request, typed) {
      // A form on another site could put the browser into an unwanted session.
      if (!isFromOurPage(request)) return { problem: 'forged' };
      const address = findSenderAddress(request);
      const { waitSeconds } = await attempts.begin(address);
      const note = (outcome: LoginEvent['outcome']) =>
        noteLogin({ way: 'setup_code', outcome, from: findSender(request) });
      if (waitSeconds > 0) {
        note('slowed');
        return { problem: { waitSeconds } };
      }
      if (code === undefined || typeof typed !== 'string' || !isSetupCode(typed, code)) {
        note('wrong');
        return { problem: 'wrong' };
      }
      await attempts.recordSuccess(address);
      if (await isCodeClosed()) {
        note('wrong');
        return { problem: 'closed' };
      }
      note('done');
      return { cookie: begin(request, undefined, 'operator') };
    },
    enterAs: begin,
    end(user) {
      entries = entries.filter((entry) => entry.user?.id !== user);
    },
    leave(request) {
      const entry = find(request);
      entries = entries.filter((each) => each !== entry);
      return `${cookieName(request)}=; Max-Age=0; ${attributes(request)}`;
    },
    isFormOf: (request, session, csrf) => isFromOurPage(request) && sameSecret(csrf ?? '', session.csrf),
  };
}

/** Browsers share cookies across the ports of a host, so each server has its own cookie name. */
const cookieName = ({ base }: FastifyRequest): string =>
  ownName(base, `laudio_owner_${createHash('sha256').update(base).digest('hex').slice(0, 12)}`);
