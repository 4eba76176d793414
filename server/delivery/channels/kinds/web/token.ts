/** Authorization at a web service: a fixed token, or one requested with a secret or a signed assertion (SMART Backend Services). */
import { createPrivateKey, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Transport } from '../../../../../src/client/transport.ts';
import { AppError } from '../../../../../src/contract/errors.ts';
import { assertionType } from '../../../../../src/contract/oauth.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import type { WebServiceSettings } from './settings.ts';

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
export function createAccess(settings: WebServiceSettings, transport: Transport, now: () => number): Access {
  const { token, token_url, client_id, client_secret, private_key } = settings;
  if (token !== undefined) return { headers: async () => ({ authorization: `Bearer ${token}` }) };
  if ([token_url, client_id, client_secret, private_key].every((each) => each === undefined))
    return { headers: async () => ({}) };
  const hasOneProof = (client_secret === undefined) !== (private_key === undefined);
  if (token_url === undefined || client_id === undefined || !hasOneProof) {
    throw new AppError('CONFIGURATION', {
      message: 'A login needs token_url, client_id, and either private_key or client_secret.',
      hint: 'Set these three, or token.',
    });
  }
  const login = { ...settings, token_url, client_id };
  const key = private_key === undefined ? undefined : parseKey(private_key);
  let present: { readonly text: string; readonly until: number } | undefined;
  return {
    async headers(signal, isRefused = false) {
      if (isRefused || present === undefined || present.until - renewalMs <= now()) {
        const proof = key ? await signAssertion(login, key, now) : proveBySecret(client_id, client_secret ?? '');
        present = await requestToken(login, proof, transport, now, signal);
      }
      return { authorization: `Bearer ${present.text}` };
    },
  };
}

type Login = WebServiceSettings & Required<Pick<WebServiceSettings, 'token_url' | 'client_id'>>;

/** Headers and fields that prove who asks for a token. */
interface Proof {
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
}

/** RFC 6749 2.3.1: both parts are encoded as in a form. */
function proveBySecret(id: string, secret: string): Proof {
  const [name, word] = [id, secret].map((each) => new URLSearchParams({ '': each }).toString().slice(1));
  return { headers: { authorization: `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}` } };
}

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

async function signAssertion(
  { token_url, client_id, key_id }: Login,
  { key, alg }: Key,
  now: () => number,
): Promise<Proof> {
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
  return { fields: { client_assertion_type: assertionType, client_assertion: assertion } };
}

async function requestToken(
  { token_url, scope }: Login,
  { headers, fields }: Proof,
  transport: Transport,
  now: () => number,
  signal: AbortSignal,
): Promise<{ text: string; until: number }> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
    ...fields,
  });
  const answer = await transport({
    method: 'POST',
    url: token_url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers },
    body: form.toString(),
    signal,
  });
  const text = await answer.text(maxBytes);
  const said = parseAnswer(text);
  if (answer.status !== 200 || typeof said['access_token'] !== 'string') {
    const why = typeof said['error'] === 'string' && /^[\w.-]{1,40}$/.test(said['error']) ? `: ${said['error']}` : '';
    throw new AppError('NETWORK', {
      message: `${new URL(token_url).origin} gave no token (${answer.status}${why}).`,
      hint: 'Is this client_id registered there, with this secret or the public key of this server?',
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
