/** Holds answers against the OpenAPI document that the server itself gives: what a partner's generated client would see. */
import { createValidation } from '../../server/http/validation.ts';
import type { Validator } from '../../server/http/validation.ts';
import { OAuthErrorBody } from '../../src/contract/oauth.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { ErrorEnvelope } from '../../src/contract/shared.ts';

export interface MediaType {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly 'x-extension'?: true;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export interface ObservedAnswer {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What is wrong with an answer, in words; an empty list means nothing. */
export type Conformance = (answer: ObservedAnswer) => string[];

/** The schema with the components that it refers to in their places. Components do not refer to themselves. */
export function resolved(document: OpenApiDocument, schema: unknown): JsonSchema {
  if (Array.isArray(schema)) return schema.map((inner) => resolved(document, inner)) as unknown as JsonSchema;
  if (typeof schema !== 'object' || schema === null) return schema as unknown as JsonSchema;
  const { $ref } = schema as { $ref?: unknown };
  if (typeof $ref === 'string') {
    const target = document.components.schemas[$ref.replace('#/components/schemas/', '')];
    if (!target) throw new Error(`${$ref} leads nowhere`);
    return resolved(document, target);
  }
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, resolved(document, inner)]));
}

/** Errors that any address may give before it is known what is asked of it; an operation need not name them. */
const general: Readonly<Record<number, readonly string[]>> = {
  400: ['VALIDATION_FAILED'],
  403: ['FORBIDDEN'],
  404: ['NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  429: ['RATE_LIMIT_EXCEEDED'],
};

export function createConformance(document: OpenApiDocument): Conformance {
  const compile = createValidation();
  const compiled = new Map<unknown, Validator>();
  const problemsOf = (schema: JsonSchema, value: unknown): string[] => {
    let check = compiled.get(schema);
    if (!check) compiled.set(schema, (check = compile(resolved(document, schema))));
    return check(value).map(({ message }) => message);
  };
  const paths = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
    literal: !path.includes('{'),
    operations,
  }));

  /** `/worklists/items` is no `/worklists/{id}`: literal paths win. */
  const operationOf = ({ method, path }: ObservedAnswer): Operation | undefined => {
    const pathname = path.split('?', 1)[0]!;
    const found = paths
      .filter(({ pattern }) => pattern.test(pathname))
      .toSorted((a, b) => Number(b.literal) - Number(a.literal));
    return found[0]?.operations[method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()];
  };

  function bodyProblems(answer: ObservedAnswer): string[] {
    const { status, body } = answer;
    if (answer.method === 'HEAD') return body === '' ? [] : ['an answer to HEAD has no body'];
    const operation = operationOf(answer);
    const described = operation?.responses[status];
    const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0]!;
    if (!described) return undescribedProblems(answer, operation, type, problemsOf);
    const media = Object.entries(described.content ?? {}).find(([name]) => name.split(';', 1)[0] === type)?.[1];
    if (!media)
      return described.content || body !== '' ? [`${type || 'no content type'} is not described for ${status}`] : [];
    return type === 'application/json' ? problemsOf(media.schema, JSON.parse(body)) : [];
  }

  return (answer) => [...headerProblems(answer), ...bodyProblems(answer)];
}

function undescribedProblems(
  { path, status, body }: ObservedAnswer,
  operation: Operation | undefined,
  type: string,
  problemsOf: (schema: JsonSchema, value: unknown) => string[],
): string[] {
  const isApi = path.startsWith('/api/') || operation !== undefined;
  if (!isApi) return [];
  if (type !== 'application/json')
    return [`${status} is not described, and ${type || 'nothing'} is no error of the API`];
  const told = JSON.parse(body) as { error?: { code?: string } | string };
  if (typeof told.error === 'string')
    return [...problemsOf(OAuthErrorBody, told), ...(status === 405 ? [] : [`${status} is not described`])];
  const known = general[status]?.includes(told.error?.code ?? '') === true;
  return [...problemsOf(ErrorEnvelope, told), ...(known ? [] : [`${status} ${told.error?.code} is not described`])];
}

/** Headers of every answer (specification, section 7), and what the envelope says of them. */
function headerProblems({ path, headers, body, method }: ObservedAnswer): string[] {
  const requestId = headers['x-request-id'];
  const processingTime = headers['x-processing-time'];
  const found: string[] = [];
  const say = (wrong: boolean, what: string): void => void (wrong && found.push(what));
  say(typeof requestId !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(requestId), 'X-Request-Id is missing or not one');
  say(!/^\d+(\.\d+)?$/.test(String(processingTime)), 'X-Processing-Time is no unit-less decimal');
  say(headers['x-content-type-options'] !== 'nosniff', 'X-Content-Type-Options is missing');
  if (!path.startsWith('/api/')) return found;
  say(headers['access-control-allow-origin'] !== undefined, 'another origin may read it');
  if (method === 'HEAD' || !body.startsWith('{"success":')) return found;
  say(headers['cache-control'] === undefined, 'Cache-Control is missing');
  const { success, meta } = JSON.parse(body) as { success: boolean; meta: Record<string, unknown> };
  say(meta['request_id'] !== requestId, 'meta.request_id is not X-Request-Id');
  say(
    success && String(meta['processing_time_ms']) !== processingTime,
    'meta.processing_time_ms is not X-Processing-Time',
  );
  return found;
}
