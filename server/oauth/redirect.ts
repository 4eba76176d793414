/** Back to the application: how a code or an error reaches it (RFC 6749 4.1.2, RFC 9207). */
import type { RawOutput } from '../../src/contract/endpoint.ts';

/** What every redirect of this server has: it is never kept, and no address of ours goes with it. */
const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } as const;

/** 303, so that what a form sent is never sent on (RFC 9700 4.12). */
export const seeOther = (location: string, more: Readonly<Record<string, string>> = {}): RawOutput => ({
  status: 303,
  headers: { ...headers, Location: location, ...more },
  body: null,
});

/** To the client's redirect URI, whose own query stays. `undefined` parameters are left out. */
export function backToClient(
  redirectUri: string,
  issuer: string,
  parameters: Readonly<Record<string, string | undefined>>,
): RawOutput {
  const given = Object.entries({ ...parameters, iss: issuer }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return seeOther(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`);
}
