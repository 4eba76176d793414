/** The contract as an OpenAPI 3.1 document. Schemas with a title become components. */
import type { Endpoint, Group } from '../../src/contract/endpoint.ts';
import { errors } from '../../src/contract/errors.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { OAuthErrorBody } from '../../src/contract/oauth.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { envelope, ErrorEnvelope } from '../../src/contract/shared.ts';
import { worklists } from '../../src/contract/worklist.ts';

type Json = Record<string, unknown>;

/** Makes the document of every endpoint of the groups; `version` is the version of the program. */
export function openapiDocument(groups: Readonly<Record<string, Group>>, version: string): Json {
  const components: Json = {};
  const refer = (schema: JsonSchema) => hoist(schema, components);
  const paths: Record<string, Json> = {};
  for (const [groupName, group] of Object.entries(groups)) {
    for (const [name, endpoint] of Object.entries(group.endpoints)) {
      const path = (paths[endpoint.path] ??= {});
      path[endpoint.method.toLowerCase()] = operation(`${groupName}.${name}`, group.title, endpoint, refer);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Laudio',
      version,
      summary: 'Medical transcription and worklist service',
      description:
        'Imaging systems (RIS, PACS) send worklist items. Physicians dictate, and the service makes a structured medical record of the audio or text. `x-extension` marks what goes beyond the interface specification.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.values(groups).map(({ title, description }) => ({ name: title, description })),
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: '/api/oauth/authorize',
              tokenUrl: '/api/oauth/token',
              refreshUrl: '/api/oauth/token',
              scopes: scopeWords,
            },
            clientCredentials: { tokenUrl: '/api/oauth/token', scopes: scopeWords },
          },
        },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Any valid access token.' },
        client: {
          type: 'http',
          scheme: 'basic',
          description:
            'Client id and client secret. The body may carry them instead, or an assertion that the key of the client signed.',
        },
        admin: {
          type: 'http',
          scheme: 'bearer',
          description: 'The admin token, which the server writes to its data directory.',
        },
      },
    },
  };
}

/** Scope → what it allows. */
const scopeWords = Object.fromEntries(Object.entries(scopes).map(([scope, words]) => [scope, words.en]));

type Refer = (schema: JsonSchema) => JsonSchema | { $ref: string };

function operation(operationId: string, tag: string, endpoint: Endpoint, refer: Refer): Json {
  const parameters = [
    ...parametersOf('path', endpoint.params, refer),
    ...parametersOf('query', endpoint.query, refer),
    ...headersOf(endpoint),
  ];
  return {
    operationId,
    tags: [tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    ...(endpoint.extension && { 'x-extension': true }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: requestBody(endpoint, endpoint.body, refer) }),
    responses: { ...successes(endpoint, refer), ...failures(endpoint, refer) },
  };
}

function securityOf({ access, scope }: Endpoint): Json[] {
  if (access === 'public') return [];
  if (access === 'bearer') return [{ oauth: scope ? [scope] : [] }];
  return [{ [access]: [] }];
}

function parametersOf(place: 'path' | 'query', schema: JsonSchema | undefined, refer: Refer): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || (schema?.required ?? []).includes(name),
    ...(description !== undefined && { description }),
    schema: refer(property),
  }));
}

function headersOf(endpoint: Endpoint): Json[] {
  const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  });
  return [
    ...(endpoint.idempotent
      ? [
          header(
            'Idempotency-Key',
            'A UUID of your own for this request. If you send the request again within 24 hours, the answer is the first one and nothing happens twice. Default: every request counts.',
          ),
        ]
      : []),
    ...(endpoint.path === worklists.endpoints.ingest.path
      ? [header('X-Source-System', 'Identifier of the sending RIS or PACS; the items show it as `source_system`.')]
      : []),
    ...(endpoint.versioned && endpoint.method !== 'GET'
      ? [
          header(
            'If-Match',
            'The `ETag` that you read. The call is refused with 412 where somebody has changed it since. Default: no check.',
          ),
        ]
      : []),
  ];
}

function requestBody(endpoint: Endpoint, body: JsonSchema, refer: Refer): Json {
  const content: Json = {};
  for (const type of endpoint.bodyTypes ?? ['application/json']) {
    content[type] = {
      schema: type === 'multipart/form-data' ? multipartOf(body) : refer(body),
      ...(endpoint.examples?.body && type === 'application/json' && { examples: examplesOf(endpoint.examples.body) }),
    };
  }
  return { required: endpoint.bodyIsOptional !== true, content };
}

/** The same fields, the audio as a file part. */
const multipartOf = (body: JsonSchema): Json => ({
  type: 'object',
  properties: {
    ...body.properties,
    audio: {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: body.properties?.['audio']?.description,
    },
  },
});

const examplesOf = (examples: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [name.replaceAll(/[^\w.-]+/g, '_'), { summary: name, value }]),
  );

function successes(endpoint: Endpoint, refer: Refer): Json {
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, data]) => [status, success(endpoint, status, data, refer)]),
  );
}

function success(endpoint: Endpoint, status: string, data: JsonSchema, refer: Refer): Json {
  const { answer } = endpoint;
  if (typeof answer !== 'string') {
    const content = Object.fromEntries(answer.map((type) => [type, { schema: refer(data) }]));
    return { description: data.description ?? endpoint.summary, ...(status !== '303' && { content }) };
  }
  const examples = endpoint.examples?.responses?.[Number(status) as 200];
  return {
    description: data.description ?? endpoint.summary,
    content: {
      'application/json': {
        schema: answer === 'envelope' ? refer(envelope(data)) : refer(data),
        ...(examples && answer === 'envelope' && { examples: examplesOf(enveloped(examples)) }),
      },
    },
  };
}

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
    ...(endpoint.answer === 'envelope' || typeof endpoint.answer !== 'string' ? (['INTERNAL_ERROR'] as const) : []),
    ...(endpoint.access === 'bearer' ? (['UNAUTHORIZED', 'RATE_LIMIT_EXCEEDED'] as const) : []),
    ...(endpoint.access === 'admin' ? (['UNAUTHORIZED'] as const) : []),
    ...(endpoint.scope ? (['INSUFFICIENT_SCOPE'] as const) : []),
    ...(endpoint.params || endpoint.query || endpoint.body ? (['VALIDATION_FAILED'] as const) : []),
    ...(endpoint.body ? (['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    // The server looks up in the store whose token it is.
    ...(endpoint.access === 'public' ? [] : (['STORAGE_UNAVAILABLE'] as const)),
    ...(endpoint.idempotent ? (['REQUEST_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(endpoint.errors ?? []),
  ];
}

function failures(endpoint: Endpoint, refer: Refer): Json {
  if (endpoint.access === 'client') {
    const content = { 'application/json': { schema: refer(OAuthErrorBody) } };
    return Object.fromEntries(
      Object.entries(oauthFailures).map(([status, description]) => [status, { description, content }]),
    );
  }
  if (isPageAlone(endpoint)) {
    const content = { 'application/json': { schema: refer(ErrorEnvelope) } };
    return {
      400: { description: 'An error page', content: { 'text/html': { schema: { type: 'string' } } } },
      500: { description: 'INTERNAL_ERROR', content },
    };
  }
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(endpoint)) {
    const status = errors[code].status;
    if (status !== null) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  if (endpoint.versioned && endpoint.method !== 'GET') byStatus.set(412, ['VERSION_CONFLICT']);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      { description: codes.join(', '), content: { 'application/json': { schema: refer(ErrorEnvelope) } } },
    ]),
  );
}

/** Replaces titled schemas by references to components, all the way down. */
function hoist(schema: JsonSchema, components: Json): JsonSchema | { $ref: string } {
  const inner = inlined(schema, components);
  if (schema.title === undefined) return inner;
  components[schema.title] ??= inner;
  return { $ref: `#/components/schemas/${schema.title}` };
}

function inlined(schema: JsonSchema, components: Json): JsonSchema {
  const down = (inner: JsonSchema) => hoist(inner, components) as JsonSchema;
  const { 'x-error-code': _code, 'x-error-message': _message, 'x-max-weight': _weight, ...rest } = schema;
  return {
    ...rest,
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, down(inner)])),
    }),
    ...(schema.items && { items: down(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(down) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(down) }),
  };
}
