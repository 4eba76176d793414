/** Requests to a FHIR server. Errors name the server, and contain no patient data. */
import { createHttpCall } from '../../../../../src/node/http/http-call.ts';
import type { OutgoingRequest, Transport } from '../../../../../src/client/transport.ts';
import { AppError } from '../../../../../src/contract/errors.ts';
import { retryAfter } from '../../../../../src/domain/retry-schedule.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import { tlsFailure } from '../../../../../src/node/tls/failures.ts';
import { clientCertificateHint } from '../../failures.ts';
import { readTlsFor } from '../../tls-settings.ts';
import { createAccess } from './token.ts';
import type { FhirServerSettings } from './settings.ts';

/** Maximum size of an answer in bytes. */
const maxBytes = 32 * 1024 * 1024;

export type Resource = Readonly<Record<string, unknown>>;

export interface FhirAnswer {
  readonly resource: Resource;
  /** Time of the server, in ms since 1970; `undefined`: it sent none. */
  readonly at: number | undefined;
}

export interface FhirClient {
  /** URL of a resource or a search, such as `ServiceRequest?…`. */
  urlOf(path: string): URL;
  /** `undefined`: there is no such resource. Rejects with NETWORK or RATE_LIMIT_EXCEEDED. */
  get(url: URL, signal: AbortSignal): Promise<FhirAnswer | undefined>;
  /**
   * Resolves to the status and the `Retry-After` header. Rejects with NETWORK if there is no answer. `match`: the entity tag of the
   * only version that is changed.
   */
  write(
    method: 'POST' | 'PUT',
    url: URL,
    resource: object,
    signal: AbortSignal,
    match?: string,
  ): Promise<{ readonly status: number; readonly wait: string | undefined }>;
  close(): Promise<void>;
}

interface SentResource extends Pick<OutgoingRequest, 'method' | 'body'> {
  readonly match?: string;
}

/** Rejects with CONFIGURATION if the settings contradict each other. Calls only the server and `token_url`. */
export async function createFhirClient(settings: FhirServerSettings, now: () => number): Promise<FhirClient> {
  const { base_url, token_url, timeout_seconds = 30 } = settings;
  const tls = await readTlsFor({ base_url, token_url }, settings);
  const calls = createHttpCall({ timeout: timeout_seconds * 1000, tls });
  const transport: Transport = (outgoing) =>
    calls.transport(outgoing).catch((error: unknown) => Promise.reject(withHint(error, outgoing.url)));
  const access = createAccess(settings, transport, now);
  const base = new URL(settings.base_url.replace(/(?<!\/)\/*$/, '/'));
  const ask = async (url: URL, signal: AbortSignal, isRefused: boolean, sent?: SentResource) => {
    // Token and certificate must not go to another server.
    if (url.origin !== base.origin)
      throw new AppError('BAD_ANSWER', { message: `${base.origin} leads to ${url.origin}.` });
    const headers = {
      accept: 'application/fhir+json',
      ...(sent && { 'content-type': 'application/fhir+json' }),
      ...(sent?.match !== undefined && { 'if-match': sent.match }),
      ...(await access.headers(signal, isRefused)),
    };
    const { method = 'GET', body } = sent ?? {};
    return transport({ method, ...(body !== undefined && { body }), url: url.href, headers, signal });
  };
  /** Requests a new token once if the server rejects the current one. */
  const askTwice = async (url: URL, signal: AbortSignal, sent?: SentResource) => {
    const answer = await ask(url, signal, false, sent);
    if (answer.status !== 401 || settings.token_url === undefined) return answer;
    await answer.text(maxBytes);
    return ask(url, signal, true, sent);
  };
  return {
    urlOf: (path) => new URL(path, base),
    async get(url, signal) {
      const answer = await askTwice(url, signal);
      const text = await answer.text(maxBytes);
      if (answer.status === 404 || answer.status === 410) return undefined;
      if (answer.status !== 200) throw refuse(url, answer.status, answer.headers['retry-after'], now());
      return { resource: parseResource(text, url), at: Date.parse(answer.headers['date'] ?? '') || undefined };
    },
    async write(method, url, resource, signal, match) {
      const body = JSON.stringify(resource);
      const answer = await askTwice(url, signal, { method, body, ...(match !== undefined && { match }) });
      await answer.text(maxBytes);
      return { status: answer.status, wait: answer.headers['retry-after'] };
    },
    close: () => calls.close(),
  };
}

/** Adds hints about the channel's TLS settings, which the HTTP call does not know. */
function withHint(error: unknown, url: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, details = {} } = error;
  const reason = String(details['reason']);
  const isCut = url.startsWith('https:') && /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(reason);
  const hint = isCut ? clientCertificateHint : tlsFailure({ code: reason })?.cure;
  return hint === undefined ? error : new AppError(code, { message, details, hint });
}

function refuse({ origin }: URL, status: number, wait: string | undefined, now: number): AppError {
  const isBusy = status === 429 || status === 503;
  const hints: Readonly<Record<number, string>> = {
    401: 'Check the token, or the login, of the channel.',
    403: 'Have the other side grant this client the right to read.',
  };
  const hint = hints[status];
  return new AppError(isBusy ? 'RATE_LIMIT_EXCEEDED' : 'NETWORK', {
    message: isBusy ? `${origin} asks us to wait.` : `${origin} answered with ${status}.`,
    details: { status },
    ...(isBusy && { retryAfter: retryAfter(wait ?? null, now) / 1000 }),
    ...(hint !== undefined && { hint }),
  });
}

function parseResource(text: string, { origin }: URL): Resource {
  try {
    const value: unknown = JSON.parse(text);
    if (isPlainObject(value) && typeof value['resourceType'] === 'string') return value;
  } catch {
    // Reported below, without its content.
  }
  throw new AppError('BAD_ANSWER', { message: `${origin} does not answer with FHIR resources.` });
}
