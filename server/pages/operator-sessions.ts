/**
 * Browser sessions of operators, begun by a code or by the login provider. They end after an idle hour and after a working day, and with
 * a server of one process.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { machineClockOf } from '../../src/domain/clock.ts';
import { ownName, readCookie, secureAttribute } from '../../src/node/http/cookies.ts';
import { findSender, findSenderAddress } from '../http/client-address.ts';
import type { AuthorizationServices, LoginEvent } from '../auth/exchange.ts';
import { createAttempts, setupCodePolicy } from '../auth/attempts.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { OperatorRole } from '../auth/provider/provider-options.ts';
import type { StoredUser } from '../auth/stored-account.ts';
import { randomSecret, sameSecret } from '../runtime/secrets.ts';
import { isFromOurPage } from '../auth/pages/form.ts';
import type { KeptSession, KeptSessions } from '../auth/operator-place.ts';

type NoteLogin = AuthorizationServices['noteLogin'];

export interface OperatorSession {
  readonly id: string;
  /** Who logged in by the provider; `null`: whoever has the code. */
  readonly user: NamedOperator | null;
  readonly role: OperatorRole;
  /** Value of the hidden field in forms. */
  readonly csrf: string;
}

export type NamedOperator = Pick<StoredUser, 'id' | 'display_name'>;

/** Why the code lets nobody in. `closed`: it ended when an operator logged in by name. */
export type CodeProblem = 'forged' | 'wrong' | 'closed' | { readonly waitSeconds: number };

/** The text that lets an operator in. */
export interface OperatorCode {
  /** The setup code in the terminal of the only process, or the operator's token, which several processes have in common. */
  readonly way: 'setup_code' | 'operator_token';
  matches(typed: string): boolean;
}

export interface OperatorSessions {
  /** The code that is asked for; `undefined`: none lets anybody in. */
  readonly asks: OperatorCode['way'] | undefined;
  /** The session of the requesting browser; `undefined`: it has none. */
  find(request: FastifyRequest): Promise<OperatorSession | undefined>;
  /** Begins a session if the code is right. Returns the value of `Set-Cookie`. */
  enter(
    request: FastifyRequest,
    typed: unknown,
  ): Promise<{ readonly cookie: string } | { readonly problem: CodeProblem }>;
  /** Begins the session of an operator whom the provider named. Returns the value of `Set-Cookie`. */
  enterAs(request: FastifyRequest, user: NamedOperator, role: OperatorRole): Promise<string>;
  /** Ends all sessions of that user. */
  end(user: string): Promise<void>;
  /** Ends the browser's session. Returns the value of `Set-Cookie`. */
  leave(request: FastifyRequest): Promise<string>;
  /** Whether the request comes from a form of that session. */
  isFormOf(request: FastifyRequest, session: OperatorSession, csrf: string | null): boolean;
}

/** Maximum of concurrent browsers; another one ends the oldest session. */
const maxBrowsers = 16;
const idleMs = 60 * 60_000;
const maxSessionMs = 10 * 60 * 60_000;
/** Requests within a minute of the last one that was noted are not noted. */
const noteMs = 60_000;

export function createOperatorSessions({
  clock: serverClock,
  counters,
  code,
  kept,
  noteLogin,
  isCodeClosed,
}: Pick<AuthDeps, 'clock' | 'counters'> & {
  /** `undefined`: there is none. */
  readonly code: OperatorCode | undefined;
  readonly kept: KeptSessions;
  readonly noteLogin: NoteLogin;
  /** Whether the code is valid no longer. */
  readonly isCodeClosed: () => Promise<boolean>;
}): OperatorSessions {
  const clock = machineClockOf(serverClock);
  const attempts = createAttempts(counters, setupCodePolicy);

  const isOver = ({ begun, last }: KeptSession): boolean => {
    const now = clock.now();
    return now - begun > maxSessionMs || now - last > idleMs;
  };
  const find = async (request: FastifyRequest): Promise<OperatorSession | undefined> => {
    const ticket = readCookie(request.headers.cookie, cookieName(request));
    if (ticket === undefined) return undefined;
    const id = sha256(ticket);
    const found = await kept.find(id);
    if (!found || isOver(found)) return undefined;
    const now = clock.now();
    if (now - found.last >= noteMs) await kept.note(id, now);
    return { id, user: found.user, role: found.role, csrf: sha256(`form ${ticket}`) };
  };
  const attributes = ({ base }: FastifyRequest): string => `Path=/; HttpOnly; SameSite=Strict${secureAttribute(base)}`;

  const begin = async (request: FastifyRequest, user: NamedOperator | null, role: OperatorRole): Promise<string> => {
    const now = clock.now();
    const ticket = randomSecret();
    const all = (await kept.all()).toSorted((one, other) => one.begun - other.begun);
    const open = all.filter((each) => !isOver(each)).slice(1 - maxBrowsers);
    await kept.remove(all.filter((each) => !open.includes(each)).map(({ id }) => id));
    await kept.put({ id: sha256(ticket), user, role, begun: now, last: now });
    return `${cookieName(request)}=${ticket}; ${attributes(request)}`;
  };
  return {
    asks: code?.way,
    find,
    async enter(request, typed) {
      // A form on another site could put the browser into an unwanted session.
      if (!isFromOurPage(request)) return { problem: 'forged' };
      const address = findSenderAddress(request);
      const { waitSeconds } = await attempts.begin(address);
      const note = (outcome: LoginEvent['outcome']) =>
        noteLogin({ way: code?.way ?? 'setup_code', outcome, from: findSender(request) });
      if (waitSeconds > 0) {
        note('slowed');
        return { problem: { waitSeconds } };
      }
      if (typeof typed !== 'string' || !code?.matches(typed)) {
        note('wrong');
        return { problem: 'wrong' };
      }
      await attempts.recordSuccess(address);
      if (await isCodeClosed()) {
        note('wrong');
        return { problem: 'closed' };
      }
      note('done');
      return { cookie: await begin(request, null, 'operator') };
    },
    enterAs: begin,
    async end(user) {
      await kept.remove((await kept.all()).filter((each) => each.user?.id === user).map(({ id }) => id));
    },
    async leave(request) {
      const session = await find(request);
      if (session) await kept.remove([session.id]);
      return `${cookieName(request)}=; Max-Age=0; ${attributes(request)}`;
    },
    isFormOf: (request, session, csrf) => isFromOurPage(request) && sameSecret(csrf ?? '', session.csrf),
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Browsers share cookies across the ports of a host, so each server has its own cookie name. */
const cookieName = ({ base }: FastifyRequest): string =>
  ownName(base, `laudio_owner_${createHash('sha256').update(base).digest('hex').slice(0, 12)}`);
