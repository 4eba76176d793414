/** Redirects to the application, with a code or an error (RFC 6749 4.1.2, RFC 9207). */
import type { RawOutput } from '../../src/contract/endpoint.ts';

/** Redirects are not cached and send no referrer. */
const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } as const;

/** 303, so that browsers don't resend form data (RFC 9700 4.12). */
export const seeOther = (location: string, more: Readonly<Record<string, string>> = {}): RawOutput => ({
  status: 303,
  headers: { ...headers, Location: location, ...more },
  body: null,
});

/** Redirects to the client's URI and keeps its query. `undefined` parameters are omitted. */
export function backToClient(
  redirectUri: string,
  issuer: string,
  parameters: Readonly<Record<string, string | undefined>>,
): RawOutput {
  const present = Object.entries({ ...parameters, iss: issuer }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return seeOther(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(present)}`);
}
