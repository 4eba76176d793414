/** Reads the OpenAPI document for the reference: the page `/docs` and the documentation site. */
import { html } from '../http/page/html.ts';
import type { Html } from '../http/page/html.ts';

export type Json = Record<string, unknown>;

/** Renders a text of the contract, in which backticks enclose code. */
export const renderProse = (text: string): Html =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, readonly string[]>[];
  readonly 'x-extension'?: boolean;
  readonly parameters?: readonly { name: string; in: string; required: boolean; description?: string; schema: Json }[];
  readonly requestBody?: { content: Record<string, { schema: Json; examples?: Record<string, { value: unknown }> }> };
  readonly responses: Record<
    string,
    { description: string; headers?: Record<string, Json>; content?: Record<string, { schema?: Json }> }
  >;
}

export const operationsOf = (openapi: Json): Operation[] =>
  Object.entries(openapi['paths'] as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );

/** Requests that the service sends; the event name replaces the path. */
export const webhooksOf = (openapi: Json): Operation[] =>
  Object.entries(openapi['webhooks'] as Record<string, { post: Operation }>).map(([path, { post }]) => ({
    ...post,
    path,
    method: 'POST',
  }));

export const headersOf = (openapi: Json): Field[] =>
  Object.entries((openapi['components'] as { headers: Record<string, Omit<Field, 'name' | 'required'>> }).headers).map(
    ([name, { description, schema }]) => ({ name, required: false, description, schema }),
  );

export function listBadges({ security, requestBody, ...operation }: Operation): string[] {
  const [access] = security;
  const accessBadges = Object.entries(access ?? {}).flatMap(([scheme, scopes]) =>
    scheme === 'oauth'
      ? scopes.length > 0
        ? scopes.map((scope) => `scope ${scope}`)
        : ['any token']
      : [scheme === 'admin' ? 'operator only' : 'client credentials'],
  );
  return [
    ...(access ? accessBadges : [operation.operationId.startsWith('webhook.') ? 'sent by the service' : 'public']),
    ...Object.keys(requestBody?.content ?? {}),
    ...(operation['x-extension'] ? ['extension'] : []),
  ];
}

/** Headers of nearly every answer, which the beginning of the page explains once. */
export const isCommon = (header: string): boolean => /^(X-Request-Id|X-Processing-Time|(X-)?RateLimit.*)$/.test(header);

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly schema: Json;
  readonly place?: string;
}

export const isSuccess = (status: string): boolean => status.startsWith('2');

export const componentsOf = (openapi: Json): Record<string, Json> =>
  (openapi['components'] as { schemas: Record<string, Json> }).schemas;

/** Name of the component that the schema refers to. */
export const componentOf = (schema: Json): string | undefined =>
  /^#\/components\/schemas\/(.+)$/.exec(String(schema['$ref'] ?? ''))?.[1];

export const resolveComponent = (schema: Json, openapi: Json): Json => {
  const name = componentOf(schema);
  return name === undefined ? schema : (componentsOf(openapi)[name] ?? {});
};

export const propertiesOf = (schema: Json): Record<string, Json> =>
  (schema['properties'] ?? {}) as Record<string, Json>;

/** The fields of an object and of its inline objects: `source.kind`, `attempts[].at`. */
export function listFields(schema: Json, openapi: Json, path = ''): Field[] {
  const required = (schema['required'] ?? []) as string[];
  return Object.entries(propertiesOf(schema)).flatMap(([name, property]) => [
    {
      name: path + name,
      required: required.includes(name),
      schema: property,
      description: resolveComponent(property, openapi)['description'] as string | undefined,
    },
    ...listFields(property, openapi, `${path}${name}.`),
    ...listFields((property['items'] ?? {}) as Json, openapi, `${path}${name}[].`),
  ]);
}

/** The type of a field; `link` renders a link to a component. */
export function renderType(schema: Json, link: (component: string) => Html): Html {
  const name = componentOf(schema);
  if (name !== undefined) return link(name);
  if (schema['const'] !== undefined) return html`${JSON.stringify(schema['const'])}`;
  if (schema['items']) return html`array of ${renderType(schema['items'] as Json, link)}`;
  const type = [schema['type'] ?? 'any'].flat().join(' or ');
  return html`${schema['format'] ? `${type} (${String(schema['format'])})` : type}`;
}

/** Maximum length of an enum that the reference lists. */
const maxWords = 12;

export function describeLimits(schema: Json, description = ''): string[] {
  const words = ((schema['enum'] ?? []) as unknown[]).filter((word) => word !== null).map(String);
  const isExplained = words.every((word) => description.includes(`\`${word}\``));
  const [example] = (schema['examples'] ?? []) as unknown[];
  return [
    ...(isExplained
      ? []
      : [`One of ${words.length > maxWords ? `${words.slice(0, maxWords).join(', ')}, …` : words.join(', ')}.`]),
    ...(schema['maxLength'] === undefined ? [] : [`At most ${String(schema['maxLength'])} characters.`]),
    ...(schema['default'] === undefined ? [] : [`Default: ${String(schema['default'])}.`]),
    ...(example === undefined
      ? []
      : [`Example: \`${typeof example === 'string' ? example : JSON.stringify(example)}\`.`]),
  ];
}
