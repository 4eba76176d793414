/**
 * Registers routes for a group of the contract and its handlers. Everything that endpoints share is done here, once:
 * authorization, scope, rate limit, validation, idempotency, the envelope, and serialisation by the contract's schema,
 * so that an undeclared field never leaves.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { isEventStream, streamTypes } from '../../src/contract/endpoint.ts';
import type { Endpoint, Group, Handlers, RawOutput } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { object } from '../../src/contract/schema.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { envelope } from '../../src/contract/shared.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Answer, Call, Caller, Upload } from './call.ts';
import { findSenderAddress } from './client-address.ts';
import { readOperator } from './inside.ts';
import { sameSecret } from '../runtime/secrets.ts';
import { processingTime } from './plugins/answer-headers.ts';
import type { Attempt, IdempotentRequest } from './plugins/idempotency.ts';
import type { RateLimiter } from './plugins/rate-limit.ts';
import { bearerToken, getHeader, RequestCall } from './request-call.ts';
import type { CallSurroundings } from './request-call.ts';
import type { SearchPlaces } from './search-places.ts';
import { createSerializer } from './serialisation.ts';
import type { ValidationMode, Validator } from '../runtime/validation.ts';
import { textBefore } from '../../src/domain/text-before.ts';
import { findEntry } from '../../src/domain/find-entry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The audio of the request; the audio parsers set it. */
    upload: Upload | undefined;
    caller: Caller | undefined;
    /** The user who makes a call of the operator on a page of this server; `null`: whoever has the admin token. */
    operator: string | null | undefined;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/** The services of the server that routes need. */
export interface Surroundings extends CallSurroundings {
  readonly clock: Clock;
  readonly adminToken: string;
  /** The token of a monitor; `undefined`: there is none. */
  readonly monitorToken?: string | undefined;
  readonly rateLimiter: RateLimiter;
  /** The reason why this server doesn't have the call; `undefined`: it has all calls. */
  readonly refuse?: ((endpoint: Endpoint) => AppError | undefined) | undefined;
  /** Whether this process itself makes the call; such calls have no quota. */
  readonly isInside: (request: FastifyRequest) => boolean;
  readonly idempotency: (request: IdempotentRequest) => Promise<Attempt>;
  readonly searches: SearchPlaces;
}

type AnyHandler = (input: unknown, call: Call) => Promise<Answer | RawOutput>;

/**
 * Registers a route for each endpoint of the group that `select` accepts. The first call of the group loads its handlers, so
 * that no start waits for them. `app` decides which types of body are parsed.
 */
export function implement<G extends Group>(
  app: FastifyInstance,
  group: G,
  load: () => Promise<Handlers<G, Call>>,
  around: Surroundings,
  select: (endpoint: Endpoint) => boolean = () => true,
): void {
  let loading: Promise<Record<string, AnyHandler>> | undefined;
  for (const [name, endpoint] of Object.entries(group.endpoints)) {
    if (!select(endpoint)) continue;
    let loaded: AnyHandler | undefined;
    const find = async (): Promise<AnyHandler> => {
      loading ??= (load() as Promise<Record<string, AnyHandler>>).catch((error: unknown) => {
        // The next call loads them again.
        loading = undefined;
        throw error;
      });
      loaded = findEntry(await loading, name);
      if (!loaded) throw new Error(`The endpoint ${name} has no handler.`);
      return loaded;
    };
    // Each promise around another one costs a call about a microsecond.
    const handler: AnyHandler = (input, call) =>
      loaded ? loaded(input, call) : find().then((found) => found(input, call));
    route(app, endpoint, handler, around);
  }
}

function route(app: FastifyInstance, endpoint: Endpoint, handler: AnyHandler, around: Surroundings): void {
  const isRaw = Array.isArray(endpoint.answer);
  const isStream = isEventStream(endpoint);
  const takesClientInBody = namesClientInBody(endpoint);
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: findSchema(endpoint),
    ...(endpoint.ownLists && {
      serializerCompiler: ({ schema }) => createSerializer(schema as Schema, { ownLists: true }),
    }),
    config: { endpoint },
    exposeHeadRoute: endpoint.method === 'GET' && !isStream,
    ...(endpoint.bodyLimit !== undefined && { bodyLimit: endpoint.bodyLimit }),
    onRequest: async (request, reply) => {
      await admit(endpoint, request, reply, around);
      if (endpoint.access === 'admin' && readsWhileItArrives(endpoint)) liftArrivalLimit(request);
      if (!takesClientInBody && around.faults.mayMeet(endpoint, request))
        await meetFaults(endpoint, request, reply, around);
    },
    onSend: (request, reply, payload, done) => {
      if (!request.strike) return done(null, payload);
      const struck = around.faults.answer(endpoint, request.strike, reply, payload);
      // Where the connection was cut, Fastify has nothing more to do.
      if (struck) done(null, struck.payload);
    },
    ...(endpoint.bodyIsOptional && {
      preValidation: async (request) => {
        // A body that is the JSON `null` is one, and refused.
        if (request.body === undefined) request.body = {};
      },
    }),
    handler: async (request, reply) => {
      if (takesClientInBody && around.faults.mayMeet(endpoint, request))
        await meetFaults(endpoint, request, reply, around);
      if (reply.sent) return reply;
      const input = { params: request.params, query: request.query, body: request.body };
      // A stream ends with its connection; a connection kept alive would delay the stop of the server.
      if (isStream) reply.header('Connection', 'close');
      if (isRaw) {
        const output = (await handler(input, new RequestCall(request, reply, around))) as RawOutput;
        request.shows = output.shows;
        return rawPayload(reply, output);
      }
      if (isSearch(endpoint, input.query)) return search(endpoint, request, reply, handler, input, around);
      const key = endpoint.idempotent ? getHeader(request, 'idempotency-key') : undefined;
      const answer =
        key === undefined
          ? ((await handler(input, new RequestCall(request, reply, around))) as Answer)
          : await answerOnce(key, request, reply, handler, input, around);
      return buildPayload(endpoint, request, reply, answer, around.clock);
    },
  });
}

/** Every listing that looks for words takes them as `q`. */
const isSearch = (endpoint: Endpoint, query: unknown): boolean =>
  endpoint.query?.properties?.['q'] !== undefined && (query as { q?: unknown }).q !== undefined;

async function search(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: AnyHandler,
  input: unknown,
  around: Surroundings,
): Promise<unknown> {
  const { client_id = '', user = null } = request.caller ?? {};
  const call = new RequestCall(request, reply, around);
  const find = () => handler(input, call) as Promise<Answer>;
  const answer = await around.searches(`${client_id} ${user?.id}`, find, call.signal);
  return buildPayload(endpoint, request, reply, answer, around.clock);
}

/** The same for all servers of the process, which share what is compiled of it. */
const schemas = new WeakMap<Endpoint, FastifySchema>();

function findSchema(endpoint: Endpoint): FastifySchema {
  const known = schemas.get(endpoint) ?? buildSchema(endpoint);
  schemas.set(endpoint, known);
  return known;
}

function buildSchema(endpoint: Endpoint): FastifySchema {
  const response: Record<string, Schema> = {};
  if (!Array.isArray(endpoint.answer)) {
    for (const [status, data] of Object.entries(endpoint.responses)) {
      response[status] = endpoint.answer === 'envelope' ? envelope(data) : data;
    }
  }
  return {
    ...(endpoint.params && { params: endpoint.params }),
    ...querySchema(endpoint),
    ...(endpoint.body && !endpoint.checksOwnInput && !readsWhileItArrives(endpoint) && { body: endpoint.body }),
    response,
  };
}

const noParameters = object({});

/**
 * Unknown query parameters are refused in the API alone. FHIR ignores them (3.1.1.4), OAuth demands it (RFC 6749 3.1) and checks its
 * input itself, and monitors and proxies add theirs.
 */
function querySchema({ path, query, checksOwnInput }: Endpoint): FastifySchema {
  if (path.startsWith('/api/v1/')) return { querystring: query ?? noParameters };
  return query && !checksOwnInput ? { querystring: { ...query, additionalProperties: true } } : {};
}

/** Whether the handler reads the body while it arrives. */
const readsWhileItArrives = ({ bodyTypes = [] }: Endpoint): boolean =>
  streamTypes.some((type) => bodyTypes.includes(type));

/** The servers whose limit is lifted: how many requests need that, and the limit in ms. */
const lifted = new WeakMap<object, { readonly limit: number; requests: number }>();

/** A backup arrives as fast as the store takes it: a large one needs hours. Node has one limit for all requests of a server. */
function liftArrivalLimit({ raw, server: { server } }: FastifyRequest): void {
  const present = lifted.get(server) ?? { limit: server.requestTimeout, requests: 0 };
  lifted.set(server, present);
  present.requests += 1;
  server.requestTimeout = 0;
  raw.once('close', () => {
    present.requests -= 1;
    if (present.requests === 0) server.requestTimeout = present.limit;
  });
}

/** The compilers by which Fastify validates requests and serialises answers. */
export function schemaCompilers(compile: (schema: Schema, mode?: ValidationMode) => Validator) {
  return {
    buildValidator:
      () =>
      ({ schema, httpPart }: { schema: unknown; httpPart?: string }) => {
        const check = compile(schema as Schema, httpPart === 'body' ? 'exact' : 'text');
        return (value: unknown) => {
          const problems = check(value);
          return problems.length === 0 ? { value } : { error: validationFailed(problems) };
        };
      },
    buildSerializer:
      () =>
      ({ schema }: { schema: unknown }) =>
        createSerializer(schema as Schema),
  };
}

/** Whether the form names the client that a fault may strike: the token endpoint reads it first. */
const namesClientInBody = ({ access }: Endpoint): boolean => access === 'client';

async function meetFaults(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { faults }: Surroundings,
): Promise<void> {
  await faults.meet(endpoint, request, reply, bearerToken(request));
}

/** Checks the token, the rate limit, the scope and the content type. Runs before any byte of the body is read. */
async function admit(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  around: Surroundings,
): Promise<void> {
  if (endpoint.access === 'admin') {
    const token = bearerToken(request);
    const others = endpoint.takesMonitor && around.monitorToken !== undefined ? [around.monitorToken] : [];
    if (token === undefined || ![around.adminToken, ...others].some((known) => sameSecret(token, known))) {
      throw new AppError('UNAUTHORIZED', {
        message: 'This call needs the admin token of the server.',
        hint: 'The token is in server.json in the data directory; the command line reads it from there by itself.',
      });
    }
  }
  if (endpoint.access === 'admin' && around.isInside(request)) request.operator = readOperator(request);
  const refusal = around.refuse?.(endpoint);
  if (refusal) throw refusal;
  if (endpoint.fixed && !around.isInside(request)) {
    await around.rateLimiter.count(`anonymous ${findSenderAddress(request)}`, reply);
  }
  if (endpoint.access === 'bearer') {
    const caller = (request.caller = await authenticateCaller(request, reply, around));
    if (!around.isInside(request))
      await around.rateLimiter[endpoint.takesLiveSound ? 'show' : 'count'](caller.client_id, reply);
    if (endpoint.scope && !caller.scopes.includes(endpoint.scope)) {
      throw new AppError('INSUFFICIENT_SCOPE', {
        message: `This call needs the scope ${endpoint.scope}.`,
        details: { required_scope: endpoint.scope, granted_scopes: caller.scopes },
        hint: 'Log in again and ask for that scope.',
      });
    }
  }
  checkContentType(endpoint, request);
}

/** Authenticates the caller. Counts requests without a valid token against the rate limit of their address. */
async function authenticateCaller(request: FastifyRequest, reply: FastifyReply, around: Surroundings): Promise<Caller> {
  const token = bearerToken(request);
  try {
    if (token !== undefined) return await around.authenticate.bearer(token);
  } catch (error) {
    await around.rateLimiter.count(`anonymous ${findSenderAddress(request)}`, reply);
    throw error;
  }
  await around.rateLimiter.count(`anonymous ${findSenderAddress(request)}`, reply);
  throw new AppError('UNAUTHORIZED', {
    message: 'The request has no access token.',
    hint: 'Send the header Authorization: Bearer <access token>.',
  });
}

const jsonAlone = ['application/json'];

/** Whether the whole body is a recording, whose content says what it is. */
const isRecording = ({ takesAudio, bodyTypes = [] }: Endpoint): boolean =>
  takesAudio === true && bodyTypes.includes('application/octet-stream');

/** Refuses other content types: another page can make a browser send a form without a preflight, and so could write. */
function checkContentType(endpoint: Endpoint, request: FastifyRequest): void {
  const header = request.headers['content-type'];
  const supported: readonly string[] = endpoint.bodyTypes ?? jsonAlone;
  if (!endpoint.body || header === undefined || supported.includes(header)) return;
  const type = textBefore(header, ';').trim().toLowerCase();
  if (supported.includes(type) || (isRecording(endpoint) && type.startsWith('audio/'))) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', { details: { supported } });
}

/** Runs the handler, or returns the stored answer of the first request with this key. */
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
    path: textBefore(request.url, '?'),
    query: request.query,
    body: request.json ?? request.body,
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

/** Sets status and headers on the reply; returns the payload for Fastify to send. */
function buildPayload(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  clock: Clock,
): unknown {
  reply.code(answer.status);
  if (answer.headers) reply.headers(answer.headers);
  if (endpoint.answer !== 'envelope') return answer.data;
  // Specification 2.7 demands a whole number.
  const elapsed = processingTime(request, clock);
  reply.header('X-Processing-Time', String(elapsed));
  if (!answer.headers || !reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
  return (request.answered = {
    success: true,
    data: answer.data,
    meta: { request_id: request.id, timestamp: isoNow(clock), processing_time_ms: elapsed },
  });
}

function rawPayload(reply: FastifyReply, output: RawOutput): unknown {
  reply.code(output.status).headers(output.headers);
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
  const { body } = output;
  if (output.status === 304) return reply.send();
  if (body === null || typeof body === 'string') return body ?? '';
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return body instanceof Readable ? body : Readable.from(body, { objectMode: false });
}
