/** The cookies of a browser: one for its session, one for a pending login. Only the browser knows their values. */
import { createHash, randomBytes } from 'node:crypto';
import { loginSeconds } from '../app/device/logins.ts';
import { ownName, readCookie, secureAttribute } from '../../src/node/http/cookies.ts';

const sessionSeconds = 30 * 24 * 3600;

/** The value of a cookie, and the id of its session. */
export interface Ticket {
  readonly value: string;
  readonly session: string;
}

export const ticketOf = (value: string): Ticket => ({
  value,
  session: createHash('sha256').update(value).digest('hex'),
});

export const newTicket = (): Ticket => ticketOf(randomBytes(32).toString('base64url'));

export interface Cookies {
  session(header: string | undefined): Ticket | undefined;
  /** The pending login, encrypted, which the browser carries. */
  login(header: string | undefined): string | undefined;
  /** `Set-Cookie` values. */
  setSession(ticket: Ticket): string;
  setLogin(sealed: string): string;
  readonly endSession: string;
  readonly endLogin: string;
}

/**
 * `device` distinguishes servers on one host, since browsers send a cookie to every port of the host. `base`: the
 * address at which the browser reached this server.
 */
export function createCookies(device: string): (base: string) => Cookies {
  const suffix = createHash('sha256').update(device).digest('hex').slice(0, 12);
  return (base) => {
    const sessionName = ownName(base, `laudio_app_${suffix}`);
    const loginName = ownName(base, `laudio_app_login_${suffix}`);
    const strict = `Path=/; HttpOnly; SameSite=Strict${secureAttribute(base)}`;
    // Lax, because the browser returns from a page of another site.
    const lax = `Path=/; HttpOnly; SameSite=Lax${secureAttribute(base)}`;
    return {
      session: (header) => ticketIn(readCookie(header, sessionName)),
      login: (header) => readCookie(header, loginName),
      setSession: ({ value }) => `${sessionName}=${value}; Max-Age=${sessionSeconds}; ${strict}`,
      setLogin: (sealed) => `${loginName}=${sealed}; Max-Age=${loginSeconds}; ${lax}`,
      endSession: `${sessionName}=; Max-Age=0; ${strict}`,
      endLogin: `${loginName}=; Max-Age=0; ${lax}`,
    };
  };
}

const ticketIn = (value: string | undefined): Ticket | undefined =>
  value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? ticketOf(value) : undefined;
