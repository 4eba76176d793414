import type { Exchange, Checked } from '../exchange.ts';
import { oauthError } from '../oauth-error.ts';
import type { OAuthError } from '../oauth-error.ts';
import { counted } from '../../../src/domain/counted.ts';

interface Credentials {
  readonly client_id: string;
  /** More than one where the client's way of encoding it can't be told. */
  readonly secrets: readonly string[];
  readonly basic: boolean;
}

/**
 * RFC 6749 2.3.1, 3.2.1, 5.2: by HTTP Basic or in the body, not both. Guessing is slowed for each client at each address;
 * the right secret is right all the same, so that nobody locks a client out who guesses from where it works.
 */
export async function authenticateClient(exchange: Exchange): Promise<Partial<Checked>> {
  const { address } = exchange;
  const { clientAttempts, decoy, recognition, services } = exchange.server;
  const { client_id, secrets, basic } = credentialsOf(exchange);
  const client = await services.store.get('clients', client_id);
  // An unknown client takes as long as a wrong secret.
  const hash = client?.secret_hash ?? decoy;
  if (client && secrets.some((secret) => recognition.knows(hash, secret))) return { client };
  const key = `${client_id} ${address}`;
  const waitSeconds = clientAttempts.wait(key);
  const known = secrets.map((secret) => recognition.verify(hash, secret, address));
  // Counted before it is known, so that guesses sent all at once are guesses too.
  clientAttempts.failed(key);
  if ((await Promise.all(known)).includes(true) && client) {
    clientAttempts.succeeded(key);
    return { client };
  }
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  throw invalidClient('The client is unknown or its secret is wrong', basic);
}

function credentialsOf({ params, header }: Exchange): Credentials {
  const { client_id, client_secret } = params;
  const authorization = header('authorization');
  if (authorization === undefined) {
    if (client_id === undefined || client_secret === undefined) {
      throw invalidClient('client_id or client_secret is missing', false);
    }
    return { client_id, secrets: [client_secret], basic: false };
  }
  if (client_secret !== undefined) throw oauthError('invalid_request', 'The client authenticates in two ways at once');
  const basic = parseBasic(authorization);
  if (!basic) throw invalidClient('The Authorization header is not HTTP Basic', true);
  if (client_id !== undefined && client_id !== basic.client_id) {
    throw oauthError('invalid_request', 'client_id is not the one of the Authorization header');
  }
  return basic;
}

/** Id and secret are form-encoded first (RFC 6749 2.3.1), which half of the clients don't do: both readings count. */
function parseBasic(authorization: string): Credentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  if (!id || !secret) return undefined;
  return {
    client_id: formDecoded(id) ?? id,
    secrets: [...new Set([formDecoded(secret) ?? secret, secret])],
    basic: true,
  };
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const tooMany = (seconds: number): OAuthError =>
  oauthError('temporarily_unavailable', `Too many wrong secrets; wait ${counted(seconds, 'second')}`, 429, {
    'Retry-After': String(seconds),
  });

const invalidClient = (description: string, basic: boolean): OAuthError =>
  oauthError(
    'invalid_client',
    description,
    401,
    basic ? { 'WWW-Authenticate': 'Basic realm="laudio", charset="UTF-8"' } : {},
  );
