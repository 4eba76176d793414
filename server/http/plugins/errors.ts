/**
 * Turns every error into an answer, whichever part raised the error and however early. Error answers of
 * the API have the failure envelope, those of the OAuth endpoints the body of RFC 6749 5.2.
 */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { AppError, errors, isStorageFailure } from '../../../src/contract/errors.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import { OAuthError } from '../oauth-error.ts';
import type { OAuthErrorCode } from '../oauth-error.ts';
import type { Log } from '../../runtime/log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The endpoint that `findEndpoint` found; `null`: the route is none of the API. */
    foundEndpoint: Endpoint | null | undefined;
  }
}

/** Failure envelope (specification 2.7). */
export function failure(error: AppError, requestId: string, clock: Clock): Record<string, unknown> {
  const details = {
    ...error.details,
    ...(error.hint !== undefined && { hint: error.hint }),
  };
  return {
    success: false,
    error: {
      code: error.code,
      message: error.message,
      ...(Object.keys(details).length > 0 && { details }),
    },
    meta: { request_id: requestId, timestamp: isoNow(clock) },
  };
}

/** Turns Fastify's own errors into AppErrors. */
export function asAppError(error: unknown, request: FastifyRequest | undefined): AppError | undefined {
  if (error instanceof AppError) return error;
  const { code, statusCode } = (error ?? {}) as FastifyError;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: request?.routeOptions.bodyLimit } });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', { details: { supported: bodyTypesOf(request) } });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('VALIDATION_FAILED', {
        message: 'The body does not have the length that Content-Length gives.',
      });
    case 'FST_ERR_BAD_URL':
      return new AppError('VALIDATION_FAILED', { message: 'The address is not a valid URL.' });
    default:
      // Errors of Node's HTTP parser and streams while a body is read.
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? new AppError('VALIDATION_FAILED', { message: 'The request could not be read.' })
        : undefined;
  }
}

const bodyTypesOf = (request: FastifyRequest | undefined): readonly string[] =>
  findEndpoint(request)?.bodyTypes ?? ['application/json'];

/** The endpoint of the request's route. Each call asks several times, and `routeOptions` is a new object each time. */
export function findEndpoint(request: FastifyRequest | undefined): Endpoint | undefined {
  if (!request) return undefined;
  if (request.foundEndpoint === undefined) {
    const { endpoint } = (request.routeOptions.config ?? {}) as { endpoint?: Endpoint };
    request.foundEndpoint = endpoint ?? null;
  }
  return request.foundEndpoint ?? undefined;
}

export function registerErrors(app: FastifyInstance, deps: { clock: Clock; log: Log }): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof OAuthError) return sendOAuthError(reply, error);
    const known = asAppError(error, request);
    if (!known) {
      deps.log({ level: 'error', event: 'request_failed', request_id: request.id, ...describeError(error) });
      return sendFailure(request, reply, new AppError('INTERNAL_ERROR'), deps.clock);
    }
    if (isStorageFailure(known)) {
      const { code } = (known.cause ?? {}) as NodeJS.ErrnoException;
      deps.log({ level: 'error', event: 'storage_unavailable', request_id: request.id, code });
    }
    return sendFailure(request, reply, known, deps.clock);
  });
}

export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: AppError, clock: Clock): FastifyReply {
  const status = error.status ?? 500;
  const endpoint = findEndpoint(request);
  request.refusal = error.code;
  const retryAfter = error.retryAfter ?? (status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  if (status === 401 || error.code === 'INSUFFICIENT_SCOPE') {
    reply.header('WWW-Authenticate', challenge(request, error));
  }
  if (endpoint?.access === 'client') {
    return sendOAuthError(reply, new OAuthError(toOauthCode(status), error.message, status));
  }
  reply.header('Cache-Control', 'no-store');
  // Serialised here, since a route's own serialisers know its successes only.
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((payload) => JSON.stringify(payload))
    .send((request.answered = failure(error, request.id, clock)));
}

const toOauthCode = (status: number): OAuthErrorCode => {
  if (status === 429) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
};

/** RFC 6750 3: no error code where no token was sent. */
function challenge(request: FastifyRequest, error: AppError): string {
  if (error.code === 'INSUFFICIENT_SCOPE') {
    return `Bearer realm="laudio", error="insufficient_scope", scope="${String(error.details?.['required_scope'])}"`;
  }
  return request.headers.authorization === undefined
    ? 'Bearer realm="laudio"'
    : 'Bearer realm="laudio", error="invalid_token", error_description="The access token is unknown, expired or revoked"';
}

function sendOAuthError(reply: FastifyReply, error: OAuthError): FastifyReply {
  reply.request.refusal = error.error;
  return reply
    .code(error.status)
    .headers({ 'Cache-Control': 'no-store', Pragma: 'no-cache', ...error.headers })
    .type('application/json; charset=utf-8')
    .serializer((payload) => JSON.stringify(payload))
    .send({ error: error.error, error_description: error.description });
}

/** Answers requests that Node's parser refuses because they are malformed, too large or too slow. */
export function clientErrorAnswer(clock: Clock, requestId: () => string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const known =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? new AppError('HEADERS_TOO_LARGE')
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? new AppError('VALIDATION_FAILED', { message: 'The request took too long to arrive.', status: 408 })
          : new AppError('VALIDATION_FAILED', { message: 'The request is not valid HTTP.' });
    const id = requestId();
    const body = JSON.stringify(failure(known, id, clock));
    socket.end(
      `HTTP/1.1 ${known.status} ${errors[known.code].title.replace(/\.$/, '')}\r\nX-Request-Id: ${id}\r\nX-Processing-Time: 0\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  };
}
