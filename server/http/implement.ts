/**
 * From a group of the contract and its handlers to routes. What every endpoint has in common is done here, once:
 * authorization, scope, rate limit, validation, idempotency, the envelope, and serialisation by the contract's schema,
 * so that an undeclared field never leaves.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { isEventStream } from '../../src/contract/endpoint.ts';
import type { Endpoint, Group, Handlers, RawOutput } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { envelope } from '../../src/contract/shared.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Answer, Call, Caller, Upload } from './call.ts';
import { addressOf } from './client-address.ts';
import { sameSecret } from '../oauth/secrets.ts';
import type { Attempt, IdempotentRequest } from '../plugins/idempotency.ts';
import type { RateLimiter } from '../plugins/rate-limit.ts';
import { drop, simulateBefore, simulateHeader, simulationOf } from '../plugins/simulate.ts';
import { bearerToken, headerOf, RequestCall } from './request-call.ts';
import type { CallSurroundings } from './request-call.ts';
import { createSerializer } from './serialisation.ts';
import type { ValidationMode, Validator } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the audio parsers. */
    upload: Upload | undefined;
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/** What routes need of the server as a whole. */
export interface Surroundings extends CallSurroundings {
  readonly clock: Clock;
  readonly adminToken: string;
  readonly rateLimiter: RateLimiter;
  /** Whether this process itself calls: quotas are for others. */
  readonly isInside: (request: FastifyRequest) => boolean;
  readonly idempotency: (request: IdempotentRequest) => Promise<Attempt>;
}

type AnyHandler = (input: unknown, call: Call) => Promise<Answer | RawOutput>;

/** Registers a route for each endpoint of the group. `app` decides which kinds of body are parsed. */
export function implement<G extends Group>(
  app: FastifyInstance,
  group: G,
  handlers: Handlers<G, Call>,
  around: Surroundings,
  select: (endpoint: Endpoint) => boolean = () => true,
): void {
  for (const [name, endpoint] of Object.entries(group.endpoints)) {
    if (select(endpoint)) route(app, endpoint, (handlers as Record<string, AnyHandler>)[name]!, around);
  }
}

function route(app: FastifyInstance, endpoint: Endpoint, handler: AnyHandler, around: Surroundings): void {
  const isRaw = Array.isArray(endpoint.answer);
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: schemaOf(endpoint),
    config: { endpoint },
    exposeHeadRoute: endpoint.method === 'GET' && !isEventStream(endpoint),
    ...(endpoint.bodyLimit !== undefined && { bodyLimit: endpoint.bodyLimit }),
    onRequest: (request, reply) => admit(endpoint, request, reply, around),
    handler: async (request, reply) => {
      const asked = request.caller?.test_mode ? headerOf(request, simulateHeader) : undefined;
      const simulation = asked === undefined ? undefined : simulationOf(asked);
      if (simulation) await simulateBefore(simulation, around.clock);
      const input = { params: request.params, query: request.query, body: request.body };
      // A stream ends with its connection: kept alive, it would hold up a server that stops.
      if (isEventStream(endpoint)) reply.header('Connection', 'close');
      // Files and streams change nothing, so there is nothing to do first.
      if (isRaw && simulation?.drop) return drop(reply);
      if (isRaw) return rawPayload(reply, (await handler(input, new RequestCall(request, reply, around))) as RawOutput);
      const key = endpoint.idempotent ? headerOf(request, 'idempotency-key') : undefined;
      const answer =
        key === undefined
          ? ((await handler(input, new RequestCall(request, reply, around))) as Answer)
          : await answerOnce(key, request, reply, handler, input, around);
      if (simulation?.drop) return drop(reply);
      return payloadOf(endpoint, request, reply, answer, around.clock);
    },
  });
}

function schemaOf(endpoint: Endpoint): FastifySchema {
  const response: Record<string, Schema> = {};
  if (!Array.isArray(endpoint.answer)) {
    for (const [status, data] of Object.entries(endpoint.responses)) {
      response[status] = endpoint.answer === 'envelope' ? envelope(data) : data;
    }
  }
  return {
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && !endpoint.checksOwnInput && { querystring: endpoint.query }),
    ...(endpoint.body && !endpoint.checksOwnInput && { body: endpoint.body }),
    response,
  };
}

/** How Fastify has requests checked and answers written. */
export function schemaCompilers(compile: (schema: Schema, mode?: ValidationMode) => Validator) {
  return {
    buildValidator:
      () =>
      ({ schema, httpPart }: { schema: unknown; httpPart?: string }) => {
        const check = compile(schema as Schema, httpPart === 'body' ? 'exact' : 'text');
        return (value: unknown) => {
          const found = check(value);
          return found.length === 0 ? { value } : { error: validationFailed(found) };
        };
      },
    buildSerializer:
      () =>
      ({ schema }: { schema: unknown }) =>
        createSerializer(schema as Schema),
  };
}

/** Who calls, whether they may, and whether not too often. Runs before a byte of the body is read. */
async function admit(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  around: Surroundings,
): Promise<void> {
  if (endpoint.access === 'admin') {
    const token = bearerToken(request);
    if (token === undefined || !sameSecret(token, around.adminToken)) {
      throw new AppError('UNAUTHORIZED', {
        message: 'This call needs the admin token of the server.',
        hint: 'It stands in server.json in the data directory; the command line finds it there by itself.',
      });
    }
  }
  if (endpoint.access === 'bearer') {
    const caller = await callerOf(request, reply, around);
    if (!around.isInside(request)) around.rateLimiter.count(caller.client_id, reply);
    if (endpoint.scope && !caller.scopes.includes(endpoint.scope)) {
      throw new AppError('INSUFFICIENT_SCOPE', {
        message: `This call needs the scope ${endpoint.scope}.`,
        details: { required_scope: endpoint.scope, granted_scopes: caller.scopes },
        hint: 'Log in again and ask for that scope.',
      });
    }
    request.caller = caller;
  }
  refuseOtherTypes(endpoint, request);
}

/** Whoever cannot say who they are is counted by where they come from. */
async function callerOf(request: FastifyRequest, reply: FastifyReply, around: Surroundings): Promise<Caller> {
  const token = bearerToken(request);
  try {
    if (token !== undefined) return await around.authenticate.bearer(token);
  } catch (error) {
    around.rateLimiter.count(`anonymous ${addressOf(request)}`, reply);
    throw error;
  }
  around.rateLimiter.count(`anonymous ${addressOf(request)}`, reply);
  throw new AppError('UNAUTHORIZED', {
    message: 'The request has no access token.',
    hint: 'Send the header Authorization: Bearer <access token>.',
  });
}

const jsonAlone = ['application/json'];

/** A form where JSON is meant would be a write that another page can make a browser send without asking first. */
function refuseOtherTypes(endpoint: Endpoint, request: FastifyRequest): void {
  const header = request.headers['content-type'];
  const supported: readonly string[] = endpoint.bodyTypes ?? jsonAlone;
  if (!endpoint.body || header === undefined || supported.includes(header)) return;
  if (supported.includes(header.split(';', 1)[0]!.trim().toLowerCase())) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', { details: { supported } });
}

/** Runs the handler, or gives the answer it gave the first time that this key came. */
async function answerOnce(
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: AnyHandler,
  input: unknown,
  around: Surroundings,
): Promise<Answer> {
  const attempt = await around.idempotency({
    key,
    clientId: request.caller?.client_id ?? '',
    path: request.url.split('?', 1)[0]!,
    body: request.body,
    audio: request.upload?.audio.sha256,
  });
  try {
    if (attempt.replay) {
      reply.header('Idempotency-Replayed', 'true');
      return attempt.replay;
    }
    return (await handler(input, new RequestCall(request, reply, around, attempt))) as Answer;
  } finally {
    attempt.end();
  }
}

/** Status and headers go to the reply; the payload is given back, for Fastify to send. */
function payloadOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  clock: Clock,
): unknown {
  reply.code(answer.status);
  if (answer.headers) reply.headers(answer.headers);
  if (endpoint.answer !== 'envelope') return answer.data;
  // A whole number: specification 2.7.
  const elapsed = Math.round(reply.elapsedTime);
  reply.header('X-Processing-Time', String(elapsed));
  if (!answer.headers || !reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
  return {
    success: true,
    data: answer.data,
    meta: { request_id: request.id, timestamp: isoNow(clock), processing_time_ms: elapsed },
  };
}

function rawPayload(reply: FastifyReply, output: RawOutput): unknown {
  reply.code(output.status).headers(output.headers);
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
  const { body } = output;
  if (body === null || typeof body === 'string') return body ?? '';
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return body instanceof Readable ? body : Readable.from(body, { objectMode: false });
}
