/** Validates answers against the contract's OpenAPI document, like a partner's generated client. */
import { createValidation } from '../../runtime/validation.ts';
import type { Validator } from '../../runtime/validation.ts';
import { OAuthErrorBody } from '../../../src/contract/oauth.ts';
import { object } from '../../../src/contract/schema.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import { ErrorEnvelope } from '../../../src/contract/shared.ts';
import { textBefore } from '../../../src/domain/text-before.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';

export interface MediaType {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly 'x-extension'?: true;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  /** Names of the headers that every such answer has. */
  readonly 'x-always'?: readonly string[];
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Header {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Reference {
  readonly $ref: string;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

export interface ObservedAnswer {
  readonly method: string;
  /** May include a query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The part of an answer that deviates. */
export type Part = 'status' | 'header' | 'body';

export interface Problem {
  readonly part: Part;
  /** A description, without values of the answer. */
  readonly problem: string;
}

const inPart =
  (part: Part) =>
  (problem: string): Problem => ({ part, problem });

export interface AnswerChecks {
  /**
   * Whether the service is Laudio itself, which sends only described headers, and those that protect browsers. Other services
   * and their proxies may send additional headers (RFC 9110 5.1).
   */
  readonly isOwn: boolean;
}

/** The schema with its references resolved. Components are not recursive. */
export function resolveReferences(document: OpenApiDocument, schema: unknown): JsonSchema {
  if (Array.isArray(schema)) return schema.map((inner) => resolveReferences(document, inner)) as unknown as JsonSchema;
  if (typeof schema !== 'object' || schema === null) return schema as unknown as JsonSchema;
  const { $ref } = schema as { $ref?: unknown };
  if (typeof $ref === 'string') {
    const target = document.components.schemas[$ref.replace('#/components/schemas/', '')];
    if (!target) throw new Error(`${$ref} leads nowhere`);
    return resolveReferences(document, target);
  }
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, resolveReferences(document, inner)]));
}

/** Errors of paths without an operation. */
const generalErrors: Readonly<Record<number, readonly string[]>> = {
  400: ['VALIDATION_FAILED'],
  403: ['FORBIDDEN'],
  404: ['NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  429: ['RATE_LIMIT_EXCEEDED'],
};

/** Finds deviations of an answer. */
export type AnswerCheck = (answer: ObservedAnswer) => Problem[];

export function createAnswerCheck(document: OpenApiDocument, { isOwn }: AnswerChecks): AnswerCheck {
  const compile = createValidation();
  const compiled = new Map<unknown, Validator>();
  const validate = (schema: JsonSchema, value: unknown): string[] => {
    let check = compiled.get(schema);
    if (!check) compiled.set(schema, (check = compile(resolveReferences(document, schema))));
    return check(value).map(({ message }) => message);
  };
  const paths = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
    literal: !path.includes('{'),
    operations,
  }));

  /** Literal paths take precedence: `/worklists/items` is not `/worklists/{id}`. */
  const findOperation = ({ method, path }: ObservedAnswer): Operation | undefined => {
    const pathname = textBefore(path, '?');
    const found = paths
      .filter(({ pattern }) => pattern.test(pathname))
      .toSorted((a, b) => Number(b.literal) - Number(a.literal));
    if (method.toUpperCase() !== 'HEAD') return found[0]?.operations[method.toLowerCase()];
    const get = found[0]?.operations['get'];
    return get?.responses['200']?.content?.['text/event-stream'] ? undefined : get;
  };

  function resolveHeader(header: Header | Reference): Header {
    if (!('$ref' in header)) return header;
    const target = findEntry(document.components.headers, header.$ref.replace('#/components/headers/', ''));
    if (!target) throw new Error(`${header.$ref} leads nowhere`);
    return target;
  }

  /** Finds headers that are undescribed, missing or malformed. */
  function checkDescribedHeaders({ headers }: ObservedAnswer, response: Response): string[] {
    const always = response['x-always'] ?? [];
    const described = Object.entries(response.headers ?? {}).map(([name, header]) => ({
      name: name.toLowerCase(),
      isAlways: always.includes(name),
      header: resolveHeader(header),
    }));
    const names = new Set([...ordinaryHeaders, ...described.map(({ name }) => name)]);
    const strange = isOwn ? Object.keys(headers).filter((name) => headers[name] !== undefined && !names.has(name)) : [];
    return [
      ...strange.map((name) => `the header ${name} is not described`),
      ...described.flatMap(({ name, isAlways, header: { required, schema } }) => {
        const value = headers[name];
        if (value === undefined) return required || isAlways ? [`the header ${name} is missing`] : [];
        return headerFormProblems(schema, String(value)).map((problem) => `the header ${name}: ${problem}`);
      }),
    ];
  }

  const headerForms = new Map<JsonSchema, Validator>();
  function headerFormProblems(schema: JsonSchema, value: string): string[] {
    let check = headerForms.get(schema);
    if (!check) headerForms.set(schema, (check = compile(object({ value: schema }), 'text')));
    return check({ value }).map(({ message }) => message);
  }

  function checkBody({ status, body, headers, method }: ObservedAnswer, described: Response): string[] {
    if (method === 'HEAD') return body === '' ? [] : ['an answer to HEAD has no body'];
    const type = typeOf(headers);
    const media = Object.entries(described.content ?? {}).find(([name]) => name.split(';', 1)[0] === type)?.[1];
    if (!media)
      return described.content || body !== '' ? [`${type || 'no content type'} is not described for ${status}`] : [];
    if (!/[/+]json$/.test(type)) return [];
    const value = parseJson(body);
    if (value === undefined) return ['the body is not JSON'];
    const { code } = Object((Object(value) as { error?: unknown }).error) as { code?: string };
    const isKnown = code === undefined || described.description.split(/[;, ]+/).includes(code);
    return [...validate(media.schema, value), ...(isKnown ? [] : [`${status} ${code} is not described`])];
  }

  return (answer) => {
    const operation = findOperation(answer);
    const described = operation?.responses[answer.status];
    const headers = checkCommonHeaders(answer, isOwn);
    if (operation && !described)
      return [...headers.map(inPart('header')), { part: 'status', problem: `${answer.status} is not described` }];
    const headerIssues = described ? checkDescribedHeaders(answer, described) : [];
    const body = described ? checkBody(answer, described) : checkUnknownPath(answer, validate);
    return [...[...headers, ...headerIssues].map(inPart('header')), ...body.map(inPart('body'))];
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

const typeOf = (headers: ObservedAnswer['headers']): string => textBefore(String(headers['content-type'] ?? ''), ';');

/** Headers of HTTP and browsers that are not part of the API. */
const ordinaryHeaders = [
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'date',
  'keep-alive',
  'permissions-policy',
  'pragma',
  'referrer-policy',
  'set-cookie',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'x-frame-options',
];

/** Deviations of an answer at a path without an operation. */
function checkUnknownPath(
  { path, status, headers, body, method }: ObservedAnswer,
  problemsOf: (schema: JsonSchema, value: unknown) => string[],
): string[] {
  if (!path.startsWith('/api/') || method === 'HEAD') return [];
  const type = typeOf(headers);
  if (type !== 'application/json')
    return [`${status} is not described, and ${type || 'nothing'} is no error of the API`];
  const value = Object(parseJson(body)) as { error?: { code?: string } | string };
  if (typeof value.error === 'string')
    return [...problemsOf(OAuthErrorBody, value), ...(status === 405 ? [] : [`${status} is not described`])];
  const known = generalErrors[status]?.includes(value.error?.code ?? '') === true;
  return [...problemsOf(ErrorEnvelope, value), ...(known ? [] : [`${status} ${value.error?.code} is not described`])];
}

/** Checks headers of all answers (specification, section 7), and that the envelope agrees with them. */
function checkCommonHeaders({ path, headers, body, method }: ObservedAnswer, isOwn: boolean): string[] {
  const requestId = headers['x-request-id'];
  const processingTime = headers['x-processing-time'];
  const found: string[] = [];
  const say = (wrong: boolean, what: string): void => void (wrong && found.push(what));
  say(typeof requestId !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(requestId), 'X-Request-Id is missing or not one');
  say(!/^\d+(\.\d+)?$/.test(String(processingTime)), 'X-Processing-Time is no unit-less decimal');
  say(isOwn && headers['x-content-type-options'] !== 'nosniff', 'X-Content-Type-Options is missing');
  if (!path.startsWith('/api/')) return found;
  say(isOwn && headers['access-control-allow-origin'] !== undefined, 'another origin may read it');
  if (method === 'HEAD' || !/^\s*\{[^]*"success":/.test(body)) return found;
  say(isOwn && headers['cache-control'] === undefined, 'Cache-Control is missing');
  const { success, meta } = Object(parseJson(body)) as { success?: boolean; meta?: Record<string, unknown> };
  if (typeof meta !== 'object' || meta === null) return found;
  say(meta['request_id'] !== requestId, 'meta.request_id is not X-Request-Id');
  say(
    success === true &&
      (isOwn || meta['processing_time_ms'] !== undefined) &&
      String(meta['processing_time_ms']) !== processingTime,
    'meta.processing_time_ms is not X-Processing-Time',
  );
  return found;
}
