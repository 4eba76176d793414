/** The client's transport on Node, by undici, which takes longer to load than Node itself. */
import { Readable } from 'node:stream';
import type { Dispatcher, request as Request } from 'undici';
import { AppError } from '../../contract/errors.ts';
import type { Interruption } from '../../domain/pause.ts';
import { isForm } from '../../client/transport.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from '../../client/transport.ts';
import type { CallingTls } from '../tls/connect.ts';
import { tlsFailure } from '../tls/failures.ts';
import { encodeForm } from './multipart.ts';
import { isProxied, readProxies, proxyName } from './proxies.ts';

export interface HttpCall {
  readonly transport: Transport;
  /** Ends its connections. */
  close(): Promise<void>;
}

export interface HttpCallOptions {
  /** Milliseconds without any sign of the server: it takes no more of the request, the answer does not begin, or stops. */
  readonly timeout: number;
  /** The environment that names the proxies; default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The TLS settings for every server, but for no proxy. Call only servers for which they are meant. */
  readonly tls?: CallingTls;
}

/** Milliseconds for a connection attempt. */
const connectTimeout = 10_000;

/** Failures by undici's or Node's code, in words that name the thing to check. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  LIGHT_ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_PRX_CONN: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of its answer',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'its answer is too long',
};

/**
 * Loads undici at once, while the caller still looks for its token; create it only if a call will follow. Calls use the
 * proxies of the environment, calls to this computer only if the environment says so. CONFIGURATION for a proxy without
 * an address.
 */
export function createHttpCall({ timeout, env = process.env, tls }: HttpCallOptions): HttpCall {
  const proxies = readProxies(env);
  const loading = import('undici').then(({ Agent, EnvHttpProxyAgent, request }): LoadedClient => {
    const patience = { headersTimeout: timeout, bodyTimeout: timeout };
    const connect = { timeout: connectTimeout, ...tls };
    const direct = new Agent({ connect, ...patience });
    return {
      request,
      direct,
      // Each connection, to the proxy and through it, has a limit.
      proxied:
        proxies &&
        new EnvHttpProxyAgent({ ...proxies.options, ...patience, connect, ...(tls && { requestTls: connect }) }),
    };
  });
  // The first call reports a failed load.
  loading.catch(() => undefined);
  return {
    async transport(outgoing) {
      const { direct, proxied, request } = await loading;
      const url = new URL(outgoing.url);
      const isThroughProxy = proxies !== undefined && isProxied(proxies, url);
      const peer = isThroughProxy ? { origin: url.origin, proxy: proxyName(proxies, url) } : { origin: url.origin };
      const encoded = encodeRequest(outgoing);
      try {
        const response = await request(outgoing.url, {
          dispatcher: isThroughProxy && proxied ? proxied : direct,
          method: outgoing.method,
          ...encoded,
          ...sliceLong(encoded),
          // Any platform's signal does for the client; here it is Node's own.
          signal: (outgoing.signal as AbortSignal | undefined) ?? null,
        });
        return incomingAnswer(response, url.origin, outgoing.signal);
      } catch (error) {
        throw connectionFailure(error, peer, outgoing.signal);
      }
    },
    async close() {
      const { direct, proxied } = await loading;
      // Bun brings another undici, whose dispatchers lack `destroy`.
      await Promise.all([direct, proxied].map((each: Partial<Dispatcher> | undefined) => each?.destroy?.()));
    },
  };
}

interface LoadedClient {
  readonly request: typeof Request;
  readonly direct: Dispatcher;
  readonly proxied: Dispatcher | undefined;
}

interface NodeAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | number | undefined>>;
  readonly body: AsyncIterable<unknown>;
}

interface EncodedRequest {
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | null;
}

/** Headers and body as Node's HTTP clients take them. */
export function encodeRequest({ headers, body }: OutgoingRequest): EncodedRequest {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    return { headers: { ...headers }, body: body ?? null };
  }
  if (!isForm(body)) return { headers: { ...headers }, body: streamOf(body) };
  const form = encodeForm(body);
  return {
    headers: {
      ...headers,
      'content-type': form.contentType,
      ...(form.size !== undefined && { 'content-length': String(form.size) }),
    },
    body: streamOf(form.body),
  };
}

/** Bytes that a slow connection takes within any timeout. */
const sliceBytes = 65_536;

/** A long body in slices: undici counts a body in one piece as silence of the server until all of it was taken. */
function sliceLong({ headers, body }: EncodedRequest): EncodedRequest | undefined {
  if (body === null || body instanceof Readable || body.length <= sliceBytes) return undefined;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { headers: { ...headers, 'content-length': String(bytes.length) }, body: streamOf([bytes]) };
}

const streamOf = (pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Readable =>
  Readable.from(slice(pieces), { objectMode: false });

async function* slice(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += sliceBytes) yield piece.subarray(at, at + sliceBytes);
}

/** The answer of one of Node's HTTP clients; `body` can be read once, and is released when the reader stops. */
export function incomingAnswer(
  { statusCode, headers, body }: NodeAnswer,
  origin: string,
  signal: Interruption | undefined,
): IncomingAnswer {
  async function* chunks(): AsyncGenerator<Uint8Array, void, void> {
    try {
      for await (const chunk of body) yield chunk as Uint8Array;
    } catch (error) {
      throw connectionFailure(error, origin, signal);
    }
  }
  return {
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
    ),
    cookies: [headers['set-cookie'] ?? []].flat().map(String),
    body: chunks(),
    async text(limit) {
      const parts: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of chunks()) {
        size += chunk.length;
        // Leaving the loop also ends the body.
        if (size > limit) {
          throw new AppError('BAD_ANSWER', { message: `The answer of ${origin} is longer than ${limit} bytes.` });
        }
        parts.push(chunk);
      }
      return Buffer.concat(parts).toString('utf8');
    },
  };
}

/** The target of a request; `proxy`: host and port of a proxy that may be in between. */
interface Peer {
  readonly origin: string;
  readonly proxy?: string;
}

/** The error keeps only the code of its cause: the cause itself may quote the request, whose headers hold a token. */
export function connectionFailure(error: unknown, peer: string | Peer, signal: Interruption | undefined): AppError {
  if (error instanceof AppError) return error;
  if (signal?.aborted) return new AppError('INTERRUPTED');
  const { origin, proxy = '' } = typeof peer === 'string' ? { origin: peer } : peer;
  const code = findCode(error);
  const reason = proxyAnswer(error) ?? tlsFailure(error)?.reason ?? (code === undefined ? undefined : reasons[code]);
  return new AppError('NETWORK', {
    message: `${origin} could not be reached${proxy === '' ? '' : ` by the proxy ${proxy}`}: ${reason ?? code ?? 'the connection failed'}.`,
    ...(code !== undefined && { details: { reason: code } }),
    hint: findRemedy(code, proxy !== ''),
  });
}

/** Codes for a certificate that no known authority signed. */
const unknownAuthority = /^(?:UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED)/;

function findRemedy(code: string | undefined, isThroughProxy: boolean): string {
  if (code !== undefined && unknownAuthority.test(code))
    return 'If the server has a certificate of your own authority, name the file of that authority in NODE_EXTRA_CA_CERTS.';
  return isThroughProxy
    ? 'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and that the server is running.'
    : 'Check the address and that the server is running.';
}

/** The answer of a proxy that did not connect; undici reports it only in words. */
function proxyAnswer(error: unknown): string | undefined {
  const { message, cause } = Object(error) as { message?: unknown; cause?: unknown };
  const status = /^Proxy .*\((\d{3})\)/.exec(String(message))?.[1];
  if (status === undefined) return cause === undefined ? undefined : proxyAnswer(cause);
  return status === '407' ? 'the proxy wants another name or password' : `the proxy answered with ${status}`;
}

function findCode(error: unknown): string | undefined {
  const { code, errors, cause } = Object(error) as { code?: unknown; errors?: unknown[]; cause?: unknown };
  if (typeof code === 'string') return code;
  // Connections to both addresses of a name failed.
  if (Array.isArray(errors) && errors.length > 0) return findCode(errors[0]);
  return cause === undefined ? undefined : findCode(cause);
}
