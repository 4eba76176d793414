/** A call in a recording: request and answer, with stand-ins for everything that may describe a patient. */
import { createParser } from 'eventsource-parser';
import { harEntry } from '../../../src/client/har.ts';
import type { HarEntry, HarPostData } from '../../../src/client/har.ts';
import { endpointAt } from '../../../src/contract/endpoint-at.ts';
import { audioTypeNames, audioTypes } from '../../../src/contract/document.ts';
import { streamTypes } from '../../../src/contract/endpoint.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { exportFormatNames, exportFormats } from '../../../src/contract/export.ts';
import { errors, errorCodeFor, detailCodeMeanings } from '../../../src/contract/errors.ts';
import { OpenFinding } from '../../../src/contract/finding.ts';
import { contract } from '../../../src/contract/index.ts';
import { array, boolean, integer, literal, object, oneOf, string } from '../../../src/contract/schema.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import { envelope, Meta } from '../../../src/contract/shared.ts';
import { IngestError } from '../../../src/contract/worklist.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { eventText } from '../../../src/client/events/server-sent-events.ts';
import { isOwnId } from '../../http/own-ids.ts';
import { createFieldCheck, flattenSchema, holdsNumbers, redactHeaders, redactPath } from '../inspector/redact.ts';
import type { HeaderForms } from '../inspector/redact.ts';
import { buildMetadata } from '../../auth/metadata.ts';
import { oauthErrorCodes } from '../../http/oauth-error.ts';
import { mediaTypeOf } from './content.ts';
import type { Content } from './content.ts';
import { getPlaceholderFile } from './placeholder-files.ts';
import type { StandIns } from './stand-ins.ts';
import { textBefore } from '../../../src/domain/text-before.ts';

type Headers = Readonly<Record<string, unknown>>;

/** A recorded request. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly content: Content;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly content: Content;
  readonly bytes: number;
}

/** A request with stand-ins. */
export interface ReplacedRequest {
  readonly endpoint: Endpoint | undefined;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly content: Content;
}

const findSchema = (schema: JsonSchema | undefined, name: string): JsonSchema | undefined =>
  flattenSchema(schema).find(({ properties }) => properties && Object.hasOwn(properties, name))?.properties?.[name];

/** Replaces a text of a URL or form, in which numbers are strings. */
function replaceText(standIns: StandIns, text: string, schema: JsonSchema | undefined, name: string): string {
  const shapes = flattenSchema(schema);
  if (/^-?\d{1,9}$/.test(text) && shapes.some(holdsNumbers)) return text;
  if (/^(?:true|false)$/.test(text) && shapes.some(({ type }) => type === 'boolean')) return text;
  return standIns.text(text, schema, name);
}

export function replaceRequest({ method, address, content }: RecordedRequest, standIns: StandIns): ReplacedRequest {
  const [path = '', search = ''] = address.split('?', 2);
  const { found } = endpointAt(method === 'HEAD' ? 'GET' : method, path);
  const { endpoint, params = {} } = found ?? {};
  const pathInstead = endpoint
    ? endpoint.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
        const value = params[name];
        if (value === undefined) return whole;
        return encodeURIComponent(replaceText(standIns, value, endpoint.params?.properties?.[name], name));
      })
    : redactPath(path).replaceAll(/(?<=\/)\d+(?=\/|$)/g, '{…}');
  return {
    endpoint,
    path: pathInstead,
    query: replacePairs([...new URLSearchParams(search)], endpoint?.query, standIns),
    content: replaceContent(content, endpoint?.body, standIns),
  };
}

type Pairs = readonly (readonly [name: string, value: string])[];

/** Names that the schema lacks may describe a patient too. */
const replacePairs = (pairs: Pairs, schema: JsonSchema | undefined, standIns: StandIns): Pairs =>
  pairs
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([name, value]) => {
      const of = findSchema(schema, name);
      return of
        ? [name, replaceText(standIns, value, of, name)]
        : [standIns.text(name, undefined, 'parameter'), replaceText(standIns, value, of, 'value')];
    });

function replaceContent(content: Content, schema: JsonSchema | undefined, standIns: StandIns): Content {
  switch (content.kind) {
    case 'json':
      return { kind: 'json', value: standIns.value(content.value, schema) };
    case 'form':
      return { kind: 'form', fields: replacePairs(content.fields, schema, standIns) };
    case 'multipart':
      return {
        kind: 'multipart',
        fields: replacePairs(content.fields, schema, standIns),
        files: content.files.map(({ name, contentType, size }) => ({
          name: findSchema(schema, name) ? name : 'file',
          contentType: isAudioType(contentType) ? contentType : 'application/octet-stream',
          size,
        })),
      };
    default:
      return content;
  }
}

const isAudioType = (type: string): boolean => (audioTypeNames as readonly string[]).includes(type);

/** Media types of the API's bodies and files. */
const mediaTypes = [
  ...new Set([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'text/event-stream',
    ...streamTypes,
    ...audioTypeNames,
    ...Object.values(exportFormats).map((type) => textBefore(type, ';')),
  ]),
];
const extensions: ReadonlySet<string> = new Set([...exportFormatNames, ...Object.values(audioTypes), 'json']);

/** Headers that a recording keeps, in addition to those of the inspector. */
const keptHeaders: HeaderForms = {
  'x-processing-time': /^\d+(?:\.\d+)?$/,
  'ratelimit-policy': /^"default";q=\d+;w=\d+$/,
  ratelimit: /^"default";r=\d+;t=\d+$/,
  'accept-ranges': /^bytes$/,
  'content-range': /^bytes (?:\d+-\d+|\*)\/\d+$/,
  range: /^bytes=\d*-\d*$/,
  allow: /^(?:(?:GET|HEAD|POST|PUT|PATCH|DELETE)(?:, ?|$))+$/,
  'cache-control': /^(?:(?:no-store|no-cache|no-transform|private|public|must-revalidate|max-age=\d+)(?:, ?|$))+$/,
  'x-content-type-options': /^nosniff$/,
  'www-authenticate': (text) =>
    text.startsWith('Bearer')
      ? `Bearer realm="laudio"${text.includes('error=') ? ', error="invalid_token"' : ''}`
      : 'Basic realm="laudio"',
  'content-type': new RegExp(`^(?:${mediaTypes.join('|').replaceAll('+', '\\+')})(?:; ?charset=utf-8)?(?=;|$)`, 'i'),
  'content-disposition': (text) => {
    const [, id = '', extension = ''] = /filename="([\w-]+)\.(\w+)"/.exec(text) ?? [];
    return isOwnId(id) && extensions.has(extension)
      ? `attachment; filename="${id}.${extension}"`
      : 'attachment; filename="file"';
  },
};

/** Request headers whose presence is recorded, but not their value. */
const credentials = new Set(['authorization', 'idempotency-key']);

/** Headers that describe the original bytes, which are replaced. */
const byteHeaders = new Set(['content-length', 'content-encoding']);

function replaceHeaders(headers: Headers, standIns: StandIns, base: string): Record<string, string> {
  const kept = Object.entries(redactHeaders(headers, keptHeaders)).filter(
    ([name, value]) => !byteHeaders.has(name) && (credentials.has(name) || !value.includes('‹')),
  );
  const { 'x-request-id': requestId, location, etag } = headers;
  const isVersion = typeof etag !== 'string' || /^"\d+"$/.test(etag);
  return {
    ...Object.fromEntries(kept),
    ...(!isVersion && { etag: `"${standIns.text(etag, undefined, 'etag_code')}"` }),
    ...(typeof requestId === 'string' && { 'x-request-id': standIns.text(requestId, undefined, 'request_id') }),
    ...(typeof location === 'string' && { location: replaceLocation(location, standIns, base) }),
  };
}

/** A location within the service; any other redirect may contain a code or state. */
function replaceLocation(location: string, standIns: StandIns, base: string): string {
  const place = location.startsWith(`${base}/`) ? location.slice(base.length) : location;
  const isOwn = place.startsWith('/') && endpointAt('GET', textBefore(place, '?')).found !== undefined;
  if (!isOwn) return 'https://example.invalid/';
  const { path } = replaceRequest({ method: 'GET', address: place, headers: {}, content: { kind: 'none' } }, standIns);
  return path;
}

/** Details of an error that contain no patient data. */
const failureDetails = object(
  {},
  {
    errors: array(object({}, { field: string(), message: string(), code: string() })),
    refused: array(IngestError),
    open: array(OpenFinding),
    limit: integer(),
    window: literal('1 minute'),
    retry_after: integer(),
    limit_bytes: integer(),
    limit_items: integer(),
    required_scope: oneOf(allScopes),
    granted_scopes: array(oneOf(allScopes)),
  },
);

interface Problem {
  readonly field?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
}

/** An error in the contract's own words: other messages may quote the request. */
function replaceFailure(body: unknown, status: number, endpoint: Endpoint | undefined, standIns: StandIns): unknown {
  const { error, meta } = Object(body) as { error?: unknown; meta?: unknown };
  if (typeof error === 'string') {
    const known: readonly string[] = oauthErrorCodes;
    return { error: known.includes(error) ? error : 'invalid_request' };
  }
  const { code, details } = Object(error) as { code?: unknown; details?: unknown };
  const known = errorCodeFor(code, status);
  const isKnown = createFieldCheck(endpoint);
  const named = ({ field, code, error }: Problem): Record<string, unknown> => {
    const word = code ?? error;
    const meaning = (detailCodeMeanings as Readonly<Record<string, string>>)[String(word)];
    return {
      field: typeof field === 'string' && isKnown(field) ? field : '',
      message: meaning ?? 'is not valid',
      ...(code === undefined ? {} : { code: meaning === undefined ? 'INVALID_VALUE' : word }),
    };
  };
  const shown = isPlainObject(details)
    ? (standIns.answer(details, failureDetails) as Record<string, Record<string, unknown>[] | undefined>)
    : {};
  for (const list of ['errors', 'refused'] as const) {
    const given: unknown = isPlainObject(details) ? details[list] : undefined;
    if (Array.isArray(given) && shown[list])
      shown[list] = shown[list].map((each, at) => ({ ...Object(each), ...named(Object(given[at]) as Problem) }));
  }
  return {
    success: false,
    error: {
      code: known,
      message: errors[known].title,
      ...(Object.keys(shown).length > 0 && { details: shown }),
    },
    meta: standIns.answer(meta ?? {}, Meta),
  };
}

const { metadata, jwks } = contract.oauth.endpoints;

function replaceJson(
  value: unknown,
  { status, headers }: RecordedAnswer,
  endpoint: Endpoint | undefined,
  standIns: StandIns,
  base: string,
): unknown {
  const data = (endpoint?.responses as Readonly<Record<number, JsonSchema>> | undefined)?.[status];
  if (!endpoint || !data) return replaceFailure(value, status, endpoint, standIns);
  // Public documents about the service are generated, because they may contain anything.
  if (endpoint.path === metadata.path) return buildMetadata(base);
  if (endpoint.path === jwks.path) return { keys: [] };
  if (typeof endpoint.answer !== 'string') return standIns.answer(value, endpoint.jsonAnswer ?? data);
  const schema = endpoint.answer === 'envelope' ? envelope(data) : data;
  return withRequestId(standIns.answer(value, schema), headers, standIns);
}

/** Makes the id in the envelope equal to the header's. */
function withRequestId(body: unknown, headers: Headers, standIns: StandIns): unknown {
  const id = headers['x-request-id'];
  if (!isPlainObject(body) || !isPlainObject(body['meta']) || typeof id !== 'string') return body;
  return { ...body, meta: { ...body['meta'], request_id: standIns.text(id, undefined, 'request_id') } };
}

/** Names of events whose data does not contain the name. */
const eventNames: readonly string[] = ['item', 'record', 'request', 'reset'];

function replaceEvents(text: string, endpoint: Endpoint | undefined, standIns: StandIns): string {
  const schema: JsonSchema = endpoint?.responses[200] ?? boolean();
  const names = new Set([...eventNames, ...flattenSchema(schema).map(({ properties }) => properties?.['type']?.const)]);
  const events: string[] = [];
  createParser({
    onEvent({ event, id, data }) {
      if (event === undefined || !names.has(event)) return;
      try {
        const shown = event === 'reset' ? {} : standIns.answer(JSON.parse(data), schema);
        events.push(
          eventText({
            name: event,
            data: shown,
            ...(id !== undefined && { id: standIns.text(id, undefined, 'event_id') }),
          }),
        );
      } catch {
        // An event without JSON is not part of the contract.
      }
    },
  }).feed(text);
  return events.join('');
}

/** The body of an answer for the archive. */
function replaceBody(
  answer: RecordedAnswer,
  endpoint: Endpoint | undefined,
  standIns: StandIns,
  base: string,
): { text?: string; encoding?: 'base64' } {
  const { content } = answer;
  switch (content.kind) {
    case 'json':
      return { text: JSON.stringify(replaceJson(content.value, answer, endpoint, standIns, base)) };
    case 'text':
      return { text: replaceEvents(content.text, endpoint, standIns) };
    case 'bytes':
      return getPlaceholderFile(mediaTypeOf(answer.headers));
    default:
      return {};
  }
}

export interface Exchange {
  readonly request: RecordedRequest;
  readonly bytesAsked: number;
  /** `undefined`: the connection closed before an answer. */
  readonly answer: RecordedAnswer | undefined;
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** The call as an archive entry; `base` is the URL of the service. */
export function toHarEntry(exchange: Exchange, standIns: StandIns, base: string): HarEntry {
  const { request, answer } = exchange;
  const { endpoint, path, query, content } = replaceRequest(request, standIns);
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  return harEntry({
    startedAt: exchange.startedAt,
    duration: exchange.duration,
    method: request.method,
    url: `${base}${path}${search === '' ? '' : `?${search}`}`,
    query: Object.fromEntries(query),
    request: {
      headers: replaceHeaders(request.headers, standIns, base),
      bytes: exchange.bytesAsked,
      ...toPostData(content, request.headers),
    },
    answer: answer
      ? {
          status: answer.status,
          headers: replaceHeaders(answer.headers, standIns, base),
          bytes: answer.bytes,
          ...replaceBody(answer, endpoint, standIns, base),
        }
      : { status: null, headers: {}, bytes: null },
  });
}

function toPostData(content: Content, headers: Headers): { postData?: HarPostData } {
  const mimeType = mediaTypeOf({ 'content-type': redactHeaders(headers, keptHeaders)['content-type'] });
  const params = (fields: Pairs) => fields.map(([name, value]) => ({ name, value }));
  switch (content.kind) {
    case 'none':
      return {};
    case 'json':
      return { postData: { mimeType, text: JSON.stringify(content.value) } };
    case 'form':
      return { postData: { mimeType, params: params(content.fields) } };
    case 'multipart':
      return {
        postData: {
          mimeType,
          params: [
            ...params(content.fields),
            ...content.files.map(({ name, contentType }) => ({ name, value: '', fileName: name, contentType })),
          ],
        },
      };
    default:
      return { postData: { mimeType, text: '' } };
  }
}
