/** The typed client, made from the contract: `client.jobs.get({ params: { id } })`. */
import type { BodyType, Endpoint, Group, Input, Method } from '../contract/endpoint.ts';
import { AppError } from '../contract/errors.ts';
import { contract } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import type { TypeOf } from '../contract/schema.ts';
import type { Meta } from '../contract/shared.ts';
import { backoffDelay } from '../domain/backoff.ts';
import type { Clock } from '../domain/clock.ts';
import { pause } from '../domain/pause.ts';
import type { Interruption } from '../domain/pause.ts';
import { buildAddress, formEncode, normaliseServer } from './address.ts';
import { readError, readJson } from './answer.ts';
import { isLasting } from './transient.ts';
import { isForm } from './transport.ts';
import type { IncomingAnswer, OutgoingFile, OutgoingRequest, Transport } from './transport.ts';
import { elementAt } from '../domain/elements.ts';

/** A request that the client is about to repeat. */
export interface Retry {
  /** 1 for the first repetition. */
  readonly attempt: number;
  readonly limit: number;
  /** Milliseconds until the repetition. */
  readonly delay: number;
  readonly error: AppError;
}

export interface RetryRules {
  /** The largest number of repetitions. */
  readonly limit: number;
  /** Milliseconds: the first and the longest delay that the client chooses by itself. */
  readonly base: number;
  readonly max: number;
  /** Milliseconds. A `Retry-After` that asks for more ends the call instead. */
  readonly patience: number;
}

/** Patience is a little more than the minute of the documented rate limit (specification, section 8). */
export const defaultRetryRules: RetryRules = { limit: 3, base: 500, max: 20_000, patience: 75_000 };

export interface ClientOptions {
  readonly transport: Transport;
  /** Base URL of the server; the contract's paths follow it. */
  readonly server: string;
  readonly clock: Clock;
  /** A number from 0 to 1, new at each call. */
  readonly random: () => number;
  /** A fresh UUID: the Idempotency-Key of a call that has none. */
  readonly uuid: () => string;
  /** The access token for `bearer` calls. */
  readonly token?: () => Promise<string>;
  /** After a 401, once: a token other than the one that was refused. */
  readonly refresh?: (refused: string) => Promise<string>;
  /** The token for `admin` calls. */
  readonly adminToken?: () => Promise<string>;
  readonly retry?: Partial<RetryRules>;
  readonly onRetry?: (retry: Retry) => void;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly signal?: Interruption;
  /** The largest number of repetitions; default: the client's own rules. */
  readonly retries?: number;
}

/** An answer that is not JSON: a file or a stream. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

type JsonResult<E extends Endpoint> = {
  [S in keyof E['responses'] & number]: {
    readonly status: S;
    readonly data: TypeOf<E['responses'][S]>;
    readonly meta: E['answer'] extends 'envelope' ? Meta : undefined;
    readonly headers: Readonly<Record<string, string>>;
  };
}[keyof E['responses'] & number];

export type CallResult<E extends Endpoint> = E['answer'] extends readonly string[] ? RawAnswer : JsonResult<E>;

/** A part without required keys is optional. */
type OptionalIfEmpty<T> = { readonly [K in keyof T as {} extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as {} extends T[K] ? K : never]?: T[K];
};

/** The caller's input; if the endpoint takes audio, `file` streams it. */
export type CallInput<E extends Endpoint> = TypedInput<E> | SerialisedInput<E>;

type TypedInput<E extends Endpoint> = OptionalIfEmpty<DefinedFields<Input<E>>> &
  (E extends { readonly takesAudio: true } ? { readonly file?: OutgoingFile } : unknown);

/** The same input with a body that is already JSON. */
type SerialisedInput<E extends Endpoint> = E extends { readonly body: object }
  ? Omit<TypedInput<E>, 'body' | 'file'> & Required<Pick<AnyInput, 'json'>>
  : never;

type DefinedFields<T> = { readonly [K in keyof T as T[K] extends undefined ? never : K]: T[K] };

export type ClientCall<E extends Endpoint> =
  {} extends CallInput<E>
    ? (input?: CallInput<E>, options?: CallOptions) => Promise<CallResult<E>>
    : (input: CallInput<E>, options?: CallOptions) => Promise<CallResult<E>>;

/** The same input, untyped: for calls whose endpoint is known only at run time. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The body as serialised JSON; bytes are UTF-8. */
  readonly json?: string | Uint8Array;
  readonly file?: OutgoingFile;
}

export type AnyResult =
  | RawAnswer
  | { status: number; data: unknown; meta: Meta | undefined; headers: RawAnswer['headers'] };

export type Client = {
  readonly [G in keyof Contract]: {
    readonly [K in keyof Contract[G]['endpoints']]: Contract[G]['endpoints'][K] extends Endpoint
      ? ClientCall<Contract[G]['endpoints'][K]>
      : never;
  };
};

/** Calls any endpoint. */
export type Caller = (endpoint: Endpoint, input?: AnyInput, options?: CallOptions) => Promise<AnyResult>;

/** The client of a server. Every call throws AppError: the server's own, or NETWORK, BAD_ANSWER, INTERRUPTED. */
export function createClient(options: ClientOptions): Client {
  const call = createCaller(options);
  const groups = Object.entries(contract as Readonly<Record<string, Group>>).map(([name, { endpoints }]) => [
    name,
    Object.fromEntries(
      Object.entries(endpoints).map(([verb, endpoint]) => [
        verb,
        (input?: AnyInput, callOptions?: CallOptions) => call(endpoint, input, callOptions),
      ]),
    ),
  ]);
  return Object.fromEntries(groups) as Client;
}

export function createCaller(options: ClientOptions): Caller {
  const base = normaliseServer(options.server);
  return async (endpoint, input = {}, callOptions = {}) => {
    const request = buildRequest(options, base, endpoint, input, callOptions);
    const rules = { ...defaultRetryRules, ...options.retry };
    const limit = callOptions.retries ?? rules.limit;
    const answer = await sendPatiently(options, base, endpoint, request, { ...rules, limit });
    if (Array.isArray(endpoint.answer)) return { status: answer.status, headers: answer.headers, body: answer.body };
    return readJson(answer, endpoint.answer, endpoint.responses, { base, now: options.clock.now() });
  };
}

function buildRequest(
  options: ClientOptions,
  base: string,
  endpoint: Endpoint,
  input: AnyInput,
  { headers, idempotencyKey, signal }: CallOptions,
): OutgoingRequest {
  const { type, body } = buildBody(endpoint, input);
  return {
    method: endpoint.method,
    url: buildAddress(base, endpoint.path, input),
    headers: {
      accept:
        typeof endpoint.answer === 'string' ? 'application/json' : [...endpoint.answer, 'application/json'].join(', '),
      ...options.headers,
      ...lowerCased(headers),
      ...(type !== undefined && { 'content-type': type }),
      ...(endpoint.idempotent && { 'idempotency-key': idempotencyKey ?? options.uuid() }),
    },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  };
}

const lowerCased = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function buildBody(
  endpoint: Endpoint,
  { body, json, file }: AnyInput,
): { type?: BodyType; body?: OutgoingRequest['body'] } {
  if (file !== undefined) {
    if (!endpoint.takesAudio) throw new AppError('USAGE', { message: 'This call takes no file.' });
    const type = elementAt(endpoint.bodyTypes ?? [], 0);
    if (type === 'application/octet-stream') return { type, body: file.open() };
    return { body: { fields: textFields(Object(body ?? {}) as object), file, part: 'audio' } };
  }
  if (json !== undefined) return { type: 'application/json', body: json };
  if (body === undefined) return {};
  const types = endpoint.bodyTypes ?? ['application/json'];
  if (body instanceof Uint8Array || isStream(body)) return { type: elementAt(types, 0), body };
  return types.includes('application/json')
    ? { type: 'application/json', body: JSON.stringify(body) }
    : { type: 'application/x-www-form-urlencoded', body: formEncode(body as Record<string, unknown>) };
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Text parts of a form; other values go as JSON. */
const textFields = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

const safeMethods: readonly Method[] = ['GET'];

/** Whether a request sent twice has the effect of one (RFC 9110 9.2.2, or by its Idempotency-Key). */
const isRepeatable = (endpoint: Endpoint): boolean =>
  safeMethods.includes(endpoint.method) || endpoint.idempotent === true;

const canBeSentAgain = ({ body }: OutgoingRequest): boolean =>
  body === undefined ||
  typeof body === 'string' ||
  body instanceof Uint8Array ||
  (isForm(body) && body.file.once !== true);

/**
 * Whether the client may repeat the request after this error. A refused quota and this API's own 503 did nothing
 * (contract: "nothing half-done"); after a lost connection, a 503 of an unknown source, or one that says that the
 * outcome is unknown, only a repeatable request is safe.
 */
function deservesRetry(error: AppError, endpoint: Endpoint): boolean {
  if (error.code === 'NETWORK') return isRepeatable(endpoint);
  if (error.status === 429) return true;
  if (error.status !== 503 || isLasting(error)) return false;
  return !unknownOutcomes.has(error.code) || isRepeatable(endpoint);
}

const unknownOutcomes: ReadonlySet<string> = new Set(['BAD_ANSWER', 'OUTCOME_UNKNOWN']);

async function sendPatiently(
  options: ClientOptions,
  base: string,
  endpoint: Endpoint,
  request: OutgoingRequest,
  rules: RetryRules,
): Promise<IncomingAnswer> {
  const { clock, random, onRetry } = options;
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendAuthorized(options, base, endpoint, request).catch((error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    });
    if (!(outcome instanceof AppError)) return outcome;
    if (attempt > rules.limit || !canBeSentAgain(request) || !deservesRetry(outcome, endpoint)) throw outcome;
    const own = backoffDelay(attempt, { ...rules, factor: 2, random });
    const delay = Math.max(own, (outcome.retryAfter ?? 0) * 1000);
    if (delay > rules.patience) throw outcome;
    onRetry?.({ attempt, limit: rules.limit, delay, error: outcome });
    await pause(clock, delay, request.signal);
  }
}

async function sendAuthorized(
  options: ClientOptions,
  base: string,
  endpoint: Endpoint,
  request: OutgoingRequest,
): Promise<IncomingAnswer> {
  const token = await tokenFor(options, endpoint);
  const first = await send(options, base, endpoint, request, token);
  if (!(first instanceof AppError)) return first;
  const { refresh } = options;
  if (
    first.status !== 401 ||
    endpoint.access !== 'bearer' ||
    token === undefined ||
    !refresh ||
    !canBeSentAgain(request)
  ) {
    throw first;
  }
  const second = await send(options, base, endpoint, request, await refresh(token));
  if (second instanceof AppError) throw second;
  return second;
}

async function tokenFor({ token, adminToken }: ClientOptions, { access }: Endpoint): Promise<string | undefined> {
  if (access === 'bearer') {
    if (!token) throw new AppError('LOGIN_REQUIRED');
    return token();
  }
  if (access === 'admin') {
    if (!adminToken) {
      throw new AppError('FORBIDDEN', {
        message: 'Only the operator of the server may do this, on the computer where it runs.',
      });
    }
    return adminToken();
  }
  return undefined;
}

async function send(
  { transport, clock }: ClientOptions,
  base: string,
  endpoint: Endpoint,
  request: OutgoingRequest,
  token: string | undefined,
): Promise<IncomingAnswer | AppError> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await transport({ ...request, headers: { ...request.headers, ...authorization } });
  const declared = Object.hasOwn(endpoint.responses, answer.status);
  // A part of a file is a separate success (RFC 9110 15.3.7).
  if (declared || (answer.status >= 200 && answer.status < 300)) return answer;
  return readError(answer, { base, now: clock.now() });
}
