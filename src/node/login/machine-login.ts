/**
 * Machine login (RFC 6749 4.4): access tokens for a partner application of type server, from the credentials in the
 * environment, for pipelines in which nobody logs in. Tokens stay in memory and end with the process.
 */
import { createPrivateKey, randomUUID } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { normaliseServer } from '../../client/address.ts';
import { createCaller, defaultRetryRules } from '../../client/client.ts';
import type { ClientOptions } from '../../client/client.ts';
import { AppError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { assertionType } from '../../contract/oauth.ts';
import { backoffDelay } from '../../domain/backoff.ts';
import { pause } from '../../domain/pause.ts';
import type { Credentials } from './credential-store.ts';
import { askForTokens } from './oauth-tokens.ts';

/** Lifetime of an assertion in seconds: it is sent at once. */
const assertionSeconds = 60;

/** A client that authenticates by its secret. */
export const clientBySecret = (client_id: string, client_secret: string): MachineClient => ({
  client_id,
  prove: async () => ({ client_id, client_secret }),
});

export interface MachineClient {
  readonly client_id: string;
  /**
   * The form fields that authenticate the client, new for each request. `ahead`: by how many ms the server's clock is
   * ahead.
   */
  readonly prove: (server: string, ahead: number) => Promise<Readonly<Record<string, string>>>;
  /** Whether the proof holds a time. */
  readonly isTimed?: true;
}

/** The client of the environment (LAUDIO_CLIENT_ID). CONFIGURATION if its secret or key is unusable. */
export async function machineClient(
  client_id: string,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number,
): Promise<MachineClient> {
  const { LAUDIO_CLIENT_SECRET: secret, LAUDIO_CLIENT_KEY_FILE: keyFile } = env;
  if (secret && !keyFile) return clientBySecret(client_id, secret);
  if (keyFile && !secret) {
    const key = await readSigningKey(keyFile);
    return { client_id, isTimed: true, prove: (server, ahead) => assertion(client_id, key, server, now() + ahead) };
  }
  throw new AppError('CONFIGURATION', {
    message: keyFile
      ? 'LAUDIO_CLIENT_SECRET and LAUDIO_CLIENT_KEY_FILE are both set; a client has one of them.'
      : 'LAUDIO_CLIENT_ID is set, but neither LAUDIO_CLIENT_SECRET nor LAUDIO_CLIENT_KEY_FILE.',
    hint: 'Set one of them, or unset LAUDIO_CLIENT_ID to use a login.',
  });
}

/** A new access token. LOGIN_FAILED if the server refuses; the client's rules repeat transient failures. */
export async function logInMachine(
  options: ClientOptions,
  client: MachineClient,
  scope: string | undefined,
): Promise<Credentials> {
  const server = normaliseServer(options.server);
  const rules = { ...defaultRetryRules, ...options.retry };
  let ahead: number | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      // An assertion works once, so a repeated request needs another.
      const grant = { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) };
      return await askForTokens(
        { ...options, retry: { limit: 0 } },
        { ...grant, ...(await client.prove(server, ahead ?? 0)) },
      );
    } catch (error) {
      const refusal = refusedLogin(error);
      if (refusal && client.isTimed && ahead === undefined) {
        ahead = await clockAhead(options).catch(() => 0);
        if (Math.abs(ahead) > skewMs) continue;
      }
      if (refusal) throw refusal;
      if (!isPassing(error) || attempt > rules.limit) throw error;
      const own = backoffDelay(attempt, { ...rules, factor: 2, random: options.random });
      const delay = Math.max(own, (error.retryAfter ?? 0) * 1000);
      if (delay > rules.patience) throw error;
      options.onRetry?.({ attempt, limit: rules.limit, delay, error });
      await pause(options.clock, delay);
    }
  }
}

/** A smaller difference is no reason to refuse an assertion. */
const skewMs = 20_000;

/** The lead of the server's clock in ms: it may simulate a time, or one of the two may be wrong. */
async function clockAhead(options: ClientOptions): Promise<number> {
  const { headers } = await createCaller(options)(contract.system.endpoints.health);
  const at = Date.parse(String(headers['date']));
  return Number.isNaN(at) ? 0 : at - options.clock.now();
}

const isPassing = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'NETWORK' || error.status === 429 || error.status === 503);

/** A refusal in OAuth's own words, as a login error; `undefined` for any other error. */
function refusedLogin(error: unknown): AppError | undefined {
  if (!(error instanceof AppError) || error.status === null || error.status >= 500 || error.status === 429)
    return undefined;
  const { details } = error;
  const reason = details?.['oauth_error'];
  if (!details || typeof reason !== 'string') return undefined;
  return new AppError('LOGIN_FAILED', {
    message: `The server refused the machine login: ${error.message}.`,
    hint:
      reason === 'unauthorized_client' || reason === 'unsupported_grant_type'
        ? 'Register a client of type server ("laudio client create --type server"), or log in as a person with "laudio login".'
        : reason === 'invalid_scope'
          ? 'Ask for scopes that the client registered.'
          : 'Check LAUDIO_CLIENT_ID, and LAUDIO_CLIENT_SECRET or LAUDIO_CLIENT_KEY_FILE.',
    details,
    status: error.status,
    ...(error.requestId !== undefined && { requestId: error.requestId }),
  });
}

interface SigningKey {
  readonly key: KeyObject;
  readonly alg: string;
  readonly kid: string | undefined;
}

/** RFC 7523 2.2, 3. */
async function assertion(client_id: string, { key, alg, kid }: SigningKey, server: string, now: number) {
  const { SignJWT } = await import('jose');
  const issued = Math.floor(now / 1000);
  const client_assertion = await new SignJWT()
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
    .setIssuer(client_id)
    .setSubject(client_id)
    .setAudience(server)
    .setJti(randomUUID())
    .setIssuedAt(issued)
    .setExpirationTime(issued + assertionSeconds)
    .sign(key);
  return { client_id, client_assertion_type: assertionType, client_assertion };
}

/** Reads a private key, PEM or JWK. CONFIGURATION if there is none; the error repeats nothing of the file. */
async function readSigningKey(path: string): Promise<SigningKey> {
  const unusable = (reason: string, hint?: string): AppError =>
    new AppError('CONFIGURATION', {
      message: `LAUDIO_CLIENT_KEY_FILE: ${path} ${reason}.`,
      ...(hint !== undefined && { hint }),
    });
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unusable(`cannot be read (${error.code})`);
  });
  if (text.includes('ENCRYPTED')) throw unusable('is protected by a passphrase, and nobody is there to type it');
  const jwk = parseJwk(text);
  let key: KeyObject;
  try {
    key = jwk ? createPrivateKey({ key: jwk, format: 'jwk' }) : createPrivateKey(text);
  } catch {
    throw unusable(
      'holds no private key',
      'It must be a private key as PEM or as JWK, such as "openssl genpkey -algorithm ed25519" makes.',
    );
  }
  const alg = typeof jwk?.['alg'] === 'string' ? jwk['alg'] : chooseAlgorithm(key);
  if (alg === undefined)
    throw unusable('holds a key of a kind that signs nothing here', 'Use P-256, P-384, P-521, Ed25519 or RSA.');
  return { key, alg, kid: typeof jwk?.['kid'] === 'string' ? jwk['kid'] : undefined };
}

function parseJwk(text: string): (JsonWebKey & Record<string, unknown>) | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as JsonWebKey & Record<string, unknown>;
  } catch {
    // It is no key; the parser's own message would quote it.
    return {};
  }
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

/** The default algorithm with which the server registers such a key. */
function chooseAlgorithm({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string | undefined {
  if (type === 'ed25519') return 'EdDSA';
  return type === 'rsa' ? 'RS256' : curves[details?.namedCurve ?? ''];
}
