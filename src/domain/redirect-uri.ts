/** Targets of an authorization: which URIs a client may register, and which of them a request may name. */
import { textBefore } from './text-before.ts';

/** A loopback address with its parts: host, port (may be absent), the rest with path and query. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?((?:[/?][^#]*)?)$/;

/** `https` anywhere; `http` on this machine only. No userinfo: it makes one host look like another. */
const web =
  /^(?:https:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])|http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?:[/?][^\s#\\]*)?$/i;

/** RFC 8252 7.1: a private-use scheme is a domain name read backwards, so it has a dot. */
const privateUse = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/?[^\s#\\]*$/i;

/**
 * Says what is wrong with a redirect URI that a client wants to register, or `undefined`. RFC 6749 3.1.2 (no
 * fragment), RFC 8252 7 and 8.4, RFC 9700 2.1.
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.includes('#')) return 'a redirect URI must not have a fragment';
  if (uri.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(textBefore(segment, '?')))) {
    return 'a redirect URI must not have . or .. in its path';
  }
  if (/^https?:/i.test(uri)) {
    return web.test(uri) ? undefined : 'a redirect URI must be https, or http on this computer, without a user name';
  }
  return privateUse.test(uri)
    ? undefined
    : 'a redirect URI must be https, http on this computer, or com.example.app:/…';
}

/**
 * Whether the URI is the registered one: an exact comparison of texts (RFC 9700 2.1). A registered loopback address matches
 * any port, since a native application gets its port from the system (RFC 8252 7.3).
 */
export function matchesRedirectUri(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const known = loopback.exec(registered);
  const here = loopback.exec(asked);
  if (!known || !here) return false;
  return known[1] === here[1] && known[3] === here[3] && isPort(here[2]);
}

const isPort = (digits: string | undefined): boolean =>
  digits === undefined || (/^[1-9]\d*$/.test(digits) && Number(digits) <= 65_535);
