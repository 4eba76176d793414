/** Requests to a web service, with its login. Errors name the service, and contain no patient data. */
import { rootCertificates } from 'node:tls';
import { createHttpCall } from '../../../../../src/node/http/http-call.ts';
import type { HttpCall } from '../../../../../src/node/http/http-call.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from '../../../../../src/client/transport.ts';
import { AppError } from '../../../../../src/contract/errors.ts';
import { retryAfter } from '../../../../../src/domain/retry-schedule.ts';
import { tlsFailure } from '../../../../../src/node/tls/failures.ts';
import { clientCertificateHint } from '../../failures.ts';
import { readTlsFor } from '../../tls-settings.ts';
import { createAccess } from './token.ts';
import type { WebServiceSettings } from './settings.ts';

/** Maximum size of a refusal, in bytes. */
const maxRefusal = 1024 * 1024;

interface WebRequest extends Pick<OutgoingRequest, 'method' | 'body'> {
  readonly accept: string;
  readonly contentType?: string;
  /** The entity tag of the only version that is changed. */
  readonly match?: string | undefined;
  /** How the service should answer. */
  readonly prefer?: string | undefined;
}

export interface WebClient {
  /** URL of a path below `base_url`. */
  urlOf(path: string): URL;
  /** Rejects with NETWORK if there is no answer. */
  ask(url: URL, request: WebRequest, signal: AbortSignal): Promise<IncomingAnswer>;
  /** A file of the service, at its own origin or one of `file_origins`, which get no certificate, and a token only where asked. */
  askFile(
    url: URL,
    file: Pick<WebRequest, 'accept'> & { readonly needsToken: boolean },
    signal: AbortSignal,
  ): Promise<IncomingAnswer>;
  close(): Promise<void>;
}

/** Rejects with CONFIGURATION if the settings contradict each other. Calls only the service, `token_url` and `file_origins`. */
export async function createWebClient(settings: WebServiceSettings, now: () => number): Promise<WebClient> {
  const { base_url, token_url, timeout_seconds = 30, file_origins = [] } = settings;
  const tls = await readTlsFor({ base_url, token_url }, settings);
  const timeout = timeout_seconds * 1000;
  const calls = createHttpCall({ timeout, tls });
  let fileCalls: HttpCall | undefined;
  const withHints =
    ({ transport: send }: HttpCall): Transport =>
    (outgoing) =>
      send(outgoing).catch((error: unknown) => Promise.reject(withHint(error, outgoing.url)));
  const transport = withHints(calls);
  const access = createAccess(settings, transport, now);
  const base = new URL(base_url.replace(/(?<!\/)\/*$/, '/'));
  const origins = new Set(file_origins.map((each) => new URL(each).origin));
  const leadsAway = ({ origin }: URL) => new AppError('BAD_ANSWER', { message: `${base.origin} leads to ${origin}.` });
  const askOnce = async (
    url: URL,
    { accept, contentType, match, prefer, ...request }: WebRequest,
    signal: AbortSignal,
    isRefused: boolean,
  ) => {
    // Token and certificate must not go to another server.
    if (url.origin !== base.origin) throw leadsAway(url);
    const headers = {
      accept,
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(match !== undefined && { 'if-match': match }),
      ...(prefer !== undefined && { prefer }),
      ...(await access.headers(signal, isRefused)),
    };
    return transport({ ...request, url: url.href, headers, signal });
  };
  const ask: WebClient['ask'] = async (url, request, signal) => {
    const answer = await askOnce(url, request, signal, false);
    if (answer.status !== 401 || token_url === undefined) return answer;
    // A new token, once, if the service rejects the current one.
    await answer.text(maxRefusal);
    return askOnce(url, request, signal, true);
  };
  return {
    urlOf: (path) => new URL(path, base),
    ask,
    async askFile(url, { accept, needsToken }, signal) {
      if (url.origin === base.origin) return ask(url, { method: 'GET', accept }, signal);
      if (!origins.has(url.origin)) throw leadsAway(url);
      const headers = { accept, ...(needsToken && (await access.headers(signal))) };
      fileCalls ??= createHttpCall({ timeout, ...(tls.ca && { tls: { ca: withPublicAuthorities(tls.ca) } }) });
      return withHints(fileCalls)({ method: 'GET', url: url.href, headers, signal });
    },
    async close() {
      await Promise.all([calls.close(), fileCalls?.close()]);
    },
  };
}

/** Files may be at a public service, and the channel's server in a private network. */
const withPublicAuthorities = (ca: Buffer): Buffer => Buffer.from([...rootCertificates, ca.toString()].join('\n'));

/** Adds hints about the channel's TLS settings, which the HTTP call does not know. */
function withHint(error: unknown, url: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, details = {} } = error;
  const reason = String(details['reason']);
  const isCut = url.startsWith('https:') && /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(reason);
  const hint = isCut ? clientCertificateHint : tlsFailure({ code: reason })?.cure;
  return hint === undefined ? error : new AppError(code, { message, details, hint });
}

/** The error for an answer that is no success. */
export function refuse({ origin }: URL, status: number, wait: string | undefined, now: number): AppError {
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
