/**
 * Carries calls of this process to the server: without a network, and without a count against the quota of a partner
 * application.
 */
import { randomBytes } from 'node:crypto';
import { duplexPair } from 'node:stream';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, LightMyRequestResponse } from 'fastify';
import type { Transport } from '../../src/client/transport.ts';
import { AppError } from '../../src/contract/errors.ts';
import { connectionFailure, encodeRequest, incomingAnswer } from '../../src/node/http/http-call.ts';
import { dialThrough } from '../../src/node/http/web-socket.ts';
import type { Dial } from '../../src/node/http/web-socket.ts';
import { ownIdOrNull } from './own-ids.ts';
import { sameSecret } from '../runtime/secrets.ts';

export const insideHeader = 'x-laudio-inside';
/** The user in whose name a page makes a call of the operator. */
const operatorHeader = 'x-laudio-operator';

export interface Inside {
  readonly transport: Transport;
  /** Opens WebSockets of the server. */
  readonly dial: Dial;
  /** The same for calls that somebody at this address, an operator by name, makes on a page of the server. */
  from(address: string, operator?: string): Transport;
  /** Whether the request came through this transport, or from another member. */
  has(request: FastifyRequest): boolean;
}

/** The operator whom a page of this server named; `null`: none. Only for calls that came through the transport. */
export const readOperator = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null => {
  const id = headers[operatorHeader];
  return typeof id === 'string' ? ownIdOrNull(id) : null;
};

/** `mark`: identifies the calls of all members; default: only those of this process. */
export function createInside(fastify: FastifyInstance, mark = randomBytes(32).toString('base64url')): Inside {
  const from =
    (remoteAddress?: string, operator?: string): Transport =>
    async (request) => {
      const { signal } = request;
      if (signal?.aborted) throw new AppError('INTERRUPTED');
      const { headers, body } = encodeRequest(request);
      let answer: LightMyRequestResponse | undefined;
      const ended = new AbortController();
      let stop = (): void => {};
      const stopped = new Promise<never>((_, reject) => {
        stop = () => {
          // The handler sees the abort as a closed connection; before its answer only if the request has no body to read.
          if (answer) cut(answer);
          else ended.abort();
          reject(new AppError('INTERRUPTED'));
        };
      });
      stopped.catch(() => undefined);
      signal?.addEventListener('abort', stop);
      try {
        const { method, url } = request;
        const sent = fastify.inject({
          method,
          url,
          headers: {
            ...headers,
            host: new URL(url).host,
            [insideHeader]: mark,
            ...(operator !== undefined && { [operatorHeader]: operator }),
          },
          ...(body !== null && { payload: body instanceof Uint8Array ? Buffer.from(body) : body }),
          payloadAsStream: true,
          signal: ended.signal,
          ...(remoteAddress !== undefined && { remoteAddress }),
        });
        // If the answer comes after the call was aborted, its body is cut off too.
        void sent.then((late) => signal?.aborted && cut(late)).catch(() => undefined);
        answer = await Promise.race([sent, stopped]);
      } catch (error) {
        if (error instanceof AppError) throw error;
        const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
        if (code === 'LIGHT_ECONNRESET') throw connectionFailure(error, new URL(request.url).origin, signal);
        throw new AppError('NETWORK', {
          message:
            code === 'FST_ERR_REOPENED_CLOSE_SERVER'
              ? 'The server is stopping.'
              : `The server took no call from its own process: ${String(message)}`,
          cause: error,
        });
      }
      return incomingAnswer(
        { statusCode: answer.statusCode, headers: answer.headers, body: readBody(answer) },
        new URL(request.url).origin,
        signal,
      );
    };
  return {
    has: ({ headers }) => typeof headers[insideHeader] === 'string' && sameSecret(headers[insideHeader], mark),
    transport: from(),
    dial: dialThrough(() => {
      const [near, far] = duplexPair();
      fastify.server.emit('connection', far);
      return near;
    }),
    from,
  };
}

function cut(answer: LightMyRequestResponse): void {
  const response = answer.raw.res;
  // Unlike a socket, an injected response does not end by itself.
  if (!response.destroyed) response.destroy();
  (answer.stream() as Readable).destroy();
}

async function* readBody(answer: LightMyRequestResponse): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of answer.stream()) yield chunk as Uint8Array;
  } finally {
    cut(answer);
  }
}
