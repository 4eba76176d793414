/** The contract as an OpenAPI 3.1 document. Schemas with a title become components. */
import { messageTypes } from '../../src/contract/endpoint.ts';
import type { Endpoint, Group } from '../../src/contract/endpoint.ts';
import { eventTypes, WebhookEvent } from '../../src/contract/events.ts';
import { answerHeaders, requestHeaders, webhookHeaderForms } from '../../src/contract/headers.ts';
import type { RequestHeader } from '../../src/contract/headers.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { webhooks } from '../../src/contract/webhook.ts';
import { worklists } from '../../src/contract/worklist.ts';
import { examplesOf, describeResponses, unreadResponse } from './openapi-responses.ts';
import type { Json, Refer } from './openapi-responses.ts';
import { contract } from '../../src/contract/index.ts';
import { createFixedContent } from '../../src/node/http/fixed-content.ts';
import type { FixedContent } from '../../src/node/http/fixed-content.ts';

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
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.values(groups).map(({ title, description }) => ({ name: title, description })),
    paths,
    webhooks: Object.fromEntries(
      Object.entries(eventTypes).map(([type, meaning]) => [type, { post: describeWebhook(type, meaning, refer) }]),
    ),
    components: {
      schemas: components,
      headers: answerHeaders,
      responses: { Unread: unreadResponse(refer) },
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
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A valid access token that has the scope, however you got it; `laudio token` prints one.',
        },
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

function operation(operationId: string, tag: string, endpoint: Endpoint, refer: Refer): Json {
  const parameters = [
    ...describeParameters('path', endpoint.params, refer),
    ...describeParameters('query', endpoint.query, refer),
    ...describeHeaders(endpoint),
  ];
  return {
    operationId,
    tags: [tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    ...(endpoint.extension && { 'x-extension': true }),
    security: describeSecurity(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: requestBody(endpoint, endpoint.body, refer) }),
    responses: describeResponses(endpoint, refer),
  };
}

function describeSecurity({ access, scope }: Endpoint): Json[] {
  if (access === 'public') return [];
  // Either is enough: a tool that knows no OAuth is given a token, and the scope is that of the token.
  if (access === 'bearer') return [{ oauth: scope ? [scope] : [] }, { bearer: [] }];
  return [{ [access]: [] }];
}

function describeParameters(place: 'path' | 'query', schema: JsonSchema | undefined, refer: Refer): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || (schema?.required ?? []).includes(name),
    ...(description !== undefined && { description }),
    schema: refer(property),
  }));
}

/** Request headers that do something for this endpoint. */
function describeHeaders(endpoint: Endpoint): Json[] {
  const names: RequestHeader[] = [
    ...(endpoint.idempotent ? (['Idempotency-Key'] as const) : []),
    ...(endpoint.path === worklists.endpoints.ingest.path ? (['X-Source-System'] as const) : []),
    ...(endpoint.versioned ? (['If-Match'] as const) : []),
    ...(endpoint.fixed ? (['If-None-Match'] as const) : []),
    ...(endpoint.takesRange ? (['Range', 'If-Range'] as const) : []),
    ...(endpoint.access === 'bearer' ? (['X-Laudio-Simulate'] as const) : []),
  ];
  return names.map((name) => ({ name, in: 'header', required: false, ...requestHeaders[name] }));
}

/** A request that the service sends to the webhook of a partner application. */
const describeWebhook = (type: string, meaning: string, refer: Refer): Json => ({
  operationId: `webhook.${type}`,
  tags: [webhooks.title],
  summary: `${type}: ${meaning}`,
  description:
    'Signed as in Standard Webhooks: verify the signature before you read the body. Events may come twice, and in another order than they happened.',
  'x-extension': true,
  security: [],
  parameters: Object.entries(webhookHeaderForms).map(([name, form]) => ({
    name,
    in: 'header',
    required: true,
    ...form,
  })),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { allOf: [refer(WebhookEvent), { type: 'object', properties: { type: { const: type } } }] },
      },
    },
  },
  responses: {
    '2XX': { description: 'You have the event. The body of your answer is not read.' },
    410: { description: 'You want no more events: the webhook is turned off.' },
    default: { description: 'You do not have it. The service sends it again, later and later, for three days.' },
  },
});

function requestBody(endpoint: Endpoint, body: JsonSchema, refer: Refer): Json {
  const content: Json = {};
  for (const type of endpoint.bodyTypes ?? ['application/json']) {
    content[type] = {
      schema: Object.hasOwn(messageTypes, type)
        ? { type: 'string', description: 'One message or several, as the RIS sends them.' }
        : type === 'multipart/form-data'
          ? multipartOf(body)
          : refer(body),
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

/** Replaces titled schemas by references to components, all the way down. */
function hoist(schema: JsonSchema, components: Json): JsonSchema | { $ref: string } {
  const inner = inlined(schema, components);
  if (schema.title === undefined) return inner;
  components[schema.title] ??= inner;
  return { $ref: `#/components/schemas/${schema.title}` };
}

function inlined(schema: JsonSchema, components: Json): JsonSchema {
  const down = (inner: JsonSchema) => hoist(inner, components) as JsonSchema;
  const {
    'x-error-code': _code,
    'x-error-message': _message,
    'x-max-weight': _weight,
    'x-commas': _commas,
    ...rest
  } = schema;
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

/** The document of this program, as everybody gets it. */
export const describeApi = (version: string): FixedContent =>
  createFixedContent(() => JSON.stringify(openapiDocument(contract, version)), {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-cache',
  });
