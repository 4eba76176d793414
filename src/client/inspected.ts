/** What others make of a call that the inspector shows: a command for curl, and a HAR file for browsers and their kin. */
import type { InspectedCall, InspectedMessages } from '../contract/inspector.ts';
import { shellLine } from '../domain/shell-line.ts';
import { addressOf } from './address.ts';

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** The path of the call with its query, as a person reads it. */
export function shownPath({ path, query }: InspectedCall): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}

const urlOf = ({ path, query }: InspectedCall, base: string): string => addressOf(base, path, { query });

/** Headers that curl, or the person who runs it, sets. */
const setByCurl = new Set(['content-length', 'authorization', 'idempotency-key']);

/**
 * A command line that makes the call again. The token comes from the variable `LAUDIO_TOKEN`; texts of the body have to be put
 * in where the inspector shows their sizes.
 */
export function curlOf(call: InspectedMessages, base: string): string {
  const headers = Object.entries(call.request?.headers ?? {}).filter(([name]) => !setByCurl.has(name));
  const body = call.request?.body ?? undefined;
  const parts = [
    shellLine(['curl', '--request', call.method, urlOf(call, base)]),
    ...(call.client_id === null ? [] : ['--header "Authorization: Bearer $LAUDIO_TOKEN"']),
    ...headers.map(([name, value]) => shellLine(['--header', `${name}: ${value}`])),
    ...(body === undefined ? [] : [shellLine(['--data', textOf(body)])]),
  ];
  return parts.join(' \\\n  ');
}

const pairs = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));

/** The calls as HTTP Archive 1.2; `version` is that of Laudio. The oldest comes first, as the format wants. */
export function harOf(calls: readonly InspectedMessages[], base: string, version: string) {
  const entries = calls.toSorted((a, b) => a.number - b.number).map((call) => entryOf(call, base));
  return { log: { version: '1.2', creator: { name: 'Laudio', version }, pages: [], entries } };
}

function entryOf(call: InspectedMessages, base: string) {
  const { request, answer } = call;
  const type = (message: typeof request) => message?.headers['content-type'] ?? '';
  return {
    startedDateTime: call.at,
    time: call.duration_ms,
    request: {
      method: call.method,
      url: urlOf(call, base),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request?.headers ?? {}),
      queryString: pairs(call.query),
      ...(request?.body !== null &&
        request?.body !== undefined && { postData: { mimeType: type(request), text: textOf(request.body) } }),
      headersSize: -1,
      bodySize: call.request_bytes ?? -1,
    },
    response: {
      status: call.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(answer?.headers ?? {}),
      content: {
        size: call.answer_bytes ?? -1,
        mimeType: type(answer),
        ...(answer?.body !== null && answer?.body !== undefined && { text: textOf(answer.body) }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: call.answer_bytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: call.duration_ms, receive: 0 },
    // The format leaves names that begin with an underscore to whoever writes the file.
    _number: call.number,
    _requestId: call.request_id,
    _client: call.client_id,
    _scope: call.scope,
    _decision: call.decision,
  };
}
