import { counted } from '../../../src/domain/counted.ts';
import { assertionType, oauth } from '../../../src/contract/oauth.ts';
import type { Attempt } from '../attempts.ts';
import type { Exchange, CheckResults } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';
import type { OAuthError } from '../../http/oauth-error.ts';
import type { StoredClient } from '../stored-account.ts';

interface BySecret {
  readonly client_id: string;
  /** Two if it is unclear whether the client encoded it. */
  readonly secrets: readonly string[];
  readonly basic: boolean;
}

interface ByAssertion {
  readonly client_id: string;
  readonly assertion: string;
}

/**
 * RFC 6749 2.3.1, 3.2.1, 5.2; RFC 7523 2.2: accepts HTTP Basic, a secret in the body, or an assertion, but only one of
 * them. Guessing is slowed down per client and address. While a client waits, a limited number of proofs is still
 * checked and cached secrets always pass, so that a guesser at the same address cannot lock it out.
 */
export async function authenticateClient(exchange: Exchange): Promise<Partial<CheckResults>> {
  const { clientAttempts, clientChecks, verifiedSecrets: recognition, services } = exchange.server;
  const credentials = await readCredentials(exchange);
  const client = await services.store.get('clients', credentials.client_id);
  // A cached secret counts as no attempt.
  if (client && 'secrets' in credentials) {
    const hashes = listHashes(client, exchange);
    const isKnown = credentials.secrets.some((secret) => hashes.some((hash) => recognition.has(hash, secret)));
    if (isKnown) return { client };
  }
  const key = `${credentials.client_id} ${exchange.address}`;
  const note = (outcome: 'wrong' | 'slowed') =>
    services.noteLogin({ way: 'secret', outcome, client_id: client?.id ?? null, from: exchange });
  let attempt = await clientAttempts.begin(key);
  const { waitSeconds } = attempt;
  let check: Attempt | undefined;
  if (waitSeconds > 0) {
    check = await clientChecks.begin(key);
    if (check.waitSeconds > 0) {
      note('slowed');
      throw tooMany(Math.max(waitSeconds, check.waitSeconds));
    }
    attempt = await clientAttempts.count(key);
  }
  let refusal: string | undefined;
  try {
    refusal = await findProblem(exchange, client, credentials);
  } catch (error) {
    // A busy server refuses without checking.
    await Promise.all([attempt.undo(), check?.undo()]);
    throw error;
  }
  if (refusal === undefined && client) {
    await Promise.all([clientAttempts.recordSuccess(key), clientChecks.recordSuccess(key)]);
    return { client };
  }
  note('wrong');
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  throw invalidClient(refusal ?? unknownClient, 'basic' in credentials && credentials.basic);
}

/** A token of an earlier login is often sent by a library's default. */
const takenWays =
  'authenticates no client; send HTTP Basic, or client_id and client_secret, or client_assertion, in the body';

const unknownClient = 'The client is unknown or its secret is wrong';

/** Returns why the client isn't authenticated, or `undefined`. */
function findProblem(
  exchange: Exchange,
  client: StoredClient | undefined,
  credentials: BySecret | ByAssertion,
): Promise<string | undefined> {
  const { assertions, verifiedSecrets: recognition } = exchange.server;
  if ('assertion' in credentials) {
    const audiences = [exchange.issuer, exchange.issuer + oauth.endpoints.token.path];
    return client ? assertions.findProblem(credentials.assertion, client, audiences) : Promise.resolve(unknownClient);
  }
  const checks = credentials.secrets.flatMap((secret) =>
    listHashes(client, exchange).map((hash) => recognition.verify(hash, secret, exchange.address)),
  );
  return Promise.all(checks).then((all) => (all.includes(true) ? undefined : unknownClient));
}

/**
 * Returns the hashes of the client's valid secrets. A decoy makes unknown clients, and those without a secret, take as
 * long.
 */
function listHashes(client: StoredClient | undefined, { server }: Exchange): readonly string[] {
  const { former_secret: former, secret_hash: present } = client ?? {};
  const isLeft = former && Date.parse(former.until) > server.services.clock.now();
  return [present ?? server.decoy, ...(isLeft ? [former.hash] : [])];
}

async function readCredentials(exchange: Exchange): Promise<BySecret | ByAssertion> {
  const { params, header } = exchange;
  const { client_id, client_secret, client_assertion: assertion, client_assertion_type: type } = params;
  const authorization = header('authorization');
  if (authorization !== undefined && !/^Basic\b/i.test(authorization)) {
    const scheme = /^Bearer\b/i.test(authorization) ? 'Bearer' : 'of this kind';
    throw invalidClient(`Authorization ${scheme} ${takenWays}`, true);
  }
  const isAssertion = assertion !== undefined || type !== undefined;
  if ([authorization !== undefined, client_secret !== undefined, isAssertion].filter(Boolean).length > 1) {
    throw oauthError('invalid_request', 'The client authenticates in two ways at once');
  }
  if (isAssertion) {
    if (type !== assertionType) throw oauthError('invalid_request', `client_assertion_type must be ${assertionType}`);
    if (assertion === undefined) throw oauthError('invalid_request', 'client_assertion is missing');
    const claimed = await exchange.server.assertions.claimedClient(assertion);
    if (claimed === undefined) throw invalidClient('client_assertion is not the JWT of a client', false);
    // RFC 7521 4.2.
    if (client_id !== undefined && client_id !== claimed)
      throw oauthError('invalid_request', 'client_id is not the one of the assertion');
    return { client_id: claimed, assertion };
  }
  if (authorization === undefined) {
    if (client_id === undefined || client_secret === undefined) {
      throw invalidClient('client_id or client_secret is missing', false);
    }
    return { client_id, secrets: [client_secret], basic: false };
  }
  const basic = parseBasic(authorization);
  if (!basic) throw invalidClient('Authorization Basic takes the Base64 of ID:SECRET', true);
  if (client_id !== undefined && client_id !== basic.client_id) {
    throw oauthError('invalid_request', 'client_id is not the one of the Authorization header');
  }
  return basic;
}

/** Id and secret should be form-encoded (RFC 6749 2.3.1). Many clients don't do it, so both forms are accepted. */
function parseBasic(authorization: string): BySecret | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  if (!id || !secret) return undefined;
  return {
    client_id: decodeForm(id) ?? id,
    secrets: [...new Set([decodeForm(secret) ?? secret, secret])],
    basic: true,
  };
}

function decodeForm(text: string): string | undefined {
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
