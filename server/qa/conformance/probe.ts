/** Calls a service, and records how its answers deviate from the contract. */
import { buildAddress } from '../../../src/client/address.ts';
import type { Form, IncomingAnswer, Transport } from '../../../src/client/transport.ts';
import type { Endpoint, Group, Method } from '../../../src/contract/endpoint.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { contract } from '../../../src/contract/index.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { pause } from '../../../src/domain/pause.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { AnswerCheck, Part } from './answers.ts';

/** A deviation from the contract. */
export interface Deviation {
  /** `GET /api/v1/jobs`. */
  readonly endpoint: string;
  /** Name of the flow. */
  readonly check: string;
  readonly expected: string;
  readonly found: string;
  /** Section of the interface specification, or `extension`. */
  readonly section: string;
  readonly request_id: string | null;
}

export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Text instead of a JSON body, with its media type. */
  readonly raw?: { readonly type: string; readonly text: string };
  readonly form?: Form;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the token of the check, if the endpoint requires one. */
  readonly token?: string | null;
  readonly method?: Method | 'HEAD';
  /** A path without an endpoint. */
  readonly path?: string;
}

export interface Expectation {
  readonly status: number | readonly number[];
  readonly code?: ErrorCode;
}

export interface Observation {
  readonly endpoint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** `data` of the envelope; empty if there is none. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether the status was expected. */
  readonly ok: boolean;
}

export interface ProbeOptions {
  readonly transport: Transport;
  /** Base URL. */
  readonly server: string;
  readonly token: () => Promise<string>;
  readonly check: AnswerCheck;
  readonly clock: Clock;
  /** Milliseconds after which an answer is slow. */
  readonly patience: number;
  readonly signal?: AbortSignal;
  readonly onCall?: (endpoint: string) => void;
}

export interface Probe {
  readonly deviations: readonly Deviation[];
  /** Number of calls so far. */
  readonly calls: number;
  readonly options: ProbeOptions;
  /** Names the flow of the following calls. */
  begin(check: string): void;
  ask(endpoint: Endpoint, asking: CallInput, expected: Expectation): Promise<Observation>;
  /** Records a deviation if the condition is false. */
  expect(holds: boolean, seen: Observation, expected: string, found: string, section?: string): void;
  /** All answers to calls with a token, for checks across answers. */
  readonly seen: readonly Observation[];
}

/** Sections of the interface specification for groups of calls, and for parts of all answers. */
const groupSections: Readonly<Record<string, string>> = {
  oauth: '4.1, 5',
  worklists: '4.2, 2.1–2.5',
  records: '4.3',
  jobs: '4.4, 3.1',
};
const partSections: Readonly<Record<Part, string>> = { status: '7', header: '7, 8', body: '2.7' };

const groupOf = new Map(
  Object.entries(contract as Readonly<Record<string, Group>>).flatMap(([name, { endpoints }]) =>
    Object.values(endpoints).map((endpoint) => [endpoint, name] as const),
  ),
);

export function findSection(endpoint: Endpoint, part?: Part): string {
  const own = endpoint.extension ? 'extension' : (groupSections[groupOf.get(endpoint) ?? ''] ?? 'extension');
  return part === undefined || (part === 'body' && own !== 'extension') ? own : `${partSections[part]}; ${own}`;
}

/** Maximum wait for a rate limit, in ms. */
const maxWait = 75_000;
const maxBody = 64 * 1024 * 1024;
/** Maximum of equal deviations: a defect in every answer is reported only so often. */
const maxEqual = 3;

function buildRequest(
  server: string,
  endpoint: Endpoint,
  asking: CallInput,
  signal: ProbeOptions['signal'],
): Parameters<ProbeOptions['transport']>[0] {
  const { params, query, body, raw, form, headers, token, method = endpoint.method, path = endpoint.path } = asking;
  return {
    method: method as Method,
    url: buildAddress(server, path, { ...(params && { params }), ...(query && { query }) }),
    headers: {
      accept: '*/*',
      ...(token != null && { authorization: `Bearer ${token}` }),
      ...(raw ? { 'content-type': raw.type } : body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(form ? { body: form } : raw ? { body: raw.text } : body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

export function createProbe(options: ProbeOptions): Probe {
  const { transport, server, clock, check, patience, signal } = options;
  const deviations: Deviation[] = [];
  const seenAnswers: Observation[] = [];
  const kinds = new Map<string, number>();
  let checking = '';
  let calls = 0;

  const record = (deviation: Omit<Deviation, 'check'>): void => {
    const kind = `${deviation.endpoint} ${deviation.expected} ${deviation.found}`;
    const count = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, count);
    if (count <= maxEqual) deviations.push({ ...deviation, check: checking });
  };

  async function send(
    endpoint: Endpoint,
    asking: CallInput,
  ): Promise<{ answer: IncomingAnswer; text: string; ms: number }> {
    const { method = endpoint.method, path = endpoint.path } = asking;
    const token = asking.token === undefined && endpoint.access === 'bearer' ? await options.token() : asking.token;
    calls += 1;
    options.onCall?.(`${method} ${path}`);
    const started = clock.elapsed();
    const answer = await transport(buildRequest(server, endpoint, { ...asking, token: token ?? null }, signal));
    const text = answer.headers['content-type']?.startsWith('text/event-stream') ? '' : await answer.text(maxBody);
    return { answer, text, ms: clock.elapsed() - started };
  }

  /** Repeats the call after a rate limit, which is no deviation. */
  async function sendPatiently(endpoint: Endpoint, asking: CallInput, statuses: readonly number[]) {
    for (let left = 3; ; left--) {
      const got = await send(endpoint, asking);
      const wait = Number(got.answer.headers['retry-after']) * 1000;
      const isLimit = got.answer.status === 429 && !statuses.includes(429) && wait <= maxWait && left > 0;
      if (!isLimit) return got;
      await pause(clock, Math.max(wait, 100), signal);
    }
  }

  async function ask(endpoint: Endpoint, asking: CallInput, expected: Expectation): Promise<Observation> {
    const { method = endpoint.method, path = endpoint.path } = asking;
    const name = `${method} ${path}`;
    const statuses = [expected.status].flat();
    const wanted = `${statuses.join(' or ')}${expected.code ? ` ${expected.code}` : ''}`;
    let got: Awaited<ReturnType<typeof send>>;
    try {
      got = await sendPatiently(endpoint, asking, statuses);
    } catch (error) {
      // If even the first call fails, there is no service.
      if (!(error instanceof AppError) || error.code === 'INTERRUPTED' || calls === 1) throw error;
      record({
        endpoint: name,
        expected: wanted,
        found: `no answer: ${error.message}`,
        section: findSection(endpoint, 'status'),
        request_id: null,
      });
      return { endpoint: name, status: 0, headers: {}, body: undefined, data: {}, ok: false };
    }
    const { answer, text, ms } = got;
    const body = parseBody(text);
    const { error, data } = Object(body) as { error?: unknown; data?: unknown };
    const code = (Object(error) as { code?: unknown }).code;
    const isStatus = statuses.includes(answer.status);
    const ok = isStatus && (expected.code === undefined || code === expected.code);
    const context = { endpoint: name, request_id: answer.headers['x-request-id']?.slice(0, 128) ?? null };
    if (!ok) {
      const found = `${answer.status}${typeof code === 'string' ? ` ${code.slice(0, 60)}` : ''}`;
      record({ ...context, expected: wanted, found, section: findSection(endpoint, 'status') });
    }
    if (ms > patience)
      record({
        ...context,
        expected: `an answer within ${patience / 1000} s`,
        found: `${Math.round(ms / 100) / 10} s`,
        section: 'none: --slow says it',
      });
    if (ok && !isEventAnswer(answer)) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
        encodeURIComponent(String(asking.params?.[param] ?? 'x')),
      );
      for (const { part, problem } of check({
        method,
        path: filled,
        status: answer.status,
        headers: answer.headers,
        body: text,
      }))
        record({
          ...context,
          expected: 'as the contract describes',
          found: problem,
          section: findSection(endpoint, part),
        });
    }
    const seen = {
      endpoint: name,
      status: answer.status,
      headers: answer.headers,
      body,
      data: isPlainObject(data) ? data : {},
      ok,
    };
    if (endpoint.access === 'bearer' && path.startsWith('/api/v1/') && asking.token === undefined)
      seenAnswers.push(seen);
    return seen;
  }

  return {
    deviations,
    get calls() {
      return calls;
    },
    options,
    seen: seenAnswers,
    begin: (name) => void (checking = name),
    ask,
    expect(holds, seen, expected, found, section = '7') {
      // The consequence of an unexpected status is no separate deviation.
      if (holds || !seen.ok) return;
      record({ endpoint: seen.endpoint, expected, found, section, request_id: seen.headers['x-request-id'] ?? null });
    },
  };
}

const isEventAnswer = ({ headers }: IncomingAnswer): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true;

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
