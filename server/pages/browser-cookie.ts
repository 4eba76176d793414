/**
 * The cookie that ties a pending authorization to the browser that began it. Every request has one of its own, so that
 * two logins in two tabs don't disturb each other.
 */
import { pendingSeconds } from '../oauth/pending-requests.ts';
import type { PendingRequest } from '../oauth/pending-requests.ts';
import { sha256 } from '../oauth/secrets.ts';

/** Servers on other ports of this machine see the cookie too; its name does not tell them the request's id. */
const nameOf = (requestId: string): string => `laudio_login_${sha256(requestId).slice(0, 16)}`;

/** Lax: the browser comes here from the application's site. Never `Secure`: the server speaks HTTP on loopback. */
const attributes = 'Path=/; HttpOnly; SameSite=Lax';

export const browserCookie = (request: PendingRequest): string =>
  `${nameOf(request.id)}=${request.cookie}; Max-Age=${pendingSeconds}; ${attributes}`;

export const endedCookie = (request: PendingRequest): string => `${nameOf(request.id)}=; Max-Age=0; ${attributes}`;

/** What the browser holds for that request, from its `Cookie` header. */
export function readBrowserCookie(header: string | undefined, requestId: string): string | undefined {
  if (header === undefined) return undefined;
  const start = `${nameOf(requestId)}=`;
  return header
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}
