/**
 * Binds a pending authorization to the browser that began it. Each request has its own cookie, so that logins in two
 * tabs don't interfere.
 */
import { pendingSeconds } from '../pending-requests.ts';
import type { PendingRequest } from '../pending-requests.ts';
import { ownName, readCookie, secureAttribute } from '../../../src/node/http/cookies.ts';
import { sha256 } from '../../runtime/secrets.ts';

/** The request's id and the origin that sets its cookie. */
type CookieOwner = Pick<PendingRequest, 'id' | 'issuer'>;

/** The name hides the request's id, because servers on other ports of this machine see the cookie. */
const nameOf = ({ id, issuer }: CookieOwner): string => ownName(issuer, `laudio_login_${sha256(id).slice(0, 16)}`);

/** Lax, because the browser comes here from the application's site. */
const attributesOf = ({ issuer }: CookieOwner): string => `Path=/; HttpOnly; SameSite=Lax${secureAttribute(issuer)}`;

export const browserCookie = (request: PendingRequest): string =>
  `${nameOf(request)}=${request.cookie}; Max-Age=${pendingSeconds}; ${attributesOf(request)}`;

export const endedCookie = (request: PendingRequest): string =>
  `${nameOf(request)}=; Max-Age=0; ${attributesOf(request)}`;

/** Reads the request's cookie from the `Cookie` header. */
export const readBrowserCookie = (header: string | undefined, request: CookieOwner): string | undefined =>
  readCookie(header, nameOf(request));
