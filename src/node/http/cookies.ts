/** Cookies as our pages set and read them (RFC 6265bis). */

/** Under https, no other name of the domain, and no page without TLS, can set a cookie with this name (4.1.3.2). */
export const ownName = (base: string, name: string): string => (isSecure(base) ? `__Host-${name}` : name);

/** The end of `Set-Cookie`. Without TLS, as on loopback, no browser would keep a cookie with this attribute. */
export const secureAttribute = (base: string): string => (isSecure(base) ? '; Secure' : '');

const isSecure = (base: string): boolean => base.startsWith('https:');

/** The value of the named cookie in the `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  return header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}
