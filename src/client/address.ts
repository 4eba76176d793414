/** Builds an address from an endpoint's path and the caller's parameters. */
import { AppError } from '../contract/errors.ts';

const loopbackName = '(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])';
const loopback = new RegExp(`^${loopbackName}$`, 'i');
const safe = new RegExp(`^(?:https:|http://${loopbackName}(?::|/|$))`);
const server = /^(https?):\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?(\/[A-Za-z0-9._~%/-]*)?$/;

/**
 * Normalises a server's address: no trailing slash, no query, host in lower case. CONFIGURATION when the address is
 * not http(s) or carries a name or password.
 */
export function normaliseServer(address: string): string {
  const match = server.exec(address.trim());
  if (!match) {
    throw new AppError('CONFIGURATION', {
      message: 'The server address must look like https://host or http://127.0.0.1:PORT.',
    });
  }
  const [, scheme = '', host = '', port, path = ''] = match;
  const name = host.toLowerCase();
  const standard = scheme === 'http' ? '80' : '443';
  return `${scheme}://${name}${port === undefined || port === standard ? '' : `:${port}`}${path.replace(/(?<!\/)\/+$/, '')}`;
}

/** Whether a URL's host is this computer, which no other can reach: `localhost`, `127.0.0.1`, `[::1]`. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/** Whether tokens would travel unencrypted to another machine (RFC 6750 5.3). Takes a result of `normaliseServer`. */
export const isUnencrypted = (address: string): boolean => !safe.test(address);

/** `/api/v1/jobs/{id}` with its parameters, each percent-encoded (RFC 3986 3.3). */
export function fillPath(template: string, params: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    // Dots alone are steps through the path, even percent-encoded (RFC 3986 5.2.4).
    if (text === '' || text === '.' || text === '..') {
      throw new AppError('USAGE', { message: `${name} is required, and cannot be empty or dots alone.` });
    }
    return encodeURIComponent(text);
  });
}

/** `a=1&b=x%20y`; omits values that are `undefined` or `null`, and repeats a list: `c=1&c=2`. */
export const formEncode = (values: Readonly<Record<string, unknown>> = {}): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([name, value]) => [value].flat().map((each) => [name, each]))
    .map(([name, value]) => `${encodeURIComponent(String(name))}=${encodeURIComponent(String(value))}`)
    .join('&');

export function buildAddress(
  base: string,
  path: string,
  input: { params?: Readonly<Record<string, unknown>>; query?: Readonly<Record<string, unknown>> },
): string {
  const query = formEncode(input.query);
  return `${base}${fillPath(path, input.params)}${query === '' ? '' : `?${query}`}`;
}
