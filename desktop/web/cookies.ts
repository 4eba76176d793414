/** The cookies of a browser: one for its session, one for a login on its way. Their values are known to nobody else. */
import { createHash, randomBytes } from 'node:crypto';
import { web } from '../bridge.ts';

const sessionSeconds = 30 * 24 * 3600;
const loginSeconds = 600;

/** A cookie's value, and the name of the session that it stands for. */
export interface Ticket {
  readonly value: string;
  readonly session: string;
}

const ticketOf = (value: string): Ticket => ({ value, session: createHash('sha256').update(value).digest('hex') });

export const newTicket = (): Ticket => ticketOf(randomBytes(32).toString('base64url'));

export interface Cookies {
  session(header: string | undefined): Ticket | undefined;
  login(header: string | undefined): Ticket | undefined;
  /** `Set-Cookie` values. Never `Secure`: the server speaks HTTP on loopback. */
  setSession(ticket: Ticket): string;
  setLogin(ticket: Ticket): string;
  readonly endSession: string;
  readonly endLogin: string;
}

/** `device` tells servers apart that share a host: browsers send a cookie to every port of it. */
export function createCookies(device: string): Cookies {
  const suffix = createHash('sha256').update(device).digest('hex').slice(0, 12);
  const sessionName = `laudio_app_${suffix}`;
  const loginName = `laudio_app_login_${suffix}`;
  const strict = 'Path=/; HttpOnly; SameSite=Strict';
  // Lax: the browser comes back from the page of another site.
  const lax = `Path=${web.callback}; HttpOnly; SameSite=Lax`;
  return {
    session: (header) => read(header, sessionName),
    login: (header) => read(header, loginName),
    setSession: ({ value }) => `${sessionName}=${value}; Max-Age=${sessionSeconds}; ${strict}`,
    setLogin: ({ value }) => `${loginName}=${value}; Max-Age=${loginSeconds}; ${lax}`,
    endSession: `${sessionName}=; Max-Age=0; ${strict}`,
    endLogin: `${loginName}=; Max-Age=0; ${lax}`,
  };
}

function read(header: string | undefined, name: string): Ticket | undefined {
  const start = `${name}=`;
  const value = header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? ticketOf(value) : undefined;
}
