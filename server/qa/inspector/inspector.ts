/**
 * Keeps the most recent calls of the server. A call is stored as references to existing data, bodies as bytes or text: parsed
 * objects would outlive their batch by hundreds of calls, and cost the garbage collector. They are parsed and redacted when
 * somebody views them.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isEventStream } from '../../../src/contract/endpoint.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { contract } from '../../../src/contract/index.ts';
import { rememberedBodies, rememberedCalls } from '../../../src/contract/inspector.ts';
import type { InspectedCall, InspectedMessages } from '../../../src/contract/inspector.ts';
import { envelope } from '../../../src/contract/shared.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import type { Caller } from '../../http/call.ts';
import type { EndedCall, WatchedCalls } from '../../http/watched-calls.ts';
import { parseJson } from '../../http/plugins/json-body.ts';
import { redact, redactFailure, redactHeaders, redactParameter, redactPath } from './redact.ts';
import { textBefore } from '../../../src/domain/text-before.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The serialised `answered`. */
    written: string | undefined;
  }
}

/** Maximum size of a stored message in bytes. */
const maxMessageBytes = 16 * 1024;

/** The stored data of a call. */
interface CallRecord {
  readonly number: number;
  /** ms since 1970. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly endpoint: Endpoint | undefined;
  readonly caller: Caller | undefined;
  readonly refusal: string | undefined;
  /** Names of faults that struck the call. */
  readonly fault: string | undefined;
  readonly status: number | undefined;
  readonly elapsed: number;
  readonly requestId: string;
  readonly query: unknown;
  readonly requestBytes: number | null;
  readonly answerBytes: number | null;
  /** `undefined`: the call is too old, or not from a test client. */
  messages: Messages | undefined;
}

interface Messages {
  readonly headers: Headers;
  /** JSON; `undefined`: none, too large, or consumed by a handler as a stream. */
  readonly body: Buffer | undefined;
  readonly answerHeaders: Headers;
  /** JSON. */
  readonly answer: string | undefined;
}

type Headers = Readonly<Record<string, unknown>>;

/** A stored request that can be repeated. */
interface StoredRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | undefined;
}

export interface Inspector {
  /** Newest first. */
  list(wish: { after?: number; limit?: number; client_id?: string; outcome?: 'allowed' | 'refused' }): InspectedCall[];
  get(number: number): InspectedMessages | undefined;
  /** Repeats the call and returns the number of the new one; `undefined`: the whole request is not stored. */
  replay(number: number): Promise<number | undefined>;
  /** Calls the listener for each new call, until the returned function is called. */
  follow(listener: (call: InspectedCall) => void): () => void;
}

/** `fastify` repeats calls. */
export function createInspector(fastify: FastifyInstance, calls: WatchedCalls): Inspector {
  const ring: CallRecord[] = [];
  const listeners = createListeners<[call: InspectedCall]>();
  let newest = 0;

  const note = ({ request, reply, endpoint, at, status, elapsed }: EndedCall): void => {
    if (!isWatched(endpoint, request.url)) return;
    const { caller } = request;
    const { headers } = request.raw;
    const number = ++newest;
    const noted: CallRecord = {
      number,
      at,
      method: request.method,
      url: request.url,
      endpoint,
      caller,
      refusal: request.refusal,
      status,
      fault: request.strike?.names,
      elapsed,
      requestId: request.id,
      query: request.url.includes('?') ? request.query : undefined,
      requestBytes: headers['transfer-encoding'] === undefined ? (parseLength(headers['content-length']) ?? 0) : null,
      answerBytes: parseLength(reply.getHeader('content-length')),
      messages: caller?.test_mode
        ? { headers, body: selectBody(request), answerHeaders: reply.getHeaders(), answer: selectAnswer(request) }
        : undefined,
    };
    ring[number % rememberedCalls] = noted;
    const outdated = ring[(number - rememberedBodies) % rememberedCalls];
    if (outdated) outdated.messages = undefined;
    if (listeners.size > 0) listeners.notify(toInspectedCall(noted));
  };

  fastify.decorateRequest('written', undefined);
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    if (request.answered !== undefined) request.written = payload as string;
    done(null, payload);
  });
  calls.onEnd(note);

  const find = (number: number): CallRecord | undefined => {
    const noted = ring[number % rememberedCalls];
    return noted?.number === number ? noted : undefined;
  };

  /** Resolves to the number of the new call, even if its connection is cut off. */
  const repeatCall = ({ method, url, headers, payload }: StoredRequest): Promise<number> =>
    new Promise((resolve) => {
      const id = `replay-${randomUUID()}`;
      const leave = listeners.add(({ request_id, number }) => {
        if (request_id !== id) return;
        leave();
        resolve(number);
      });
      void fastify
        .inject({
          method: method as 'POST',
          url,
          headers: { ...headers, 'x-request-id': id },
          ...(payload !== undefined && { payload }),
        })
        .catch(() => undefined);
    });

  return {
    list({ after = 0, limit = 50, client_id, outcome }) {
      const calls: InspectedCall[] = [];
      for (let number = newest; number > after && calls.length < limit; number--) {
        const noted = find(number);
        if (!noted) break;
        const isAllowed = decisionOf(noted) === 'allowed';
        if (client_id !== undefined && noted.caller?.client_id !== client_id) continue;
        if (outcome !== undefined && (outcome === 'allowed') !== isAllowed) continue;
        calls.push(toInspectedCall(noted));
      }
      return calls;
    },
    get(number) {
      const noted = find(number);
      return noted && toInspectedMessages(noted);
    },
    async replay(number) {
      const noted = find(number);
      const request = noted && toStoredRequest(noted);
      return request && repeatCall(request);
    },
    follow: listeners.add,
  };
}

/** Calls of the inspector and of monitoring, which would displace all others. */
const unwatched: ReadonlySet<Endpoint> = new Set([
  ...Object.values(contract.inspector.endpoints),
  contract.system.endpoints.health,
  contract.system.endpoints.ready,
]);

/** Calls to API paths, existing or not, but not files of the app. */
const isWatched = (endpoint: Endpoint | undefined, url: string): boolean =>
  endpoint ? !unwatched.has(endpoint) : url.startsWith('/api/');

const selectBody = ({ json }: FastifyRequest): Buffer | undefined =>
  json !== undefined && json.length <= maxMessageBytes ? json : undefined;

/** `undefined`: a body that was not read is not JSON. */
function parseBody(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

const selectAnswer = ({ written }: FastifyRequest): string | undefined =>
  written !== undefined && written.length <= maxMessageBytes ? written : undefined;

const decisionOf = ({ refusal, status }: CallRecord): string =>
  refusal ?? (status === undefined ? 'cut_off' : status < 400 ? 'allowed' : String(status));

/** `null`: the header has none. */
const parseLength = (header: unknown): number | null => {
  const length = Number(header ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : null;
};

function toInspectedCall(noted: CallRecord): InspectedCall {
  const { endpoint, caller } = noted;
  const query = isPlainObject(noted.query) ? noted.query : {};
  const parameters = endpoint?.query?.properties ?? {};
  return {
    number: noted.number,
    at: new Date(noted.at).toISOString(),
    method: noted.method,
    path: redactPath(textBefore(noted.url, '?')),
    query: Object.fromEntries(
      Object.entries(query)
        .filter(([name]) => Object.hasOwn(parameters, name))
        .map(([name, value]) => [name, redactParameter(value, parameters[name], name)]),
    ),
    client_id: caller?.client_id ?? null,
    scope: endpoint?.scope ?? null,
    test_mode: caller?.test_mode ?? false,
    decision: decisionOf(noted),
    fault: noted.fault ?? null,
    status: noted.status ?? null,
    duration_ms: Math.round(10 * noted.elapsed) / 10,
    request_id: noted.requestId,
    request_bytes: noted.requestBytes,
    answer_bytes: noted.answerBytes,
  };
}

function toInspectedMessages(noted: CallRecord): InspectedMessages {
  const { endpoint, messages } = noted;
  return {
    ...toInspectedCall(noted),
    request: messages
      ? {
          headers: redactHeaders(messages.headers),
          body: redact(messages.body && parseBody(messages.body), endpoint?.body) ?? null,
        }
      : null,
    answer: messages
      ? {
          headers: redactHeaders(messages.answerHeaders),
          body: redactAnswer(noted, messages.answer && JSON.parse(messages.answer)) ?? null,
        }
      : null,
    replayable: toStoredRequest(noted) !== undefined,
  };
}

function redactAnswer({ endpoint, status, refusal }: CallRecord, body: unknown): unknown {
  if (refusal !== undefined || !endpoint) return redactFailure(body, endpoint);
  const data = (endpoint.responses as Readonly<Record<number, JsonSchema | undefined>>)[status ?? 0];
  return redact(body, data && (endpoint.answer === 'envelope' ? envelope(data) : data));
}

/** Headers of a repeated request. */
const replayedHeaders = [
  'host',
  'authorization',
  'content-type',
  'accept',
  'accept-language',
  'if-match',
  'idempotency-key',
  'x-laudio-simulate',
] as const;

function toStoredRequest({ method, url, endpoint, messages, requestBytes }: CallRecord): StoredRequest | undefined {
  if (!messages || !endpoint || isEventStream(endpoint)) return undefined;
  const { headers, body } = messages;
  const type = headers['content-type'];
  const isJson = type === undefined || /^application\/json\b/.test(String(type));
  if (requestBytes !== 0 && (body === undefined || !isJson)) return undefined;
  return {
    method,
    url,
    headers: Object.fromEntries(
      replayedHeaders.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
    ),
    payload: requestBytes === 0 ? undefined : body,
  };
}
