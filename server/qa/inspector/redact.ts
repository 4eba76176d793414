/**
 * Reduces a message to the contract's vocabulary: known names and enumerated values, ids of the service, and numbers in numeric
 * fields. Anything else may describe a patient or be a secret, and is replaced by its size. This is an allow-list, because
 * forbidden content cannot be listed.
 */
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { detailCodes, errors } from '../../../src/contract/errors.ts';
import { endpoints } from '../../../src/contract/index.ts';
import { boolean, array, object, oneOf, string, integer } from '../../../src/contract/schema.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import { counted } from '../../../src/domain/counted.ts';
import { isIsoDateTime } from '../../../src/domain/iso-time.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { oauthErrorCodes } from '../../http/oauth-error.ts';
import { isOwnId } from '../../http/own-ids.ts';
import { simulateHeader, parseSimulation } from '../faults/simulate.ts';

/** Maximum of items shown of a list. */
const maxItems = 5;

const toPlaceholder = (what: string): string => `‹${what}›`;

const scopes: ReadonlySet<string> = new Set(allScopes);
const isScopes = (text: string): boolean => text.split(' ').every((word) => scopes.has(word));

/** Times of the service's documents; fields with times of patients have other suffixes. */
const isStamp = (name: string, text: string): boolean => /(?:_at|^timestamp)$/.test(name) && isIsoDateTime(text);

/** The schema and its alternatives. */
export const flattenSchema = (schema: JsonSchema | undefined): readonly JsonSchema[] =>
  schema === undefined ? [] : [schema, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(flattenSchema)];

export const holdsNumbers = ({ type }: JsonSchema): boolean =>
  [type].flat().some((each) => each === 'integer' || each === 'number');

/** `name` of the field. */
export function redact(value: unknown, schema: JsonSchema | undefined, name = ''): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  const shapes = flattenSchema(schema);
  if (typeof value === 'number') return shapes.some(holdsNumbers) ? value : toPlaceholder('number');
  if (typeof value === 'string') return redactText(value, shapes, name);
  if (Array.isArray(value)) {
    const items = shapes.find((shape) => shape.items)?.items;
    const shown = value.slice(0, maxItems).map((item) => redact(item, items, name));
    return value.length > maxItems ? [...shown, toPlaceholder(`${value.length - maxItems} more`)] : shown;
  }
  return isPlainObject(value) ? redactFields(value, shapes) : toPlaceholder(typeof value);
}

/** Whether the text is from the contract or an id of the service, and so not patient data. `name` of its field. */
export const isOwnText = (text: string, shapes: readonly JsonSchema[], name: string): boolean =>
  shapes.some((shape) => shape.const === text || shape.enum?.includes(text)) ||
  isOwnId(text) ||
  isStamp(name, text) ||
  (name === 'scope' && isScopes(text));

function redactText(text: string, shapes: readonly JsonSchema[], name: string): string {
  return isOwnText(text, shapes, name) ? text : toPlaceholder(`text, ${counted(text.length, 'character')}`);
}

function redactFields(value: Readonly<Record<string, unknown>>, shapes: readonly JsonSchema[]): unknown {
  const known: Record<string, unknown> = {};
  let others = 0;
  for (const name of Object.keys(value)) {
    const of = shapes.find(({ properties }) => properties && Object.hasOwn(properties, name))?.properties?.[name];
    if (of) known[name] = redact(value[name], of, name);
    else others++;
  }
  if (others === 0) return known;
  const rest = toPlaceholder(counted(others, 'field'));
  return Object.keys(known).length === 0 ? rest : { ...known, [toPlaceholder('besides')]: rest };
}

/** Redacts a query parameter, which is text. */
export function redactParameter(text: unknown, schema: JsonSchema | undefined, name: string): unknown {
  if (Array.isArray(text)) return text.map((each) => redactParameter(each, schema, name));
  if (typeof text === 'string' && /^\d{1,9}$/.test(text) && flattenSchema(schema).some(holdsNumbers))
    return Number(text);
  if (typeof text === 'string' && /^(?:true|false)$/.test(text) && schema?.type === 'boolean') return text === 'true';
  return redact(text, schema, name);
}

/** All path segments of the API. */
const pathWords = new Set(endpoints.flatMap(({ path }) => path.split('/')));

export const redactPath = (path: string): string =>
  path
    .split('/')
    .map((word) => (pathWords.has(word) || isOwnId(word) || /^\d{1,6}$/.test(word) ? word : '{…}'))
    .join('/');

export type HeaderForms = Readonly<Record<string, RegExp | ((text: string) => string)>>;

/** Patterns of headers that are shown. Others are left out. */
const headerForms: HeaderForms = {
  'content-type':
    /^(?:application\/(?:json|x-www-form-urlencoded|x-ndjson|x-tar|octet-stream|fhir\+json|pdf)|text\/(?:html|plain|event-stream)|multipart\/form-data|audio\/[a-z0-9]{3,5})(?=;|$)/,
  'content-length': /^\d+$/,
  'if-match': /^(?:\*|"\d+")$/,
  etag: /^"\d+"$/,
  'idempotency-key': () => toPlaceholder('a key'),
  'idempotency-replayed': /^true$/,
  authorization: (text) => (/^Bearer /i.test(text) ? `Bearer ${toPlaceholder('token')}` : toPlaceholder('credentials')),
  'retry-after': /^\d+$/,
  'x-ratelimit-limit': /^\d+$/,
  'x-ratelimit-remaining': /^\d+$/,
  'x-ratelimit-reset': /^\d+$/,
  /** Throws if the directive is invalid. */
  [simulateHeader.toLowerCase()]: (text) => parseSimulation(text) && text,
};

/** `further`: patterns of additional headers. */
export function redactHeaders(
  headers: Readonly<Record<string, unknown>>,
  additional: HeaderForms = {},
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, form] of Object.entries({ ...headerForms, ...additional })) {
    const value = headers[name];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    shown[name] = headerText(String(value), form);
  }
  return shown;
}

function headerText(text: string, form: RegExp | ((text: string) => string)): string {
  try {
    return (typeof form === 'function' ? form(text) : form.exec(text)?.[0]) ?? toPlaceholder('something else');
  } catch {
    return toPlaceholder('something else');
  }
}

const fieldNames = (schema: JsonSchema | undefined): readonly string[] =>
  flattenSchema(schema).flatMap(({ properties, items }) => [
    ...Object.entries(properties ?? {}).flatMap(([name, of]) => [name, ...fieldNames(of)]),
    ...fieldNames(items),
  ]);

/** The error envelope (specification 2.7), and OAuth errors (RFC 6749 5.2). */
const failure = object(
  {},
  {
    success: boolean(),
    error: {
      anyOf: [
        object(
          {},
          {
            code: oneOf(Object.keys(errors)),
            message: string(),
            details: object(
              {},
              { errors: array(object({}, { code: oneOf(detailCodes), message: string(), field: {} })) },
            ),
            retry_after: integer(),
          },
        ),
        oneOf(oauthErrorCodes),
      ],
    },
    meta: object({}, { request_id: string(), timestamp: string() }),
  },
);

/** Recognises field paths of the endpoint, such as `items.3.modality`. */
export function createFieldCheck(endpoint: Endpoint | undefined): (field: string) => boolean {
  const names = new Set([...fieldNames(endpoint?.body), ...fieldNames(endpoint?.query)]);
  return (field) => field.split('.').every((part) => names.has(part) || /^\d{1,6}$/.test(part));
}

/** Redacts an error. A problem keeps its field if the contract knows it. */
export function redactFailure(body: unknown, endpoint: Endpoint | undefined): unknown {
  const isKnown = createFieldCheck(endpoint);
  const shown = redact(body, failure) as { error?: { details?: { errors?: { field?: unknown }[] } } };
  const problems = (body as typeof shown)?.error?.details?.errors;
  shown?.error?.details?.errors?.forEach((problem, at) => {
    const { field } = problems?.[at] ?? {};
    if (typeof problem === 'object' && typeof field === 'string' && isKnown(field)) problem.field = field;
  });
  return shown;
}
