/** One GET request for a large file. Follows redirects. Errors don't quote addresses, which may contain secrets. */
import type { Dispatcher } from 'undici';
import { AppError } from '../../../../src/contract/errors.ts';
import { connectionFailure } from '../../../../src/node/http/http-call.ts';

export interface FileResponse {
  /** 416 only if a range was requested. */
  readonly status: 200 | 206 | 416;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The validator for `If-Range`: a strong ETag, or else the modification date. */
  readonly validator: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

const maxRedirects = 10;
const redirects = new Set([301, 302, 303, 307, 308]);
const transientStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether a retry may succeed: the connection failed or the server asked for it. */
export const isTransient = (error: unknown): error is AppError => error instanceof AppError && error.code === 'NETWORK';

const unreachableReasons =
  /^(?:ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|DEPTH_|SELF_SIGNED|CERT_|ERR_TLS)/;

/** Whether the address or this computer's network is wrong, so that a retry is useless. */
export const isUnreachable = ({ details }: AppError): boolean =>
  unreachableReasons.test(String(details?.['reason'] ?? ''));

/**
 * Rejects with NETWORK if a retry may succeed, otherwise with NOT_FOUND, FORBIDDEN or BAD_ANSWER; INTERRUPTED by the
 * signal.
 */
export async function requestFile(
  address: URL,
  headers: Readonly<Record<string, string>>,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<FileResponse> {
  const { request } = await import('undici');
  let url = address;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const authorisation = createAuthorisation(url);
    const answer = await request(withoutSecrets(url), {
      dispatcher,
      // Ranges count the stored bytes, so the content must not be compressed.
      headers: { 'accept-encoding': 'identity', 'user-agent': 'laudio', ...headers, ...authorisation },
      signal,
    }).catch((error: unknown) => {
      throw connectionFailure(error, url.host, signal);
    });
    const { statusCode: status } = answer;
    const fields = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    );
    if (status === 200 || (status === 206 && 'range' in headers)) {
      return {
        status,
        headers: fields,
        validator: findValidator(fields),
        body: explainedBody(answer.body, url, signal),
      };
    }
    // The rest of the response is not needed.
    answer.body.on('error', () => {}).destroy();
    if (status === 416 && 'range' in headers) {
      return { status, headers: fields, validator: undefined, body: explainedBody([], url, signal) };
    }
    if (!redirects.has(status)) throw refusal(status, url, fields['retry-after']);
    url = nextAddress(url, fields['location']);
  }
  throw new AppError('BAD_ANSWER', { message: `${address.host} redirects too often.` });
}

function nextAddress(from: URL, location: string | undefined): URL {
  const next = location === undefined ? null : URL.parse(location, from.href);
  if (!next || !/^https?:$/.test(next.protocol)) {
    throw new AppError('BAD_ANSWER', { message: `${from.host} redirects to an invalid address.` });
  }
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new AppError('BAD_ANSWER', { message: `${from.host} redirects from https to plain http (${next.host}).` });
  }
  return next;
}

/** Moves `https://NAME:PASSWORD@host` to a header. */
const createAuthorisation = ({ username, password }: URL): Record<string, string> =>
  username === '' && password === ''
    ? {}
    : {
        authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
      };

function withoutSecrets(url: URL): URL {
  const plain = new URL(url);
  [plain.username, plain.password] = ['', ''];
  return plain;
}

const findValidator = (headers: FileResponse['headers']): string | undefined => {
  const etag = headers['etag'];
  return etag?.startsWith('"') ? etag : headers['last-modified'];
};

async function* explainedBody(
  body: AsyncIterable<unknown> | Iterable<unknown>,
  { host }: URL,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of body) yield piece as Uint8Array;
  } catch (error) {
    throw connectionFailure(error, host, signal);
  }
}

function refusal(status: number, { host }: URL, retryAfter: string | undefined): AppError {
  if (transientStatuses.has(status)) {
    const seconds = Number(retryAfter);
    return new AppError('NETWORK', {
      message: `${host} cannot serve the file now (${status}).`,
      ...(Number.isFinite(seconds) && { retryAfter: seconds }),
    });
  }
  const hint = 'Get the archive from another place with --from ADDRESS|FOLDER|FILE.';
  if (status === 404 || status === 410)
    return new AppError('NOT_FOUND', { message: `${host} has no such file.`, hint });
  if (status === 401 || status === 403 || status === 407)
    return new AppError('FORBIDDEN', { message: `${host} refuses the file (${status}).`, hint });
  return new AppError('BAD_ANSWER', { message: `${host} answered with ${status}.`, hint });
}
