/** The client that a call claims to be, unverified; it decides which faults apply. */
import type { FastifyRequest } from 'fastify';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const field = (from: unknown, name: string): string | undefined =>
  textOf((Object(from) as Record<string, unknown>)[name]);

/** Taken from the token, HTTP Basic, a form or query (RFC 6749 2.3.1, 4.1.1), or an assertion (RFC 7521 4.2). */
export function claimedClient({ caller, headers, body, query }: FastifyRequest): string | undefined {
  return (
    caller?.client_id ??
    basicClient(headers.authorization) ??
    field(body, 'client_id') ??
    field(query, 'client_id') ??
    assertedClient(field(body, 'client_assertion'))
  );
}

function basicClient(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization ?? '')?.[1];
  return encoded === undefined ? undefined : textOf(Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0]);
}

function assertedClient(assertion: string | undefined): string | undefined {
  try {
    const payload = assertion?.split('.')[1];
    return payload === undefined
      ? undefined
      : field(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')), 'sub');
  } catch {
    return undefined;
  }
}
