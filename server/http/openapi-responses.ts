/** The answers of an endpoint for the OpenAPI document: each status that can happen, with its body and its headers. */
import { streamTypes } from '../../src/contract/endpoint.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { errors } from '../../src/contract/errors.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { answerHeaders } from '../../src/contract/headers.ts';
import type { AnswerHeader, Header } from '../../src/contract/headers.ts';
import { OAuthErrorBody } from '../../src/contract/oauth.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { envelope, ErrorEnvelope } from '../../src/contract/shared.ts';

export type Json = Record<string, unknown>;
export type Refer = (schema: JsonSchema) => JsonSchema | { $ref: string };

/** Status → what it says. */
export function describeResponses(endpoint: Endpoint, refer: Refer): Json {
  return {
    ...successes(endpoint, refer),
    ...failures(endpoint, refer),
    default: { $ref: '#/components/responses/Unread' },
  };
}

/** Refusals of Node's parser, for any request. */
export const unreadResponse = (refer: Refer): Json => ({
  description:
    'The request was refused before the server knew what it asks: 408 it took too long to arrive, 431 its headers are too large.',
  ...describeHeaders(everyAnswer, []),
  content: errorContent(refer),
});

const errorContent = (refer: Refer): Json => ({ 'application/json': { schema: refer(ErrorEnvelope) } });

/**
 * Headers that an answer always has, and those that it has at times. A header has one form everywhere, as generators
 * want it, so that the answer says which are always there.
 */
const describeHeaders = (always: readonly AnswerHeader[], atTimes: readonly AnswerHeader[]): DescribedHeaders => ({
  headers: Object.fromEntries([...always, ...atTimes].map((name) => [name, headerReference(name)])),
  'x-always': [...new Set(always)],
});

interface DescribedHeaders {
  readonly headers: Json;
  readonly 'x-always': readonly AnswerHeader[];
}

/** The headers by name. Required are those that no answer lacks. */
export const describeEachHeader = (): Json =>
  Object.fromEntries(
    Object.entries<Header>(answerHeaders).map(([name, { required: _, ...header }]) => [
      name,
      { ...header, ...(everyAnswer.some((each) => each === name) && { required: true }) },
    ]),
  );

const headerReference = (name: AnswerHeader): Json => ({ $ref: `#/components/headers/${name}` });

const everyAnswer = ['X-Request-Id', 'X-Processing-Time'] as const;

const rateLimit = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const;

/** A server may have no limit. */
const limitOf = ({ access, fixed }: Endpoint): readonly AnswerHeader[] =>
  access === 'bearer' || fixed ? rateLimit : [];

function successes(endpoint: Endpoint, refer: Refer): Json {
  const { takesRange, idempotent, fixed, headers: own } = endpoint;
  const headers = (status: string): DescribedHeaders => {
    const listed = own?.[Number(status) as 200] ?? [];
    const always = listed.filter((name): name is AnswerHeader => !name.endsWith('?'));
    const atTimes = listed.filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1) as AnswerHeader);
    return describeHeaders(
      [
        ...everyAnswer,
        ...always,
        ...(fixed ? (['ETag'] as const) : []),
        ...(takesRange ? (['Accept-Ranges'] as const) : []),
      ],
      [...limitOf(endpoint), ...atTimes, ...(idempotent ? (['Idempotency-Replayed'] as const) : [])],
    );
  };
  const answers: Record<string, Json & DescribedHeaders> = Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, data]) => [
      status,
      { ...success(endpoint, status, data, refer), ...headers(status) },
    ]),
  );
  if (fixed) return { ...answers, 304: { description: 'You have this answer already.', ...headers('304') } };
  const { 200: whole } = answers;
  if (!takesRange || !whole) return answers;
  const part = {
    headers: { ...whole.headers, 'Content-Range': headerReference('Content-Range') },
    'x-always': [...whole['x-always'], 'Content-Range'],
  };
  return {
    ...answers,
    206: { ...whole, description: 'The part that `Range` asks for.', ...part },
    416: { description: 'The file has no byte of that range.', ...part },
  };
}

function success(endpoint: Endpoint, status: string, data: JsonSchema, refer: Refer): Json {
  const { answer } = endpoint;
  const description = data.description ?? endpoint.summary;
  if (typeof answer !== 'string') {
    const schemaOf = (type: string) => (/[/+]json\b/.test(type) ? (endpoint.jsonAnswer ?? data) : data);
    const content = Object.fromEntries(answer.map((type) => [type, { schema: refer(schemaOf(type)) }]));
    return { description, ...(status !== '303' && { content }) };
  }
  const examples = endpoint.examples?.responses?.[Number(status) as 200];
  return {
    description,
    content: {
      'application/json': {
        schema: answer === 'envelope' ? refer(envelope(data)) : refer(data),
        ...(examples && answer === 'envelope' && { examples: examplesOf(enveloped(examples)) }),
      },
    },
  };
}

export const examplesOf = (examples: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [name.replaceAll(/[^\w.-]+/g, '_'), { summary: name, value }]),
  );

const exampleMeta = {
  request_id: 'req_01JNBK4V9Q0000000000000000',
  timestamp: '2026-03-02T11:30:00.000Z',
  processing_time_ms: 2,
};

const enveloped = (examples: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(examples).map(([name, data]) => [name, { success: true, data, meta: exampleMeta }]),
  );

/** RFC 6749 5.2, and what concerns the request as such. */
const oauthFailures = {
  400: 'RFC 6749 5.2',
  401: 'invalid_client',
  403: 'The Host or the Origin is not that of this server',
  413: 'The request is too large',
  415: 'The content type is not supported',
  429: 'Too many wrong secrets or assertions',
  500: 'server_error',
  503: 'temporarily unavailable',
} as const;

/** The authorization endpoint reports its errors by a redirect or a page. */
const isPageAlone = ({ access, checksOwnInput }: Endpoint): boolean => access === 'public' && checksOwnInput === true;

/** Codes that endpoints of an access can always give, and those of their features. */
function codesOf(endpoint: Endpoint): ErrorCode[] {
  return [
    // A request has one Host, and comes from no other origin.
    'VALIDATION_FAILED',
    'FORBIDDEN',
    'INTERNAL_ERROR',
    // The server looks up in the store whose token it is; a simulation has the server busy.
    ...(endpoint.access === 'public' ? [] : (['STORAGE_UNAVAILABLE'] as const)),
    ...(endpoint.access === 'bearer' ? (['UNAUTHORIZED', 'RATE_LIMIT_EXCEEDED', 'SERVER_BUSY'] as const) : []),
    ...(endpoint.fixed ? (['RATE_LIMIT_EXCEEDED'] as const) : []),
    ...(endpoint.access === 'admin' ? (['UNAUTHORIZED'] as const) : []),
    ...(endpoint.scope ? (['INSUFFICIENT_SCOPE'] as const) : []),
    // A body is read even where none is asked for, but not that of a GET.
    ...(endpoint.method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(endpoint.method === 'GET' || endpoint.access === 'public' ? [] : (['OUTCOME_UNKNOWN'] as const)),
    ...(endpoint.method === 'GET' || isStream(endpoint) ? [] : (['INVALID_JSON'] as const)),
    ...(endpoint.idempotent ? (['REQUEST_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(endpoint.errors ?? []),
  ];
}

const isStream = ({ bodyTypes = [] }: Endpoint): boolean => streamTypes.some((type) => bodyTypes.includes(type));

function failures(endpoint: Endpoint, refer: Refer): Json {
  if (endpoint.access === 'client') return clientFailures(refer);
  if (isPageAlone(endpoint)) return pageFailures(refer);
  const byStatus = new Map<number, Set<ErrorCode>>();
  const add = (status: number, code: ErrorCode) => byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  for (const code of codesOf(endpoint)) add(errors[code].status ?? 500, code);
  if (endpoint.versioned) add(412, 'VERSION_CONFLICT');
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: [...codes].join(', '),
          ...failureHeaders(status, codes, endpoint),
          content: errorContent(refer),
        },
      ]),
  );
}

function failureHeaders(status: number, codes: ReadonlySet<ErrorCode>, endpoint: Endpoint): DescribedHeaders {
  const saysWhen = status === 429 || status === 503;
  const challenges = codes.has('INSUFFICIENT_SCOPE');
  return describeHeaders(
    [
      ...everyAnswer,
      ...(saysWhen ? (['Retry-After'] as const) : []),
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ],
    [
      ...limitOf(endpoint),
      ...(codes.has('REQUEST_IN_PROGRESS') || codes.has('JOB_NOT_FINISHED') ? (['Retry-After'] as const) : []),
      ...(challenges ? (['WWW-Authenticate'] as const) : []),
    ],
  );
}

function clientFailures(refer: Refer): Json {
  const content = { 'application/json': { schema: refer(OAuthErrorBody) } };
  const headers = (status: number) =>
    describeHeaders(
      [...everyAnswer, ...(status === 429 || status === 503 ? (['Retry-After'] as const) : [])],
      status === 401 ? ['WWW-Authenticate'] : [],
    );
  return Object.fromEntries(
    Object.entries(oauthFailures).map(([status, description]) => [
      status,
      { description, ...headers(Number(status)), content },
    ]),
  );
}

function pageFailures(refer: Refer): Json {
  const headers = describeHeaders(everyAnswer, []);
  const page = { 'text/html': { schema: { type: 'string' } } };
  const json = errorContent(refer);
  return {
    400: { description: 'An error page; VALIDATION_FAILED', ...headers, content: { ...page, ...json } },
    403: { description: 'FORBIDDEN', ...headers, content: json },
    500: { description: 'INTERNAL_ERROR', ...headers, content: json },
  };
}
