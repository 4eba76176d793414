/** The contract as an OpenAPI 3.1 document. Schemas with a title become components. */
import { messageTypes } from '../../src/contract/endpoint.ts';
import type { Endpoint, Group } from '../../src/contract/endpoint.ts';
import { eventTypes, WebhookEvent } from '../../src/contract/events.ts';
import { requestHeaders, webhookHeaderForms } from '../../src/contract/headers.ts';
import type { RequestHeader } from '../../src/contract/headers.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { worklists } from '../../src/contract/worklist.ts';
import { examplesOf, describeEachHeader, describeResponses, unreadResponse } from './openapi-responses.ts';
import type { Json, Refer } from './openapi-responses.ts';
import { contract } from '../../src/contract/index.ts';
import { createFixedContent } from '../../src/node/http/fixed-content.ts';
import type { FixedContent } from '../../src/node/http/fixed-content.ts';

/**
 * Makes the document of every endpoint of the groups; `version` is the version of the program. Generators of clients read it,
 * so it keeps to what all of them understand (test/server/http/openapi-for-generators.test.ts).
 */
export function openapiDocument(
  groups: Readonly<Record<string, Group>>,
  version: string,
  { hasWebhooks = true }: { readonly hasWebhooks?: boolean } = {},
): Json {
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
    tags: [
      ...Object.values(groups).map(({ title, description }) => ({ name: title, description })),
      ...(hasWebhooks ? [webhookTag] : []),
    ],
    paths,
    ...(hasWebhooks && {
      webhooks: Object.fromEntries(
        Object.entries(eventTypes).map(([type, meaning]) => [type, { post: describeWebhook(type, meaning, refer) }]),
      ),
    }),
    components: {
      schemas: components,
      headers: describeEachHeader(),
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
        client_basic: {
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
  return [{ [access === 'client' ? 'client_basic' : access]: [] }];
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

/** Apart from the calls that register webhooks: a generator makes one file of a tag, and these would replace those. */
const webhookTag = { name: 'Webhook events', description: 'What the service sends to the webhook of an application.' };

/** A request that the service sends to the webhook of a partner application. */
const describeWebhook = (type: string, meaning: string, refer: Refer): Json => ({
  operationId: `webhook.${type}`,
  tags: [webhookTag.name],
  summary: `${type}: ${meaning}`,
  description:
    'Signed as in Standard Webhooks: verify the signature before you read the body. Events may come twice, and in another order than they happened.',
  'x-extension': true,
  // No client calls it: OpenAPI Generator leaves it out then, where its Python would not compile.
  'x-internal': true,
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
        ? messageSchema(type)
        : // If the schema of a form is another one than that of the JSON, most generators make a client that doesn't compile.
          refer(body),
      ...(endpoint.examples?.body && type === 'application/json' && { examples: examplesOf(endpoint.examples.body) }),
    };
  }
  return { required: endpoint.bodyIsOptional !== true, content };
}

const messageSchema = (type: string): Json =>
  type.endsWith('json')
    ? {
        type: 'object',
        description: 'A Bundle or another resource of FHIR, as the RIS sends it.',
        additionalProperties: true,
      }
    : { type: 'string', description: 'One message or several, as the RIS sends them.' };

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
    'x-empty-is-absent': _empty,
    'x-text': kind,
    anyOf,
    oneOf = anyOf,
    ...rest
  } = schema;
  // A list by itself is taken as well; of a union with one, most generators make a type that nobody can use.
  const shapes = oneOf?.some(({ items, type }) => !items && type === 'object')
    ? oneOf.filter(({ type }) => type !== 'array')
    : oneOf;
  if (shapes?.length === 1) return inlined({ ...shapes[0], ...rest }, components);
  // An object that takes any field would fit a list with a name, too.
  const wrapper = shapes?.find(({ additionalProperties }) => additionalProperties === false)?.required?.[0];
  const exclude = (shape: JsonSchema): object =>
    shape.additionalProperties === true && wrapper !== undefined ? { not: { required: [wrapper] } } : {};
  return {
    ...withKnownForms(rest, kind),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, inner]) => [name, down(describeDefault(inner))]),
      ),
    }),
    ...(schema.items && { items: down(schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && { additionalProperties: down(schema.additionalProperties) }),
    ...(shapes && { oneOf: shapes.map((shape) => down({ ...shape, ...exclude(shape) })) }),
  };
}

/** The default in words: as a keyword it makes openapi-typescript demand the field. */
function describeDefault({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema;
  return { ...schema, description: [schema.description, `Default: \`${String(value)}\`.`].filter(Boolean).join(' ') };
}

const day = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const time = '[Tt ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.,]\\d{1,9})?)?([Zz]|[+-](0\\d|1[0-4]):?([0-5]\\d)?)?';
/** Forms that JSON Schema has no name for, as patterns. */
const ownFormats: Readonly<Record<string, string>> = {
  'iso-datetime': `^${day}${time}$`,
  'date-or-time': `^${day}(${time})?$`,
};
/**
 * Patterns for the kinds of texts, in the syntax of every engine. Line separators and unseen characters have no such form,
 * and end a text in the source of some generated clients. Prose has no pattern, as every text of it can be mended.
 */
const kindPatterns: Readonly<Record<string, string>> = {
  identifier: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
  line: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
};

/** Only formats and keywords of JSON Schema. A constant `true` is a mere boolean: clients refuse any other answer. */
function withKnownForms({ format, const: only, ...schema }: JsonSchema, kind: JsonSchema['x-text']): JsonSchema {
  const pattern =
    schema.pattern ?? (format && ownFormats[format]) ?? (schema.enum || format ? undefined : kindPatterns[kind ?? '']);
  return {
    ...schema,
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && !Object.hasOwn(ownFormats, format) && { format }),
    ...(only !== undefined && schema.type !== 'boolean' && { const: only }),
  };
}

/** The document of this program, as everybody gets it. */
export const describeApi = (version: string, form: { readonly hasWebhooks?: boolean } = {}): FixedContent =>
  createFixedContent(() => JSON.stringify(openapiDocument(contract, version, form)), {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-cache',
  });
