/**
 * Remembers the calls that reached the server lately. What is noted of a call is no more than references to what is there
 * anyway, bodies as their bytes or text: the objects of a batch would outlive it by hundreds of calls, and the collector would
 * copy each. It is parsed and redacted when somebody looks.
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
    /** The text of `answered`. */
    written: string | undefined;
  }
}

/** Bytes of a message that is kept, at most. */
const longestMessage = 16 * 1024;

/** What is noted of a call. */
interface Noted {
  readonly number: number;
  /** ms since 1970. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly endpoint: Endpoint | undefined;
  readonly caller: Caller | undefined;
  readonly refusal: string | undefined;
  /** The faults that struck the call. */
  readonly fault: string | undefined;
  readonly status: number | undefined;
  readonly elapsed: number;
  readonly requestId: string;
  readonly query: unknown;
  readonly requestBytes: number | null;
  readonly answerBytes: number | null;
  /** `undefined` where the call has been followed by many others, or is none of a test client. */
  messages: Messages | undefined;
}

interface Messages {
  readonly headers: Headers;
  /** JSON; `undefined` where there is none, or a large one, or one that a handler read while it arrived. */
  readonly body: Buffer | undefined;
  readonly answerHeaders: Headers;
  /** JSON. */
  readonly answer: string | undefined;
}

type Headers = Readonly<Record<string, unknown>>;

/** A request as it came, to be made again. */
interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | undefined;
}

export interface Inspector {
  /** The newest first. */
  list(wish: { after?: number; limit?: number; client_id?: string; outcome?: 'allowed' | 'refused' }): InspectedCall[];
  get(number: number): InspectedMessages | undefined;
  /** Makes the call again and gives the number of the new one; `undefined` where the server does not have the whole request. */
  replay(number: number): Promise<number | undefined>;
  /** Tells of each call from now on, until the function that is returned is called. */
  follow(listener: (call: InspectedCall) => void): () => void;
}

/** `fastify` makes calls again. */
export function createInspector(fastify: FastifyInstance, calls: WatchedCalls): Inspector {
  const ring: Noted[] = [];
  const listeners = createListeners<[call: InspectedCall]>();
  let newest = 0;

  const note = ({ request, reply, endpoint, at, status, elapsed }: EndedCall): void => {
    if (!isWatched(endpoint, request.url)) return;
    const { caller } = request;
    const { headers } = request.raw;
    const number = ++newest;
    const noted: Noted = {
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
      requestBytes: headers['transfer-encoding'] === undefined ? (lengthOf(headers['content-length']) ?? 0) : null,
      answerBytes: lengthOf(reply.getHeader('content-length')),
      messages: caller?.test_mode
        ? { headers, body: keptBody(request), answerHeaders: reply.getHeaders(), answer: keptAnswer(request) }
        : undefined,
    };
    ring[number % rememberedCalls] = noted;
    const outdated = ring[(number - rememberedBodies) % rememberedCalls];
    if (outdated) outdated.messages = undefined;
    if (listeners.size > 0) listeners.notify(shownCall(noted));
  };

  fastify.decorateRequest('written', undefined);
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    if (request.answered !== undefined) request.written = payload as string;
    done(null, payload);
  });
  calls.onEnd(note);

  const find = (number: number): Noted | undefined => {
    const noted = ring[number % rememberedCalls];
    return noted?.number === number ? noted : undefined;
  };

  /** The number of the new call. A call whose connection is cut off has one as well. */
  const makeAgain = ({ method, url, headers, payload }: Recorded): Promise<number> =>
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
        calls.push(shownCall(noted));
      }
      return calls;
    },
    get(number) {
      const noted = find(number);
      return noted && shownMessages(noted);
    },
    async replay(number) {
      const noted = find(number);
      const request = noted && recordedOf(noted);
      return request && makeAgain(request);
    },
    follow: listeners.add,
  };
}

/** Calls about calls, and of monitors, which would push out all others. */
const unwatched: ReadonlySet<Endpoint> = new Set([
  ...Object.values(contract.inspector.endpoints),
  contract.system.endpoints.health,
  contract.system.endpoints.ready,
]);

/** Calls of the API, and what was meant as one; not the files of the app. */
const isWatched = (endpoint: Endpoint | undefined, url: string): boolean =>
  endpoint ? !unwatched.has(endpoint) : url.startsWith('/api/');

const keptBody = ({ json }: FastifyRequest): Buffer | undefined =>
  json !== undefined && json.length <= longestMessage ? json : undefined;

/** `undefined` where a body that was left unread is no JSON. */
function valueIn(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

const keptAnswer = ({ written }: FastifyRequest): string | undefined =>
  written !== undefined && written.length <= longestMessage ? written : undefined;

const decisionOf = ({ refusal, status }: Noted): string =>
  refusal ?? (status === undefined ? 'cut_off' : status < 400 ? 'allowed' : String(status));

/** `null` where the header says none. */
const lengthOf = (header: unknown): number | null => {
  const length = Number(header ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : null;
};

function shownCall(noted: Noted): InspectedCall {
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

function shownMessages(noted: Noted): InspectedMessages {
  const { endpoint, messages } = noted;
  return {
    ...shownCall(noted),
    request: messages
      ? {
          headers: redactHeaders(messages.headers),
          body: redact(messages.body && valueIn(messages.body), endpoint?.body) ?? null,
        }
      : null,
    answer: messages
      ? {
          headers: redactHeaders(messages.answerHeaders),
          body: answerOf(noted, messages.answer && JSON.parse(messages.answer)) ?? null,
        }
      : null,
    replayable: recordedOf(noted) !== undefined,
  };
}

function answerOf({ endpoint, status, refusal }: Noted, body: unknown): unknown {
  if (refusal !== undefined || !endpoint) return redactFailure(body, endpoint);
  const data = (endpoint.responses as Readonly<Record<number, JsonSchema | undefined>>)[status ?? 0];
  return redact(body, data && (endpoint.answer === 'envelope' ? envelope(data) : data));
}

/** Headers with which a request is made again. */
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

function recordedOf({ method, url, endpoint, messages, requestBytes }: Noted): Recorded | undefined {
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
