/**
 * Leaves of a message what the contract itself says: the names and words that its schemas know, ids of the service, numbers
 * where a field holds numbers. Everything else may be said of a patient, or be a secret, and is replaced by its size. What
 * is let through is listed, since what is forbidden cannot be.
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
import { simulateHeader, simulationOf } from '../faults/simulate.ts';

/** A list shows so many of its items. */
const mostItems = 5;

const instead = (what: string): string => `‹${what}›`;

const scopes: ReadonlySet<string> = new Set(allScopes);
const isScopes = (text: string): boolean => text.split(' ').every((word) => scopes.has(word));

/** When something happened to a document of the service; of what happened to a patient the names end otherwise. */
const isStamp = (name: string, text: string): boolean => /(?:_at|^timestamp)$/.test(name) && isIsoDateTime(text);

/** The schema and its alternatives. */
export const flat = (schema: JsonSchema | undefined): readonly JsonSchema[] =>
  schema === undefined ? [] : [schema, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(flat)];

export const holdsNumbers = ({ type }: JsonSchema): boolean =>
  [type].flat().some((each) => each === 'integer' || each === 'number');

/** `name`: of the field that holds the value. */
export function redact(value: unknown, schema: JsonSchema | undefined, name = ''): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  const shapes = flat(schema);
  if (typeof value === 'number') return shapes.some(holdsNumbers) ? value : instead('number');
  if (typeof value === 'string') return redactText(value, shapes, name);
  if (Array.isArray(value)) {
    const items = shapes.find((shape) => shape.items)?.items;
    const shown = value.slice(0, mostItems).map((item) => redact(item, items, name));
    return value.length > mostItems ? [...shown, instead(`${value.length - mostItems} more`)] : shown;
  }
  return isPlainObject(value) ? redactFields(value, shapes) : instead(typeof value);
}

/** Whether the text is the contract's own word or the service's own id, and says nothing of a patient. `name`: of its field. */
export const isOwnText = (text: string, shapes: readonly JsonSchema[], name: string): boolean =>
  shapes.some((shape) => shape.const === text || shape.enum?.includes(text)) ||
  isOwnId(text) ||
  isStamp(name, text) ||
  (name === 'scope' && isScopes(text));

function redactText(text: string, shapes: readonly JsonSchema[], name: string): string {
  return isOwnText(text, shapes, name) ? text : instead(`text, ${counted(text.length, 'character')}`);
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
  const rest = instead(counted(others, 'field'));
  return Object.keys(known).length === 0 ? rest : { ...known, [instead('besides')]: rest };
}

/** A parameter of an address, which comes as text. */
export function redactParameter(text: unknown, schema: JsonSchema | undefined, name: string): unknown {
  if (Array.isArray(text)) return text.map((each) => redactParameter(each, schema, name));
  if (typeof text === 'string' && /^\d{1,9}$/.test(text) && flat(schema).some(holdsNumbers)) return Number(text);
  if (typeof text === 'string' && /^(?:true|false)$/.test(text) && schema?.type === 'boolean') return text === 'true';
  return redact(text, schema, name);
}

/** Every word of every path of the API. */
const pathWords = new Set(endpoints.flatMap(({ path }) => path.split('/')));

export const redactPath = (path: string): string =>
  path
    .split('/')
    .map((word) => (pathWords.has(word) || isOwnId(word) || /^\d{1,6}$/.test(word) ? word : '{…}'))
    .join('/');

export type HeaderForms = Readonly<Record<string, RegExp | ((text: string) => string)>>;

/** What each header that is shown has to be made of. Others are left out: most of them say nothing of the call. */
const headerForms: HeaderForms = {
  'content-type':
    /^(?:application\/(?:json|x-www-form-urlencoded|x-ndjson|x-tar|octet-stream|fhir\+json|pdf)|text\/(?:html|plain|event-stream)|multipart\/form-data|audio\/[a-z0-9]{3,5})(?=;|$)/,
  'content-length': /^\d+$/,
  'if-match': /^(?:\*|"\d+")$/,
  etag: /^"\d+"$/,
  'idempotency-key': () => instead('a key'),
  'idempotency-replayed': /^true$/,
  authorization: (text) => (/^Bearer /i.test(text) ? `Bearer ${instead('token')}` : instead('credentials')),
  'retry-after': /^\d+$/,
  'x-ratelimit-limit': /^\d+$/,
  'x-ratelimit-remaining': /^\d+$/,
  'x-ratelimit-reset': /^\d+$/,
  /** What is no directive throws. */
  [simulateHeader.toLowerCase()]: (text) => simulationOf(text) && text,
};

/** `further`: forms of headers that are shown besides. */
export function redactHeaders(
  headers: Readonly<Record<string, unknown>>,
  further: HeaderForms = {},
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, form] of Object.entries({ ...headerForms, ...further })) {
    const value = headers[name];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    shown[name] = headerText(String(value), form);
  }
  return shown;
}

function headerText(text: string, form: RegExp | ((text: string) => string)): string {
  try {
    return (typeof form === 'function' ? form(text) : form.exec(text)?.[0]) ?? instead('something else');
  } catch {
    return instead('something else');
  }
}

const fieldNames = (schema: JsonSchema | undefined): readonly string[] =>
  flat(schema).flatMap(({ properties, items }) => [
    ...Object.entries(properties ?? {}).flatMap(([name, of]) => [name, ...fieldNames(of)]),
    ...fieldNames(items),
  ]);

/** The failure envelope (specification 2.7), and the failures of OAuth (RFC 6749 5.2). */
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

/** Tells the paths of fields (`items.3.modality`) that the endpoint knows. */
export function fieldsOf(endpoint: Endpoint | undefined): (field: string) => boolean {
  const names = new Set([...fieldNames(endpoint?.body), ...fieldNames(endpoint?.query)]);
  return (field) => field.split('.').every((part) => names.has(part) || /^\d{1,6}$/.test(part));
}

/** The body of a failure. A problem names its field where the contract knows that name. */
export function redactFailure(body: unknown, endpoint: Endpoint | undefined): unknown {
  const isKnown = fieldsOf(endpoint);
  const shown = redact(body, failure) as { error?: { details?: { errors?: { field?: unknown }[] } } };
  const problems = (body as typeof shown)?.error?.details?.errors;
  shown?.error?.details?.errors?.forEach((problem, at) => {
    const { field } = problems?.[at] ?? {};
    if (typeof problem === 'object' && typeof field === 'string' && isKnown(field)) problem.field = field;
  });
  return shown;
}
