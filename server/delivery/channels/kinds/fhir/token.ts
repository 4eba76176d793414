/** Authorization at a FHIR server: a fixed token, or one requested with a signed assertion (SMART Backend Services). */
import { createPrivateKey, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Transport } from '../../../../../src/client/transport.ts';
import { AppError } from '../../../../../src/contract/errors.ts';
import { assertionType } from '../../../../../src/contract/oauth.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import type { FhirServerSettings } from './settings.ts';

/** Validity of an assertion; the specification allows five minutes. */
const assertionSeconds = 240;
/** A token is replaced this long before it expires. */
const renewalMs = 30_000;
const maxBytes = 64 * 1024;

export interface Access {
  /** Headers of a request. `isRefused`: the server rejected the last token. */
  headers(signal: AbortSignal, isRefused?: boolean): Promise<Readonly<Record<string, string>>>;
}

/** Throws CONFIGURATION if the settings of the login are incomplete or the key is invalid. `now`: ms of the machine's clock. */
export function createAccess(settings: FhirServerSettings, transport: Transport, now: () => number): Access {
  const { token, token_url, client_id, private_key } = settings;
  if (token !== undefined) return { headers: async () => ({ authorization: `Bearer ${token}` }) };
  if ([token_url, client_id, private_key].every((each) => each === undefined)) return { headers: async () => ({}) };
  if (token_url === undefined || client_id === undefined || private_key === undefined) {
    throw new AppError('CONFIGURATION', {
      message: 'A login at the FHIR server needs token_url, client_id and private_key.',
      hint: 'Set all three, or token.',
    });
  }
  const key = parseKey(private_key);
  let present: { readonly text: string; readonly until: number } | undefined;
  return {
    async headers(signal, isRefused = false) {
      if (isRefused || present === undefined || present.until - renewalMs <= now()) {
        present = await requestToken(settings as Login, key, transport, now, signal);
      }
      return { authorization: `Bearer ${present.text}` };
    },
  };
}

type Login = FhirServerSettings & Required<Pick<FhirServerSettings, 'token_url' | 'client_id'>>;

interface Key {
  readonly key: KeyObject;
  readonly alg: string;
}

const curves: Readonly<Record<string, string>> = { secp384r1: 'ES384', prime256v1: 'ES256' };

function parseKey(pem: string): Key {
  try {
    const key = createPrivateKey(pem);
    const alg = key.asymmetricKeyType === 'rsa' ? 'RS384' : curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
    if (alg !== undefined) return { key, alg };
  } catch {
    // Reported below, without its content.
  }
  throw new AppError('CONFIGURATION', {
    message: 'private_key is no private key that can sign.',
    hint: 'Use an RSA, P-384 or P-256 key as PEM, without a passphrase.',
  });
}

async function requestToken(
  { token_url, client_id, key_id, scope = 'system/*.read' }: Login,
  { key, alg }: Key,
  transport: Transport,
  now: () => number,
  signal: AbortSignal,
): Promise<{ text: string; until: number }> {
  const { SignJWT } = await import('jose');
  const at = Math.floor(now() / 1000);
  const assertion = await new SignJWT({})
    .setProtectedHeader({ alg, typ: 'JWT', ...(key_id !== undefined && { kid: key_id }) })
    .setIssuer(client_id)
    .setSubject(client_id)
    .setAudience(token_url)
    .setJti(randomUUID())
    .setIssuedAt(at)
    .setExpirationTime(at + assertionSeconds)
    .sign(key);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    scope,
    client_assertion_type: assertionType,
    client_assertion: assertion,
  });
  const answer = await transport({
    method: 'POST',
    url: token_url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
    signal,
  });
  const text = await answer.text(maxBytes);
  const said = parseAnswer(text);
  if (answer.status !== 200 || typeof said['access_token'] !== 'string') {
    const why = typeof said['error'] === 'string' && /^[\w.-]{1,40}$/.test(said['error']) ? `: ${said['error']}` : '';
    throw new AppError('NETWORK', {
      message: `${new URL(token_url).origin} gave no token (${answer.status}${why}).`,
      hint: 'Is the public key of this server registered there, under this client_id?',
    });
  }
  const seconds = typeof said['expires_in'] === 'number' ? said['expires_in'] : 300;
  return { text: said['access_token'], until: now() + seconds * 1000 };
}

function parseAnswer(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}
