/** The client's transport on Node, by undici, which takes longer to load than Node itself. */
import { Readable } from 'node:stream';
import type { Agent, request as Request } from 'undici';
import { AppError } from '../../contract/errors.ts';
import type { Interruption } from '../../domain/pause.ts';
import { isForm } from '../../client/transport.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from '../../client/transport.ts';
import { encodeForm } from './multipart.ts';

export interface HttpCall {
  readonly transport: Transport;
  /** Ends its connections. */
  close(): Promise<void>;
}

export interface HttpCallOptions {
  /** Milliseconds without any sign of the server: for the answer to begin, and between two pieces of it. */
  readonly timeout: number;
}

/** Milliseconds for a connection to be made. */
const connectTimeout = 10_000;

/** Failures by undici's or Node's code, in words that name the thing to check. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of its answer',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'its answer is too long',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by nobody known',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody known',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** Loads undici at once, while the caller still looks for its token; make it only where a call will follow. */
export function createHttpCall({ timeout }: HttpCallOptions): HttpCall {
  const loading: Promise<{ agent: Agent; request: typeof Request }> = import('undici').then(({ Agent, request }) => ({
    request,
    agent: new Agent({ connect: { timeout: connectTimeout }, headersTimeout: timeout, bodyTimeout: timeout }),
  }));
  // The first call reports a failed load.
  loading.catch(() => undefined);
  return {
    async transport(outgoing) {
      const { agent, request } = await loading;
      const { origin } = new URL(outgoing.url);
      const { headers, body } = encodeRequest(outgoing);
      try {
        const response = await request(outgoing.url, {
          dispatcher: agent,
          method: outgoing.method,
          headers,
          body,
          // Any platform's signal does for the client; here it is Node's own.
          signal: (outgoing.signal as AbortSignal | undefined) ?? null,
        });
        return incomingAnswer(response, origin, outgoing.signal);
      } catch (error) {
        throw connectionFailure(error, origin, outgoing.signal);
      }
    },
    async close() {
      await (await loading).agent.destroy();
    },
  };
}

interface NodeAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | number | undefined>>;
  readonly body: AsyncIterable<unknown>;
}

/** Headers and body as Node's HTTP clients take them. */
export function encodeRequest({ headers, body }: OutgoingRequest): {
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | null;
} {
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

const streamOf = (pieces: AsyncIterable<Uint8Array>): Readable => Readable.from(pieces, { objectMode: false });

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
    body: chunks(),
    async text(limit) {
      const parts: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of chunks()) {
        size += chunk.length;
        // Leaving the loop ends the body as well.
        if (size > limit) {
          throw new AppError('BAD_ANSWER', { message: `The answer of ${origin} is longer than ${limit} bytes.` });
        }
        parts.push(chunk);
      }
      return Buffer.concat(parts).toString('utf8');
    },
  };
}

/** The error keeps only the code of its cause: the cause itself may quote the request, whose headers hold a token. */
export function connectionFailure(error: unknown, origin: string, signal: Interruption | undefined): AppError {
  if (error instanceof AppError) return error;
  if (signal?.aborted) return new AppError('INTERRUPTED');
  const code = codeOf(error);
  const reason = code === undefined ? undefined : reasons[code];
  return new AppError('NETWORK', {
    message: `${origin} could not be reached: ${reason ?? code ?? 'the connection failed'}.`,
    ...(code !== undefined && { details: { reason: code } }),
    hint: 'Check the address and that the server is running.',
  });
}

function codeOf(error: unknown): string | undefined {
  const { code, errors, cause } = Object(error) as { code?: unknown; errors?: unknown[]; cause?: unknown };
  if (typeof code === 'string') return code;
  // Both addresses of a name were tried in vain.
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return cause === undefined ? undefined : codeOf(cause);
}
