import type { Exchange, Findings, StoredClient } from '../exchange.ts';
import { oauthError } from '../oauth-error.ts';
import type { OAuthError } from '../oauth-error.ts';
import { verifySecret } from '../secrets.ts';

interface Credentials {
  readonly client_id: string;
  /** More than one where the client's way of encoding it can't be told. */
  readonly secrets: readonly string[];
  readonly basic: boolean;
}

/** RFC 6749 2.3.1, 3.2.1, 5.2: by HTTP Basic or in the body, not both; guessing is slowed for each client alone. */
export async function authenticatedClient(exchange: Exchange): Promise<Partial<Findings>> {
  const { clientAttempts, services } = exchange.server;
  const credentials = credentialsOf(exchange);
  refuseTooMany(clientAttempts.wait(credentials.client_id));
  const client = await services.store.get('clients', credentials.client_id);
  if (client && (await knowsSecret(client, credentials.secrets))) {
    clientAttempts.succeeded(client.id);
    return { client };
  }
  clientAttempts.failed(credentials.client_id);
  throw invalidClient('The client is unknown or its secret is wrong', credentials.basic);
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

async function knowsSecret(client: StoredClient, secrets: readonly string[]): Promise<boolean> {
  for (const secret of secrets) if (await verifySecret(secret, client.secret_hash)) return true;
  return false;
}

function refuseTooMany(seconds: number): void {
  if (seconds === 0) return;
  throw oauthError('temporarily_unavailable', `Too many wrong secrets; wait ${seconds} seconds`, 429, {
    'Retry-After': String(seconds),
  });
}

const invalidClient = (description: string, basic: boolean): OAuthError =>
  oauthError(
    'invalid_client',
    description,
    401,
    basic ? { 'WWW-Authenticate': 'Basic realm="laudio", charset="UTF-8"' } : {},
  );
