/**
 * The cookie that ties a pending authorization to the browser that began it. Every request has its own cookie, so that
 * logins in two tabs don't disturb each other.
 */
import { pendingSeconds } from '../pending-requests.ts';
import type { PendingRequest } from '../pending-requests.ts';
import { ownName, readCookie, secureAttribute } from '../../../src/node/http/cookies.ts';
import { sha256 } from '../../runtime/secrets.ts';

/** The request whose cookie this is, and the origin at which it was made. */
type Named = Pick<PendingRequest, 'id' | 'issuer'>;

/** Servers on other ports of this machine see the cookie too; its name does not tell them the request's id. */
const nameOf = ({ id, issuer }: Named): string => ownName(issuer, `laudio_login_${sha256(id).slice(0, 16)}`);

/** Lax: the browser comes here from the application's site. */
const attributesOf = ({ issuer }: Named): string => `Path=/; HttpOnly; SameSite=Lax${secureAttribute(issuer)}`;

export const browserCookie = (request: PendingRequest): string =>
  `${nameOf(request)}=${request.cookie}; Max-Age=${pendingSeconds}; ${attributesOf(request)}`;

export const endedCookie = (request: PendingRequest): string =>
  `${nameOf(request)}=; Max-Age=0; ${attributesOf(request)}`;

/** The value of the request's cookie in the browser's `Cookie` header. */
export const readBrowserCookie = (header: string | undefined, request: Named): string | undefined =>
  readCookie(header, nameOf(request));
