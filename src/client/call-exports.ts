/** Exports of a call from the inspector: a curl command, and a HAR file for browsers and other tools. */
import type { InspectedCall, InspectedMessages } from '../contract/inspector.ts';
import { shellLine } from '../domain/shell-line.ts';
import { buildAddress } from './address.ts';
import { harEntry, buildHar } from './har.ts';
import type { Har, HarEntry } from './har.ts';

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** The path of the call with its query, as a person reads it. */
export function shownPath({ path, query }: InspectedCall): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}

const buildUrl = ({ path, query }: InspectedCall, base: string): string => buildAddress(base, path, { query });

/** Headers that curl, or the person who runs it, sets. */
const setByCurl = new Set(['content-length', 'authorization', 'idempotency-key']);

/**
 * A command line that repeats the call. The token comes from the variable `LAUDIO_TOKEN`; texts of the body must be
 * inserted where the inspector shows their sizes.
 */
export function buildCurlCommand(call: InspectedMessages, base: string): string {
  const headers = Object.entries(call.request?.headers ?? {}).filter(([name]) => !setByCurl.has(name));
  const body = call.request?.body ?? undefined;
  const parts = [
    shellLine(['curl', '--request', call.method, buildUrl(call, base)]),
    ...(call.client_id === null ? [] : ['--header "Authorization: Bearer $LAUDIO_TOKEN"']),
    ...headers.map(([name, value]) => shellLine(['--header', `${name}: ${value}`])),
    ...(body === undefined ? [] : [shellLine(['--data', textOf(body)])]),
  ];
  return parts.join(' \\\n  ');
}

/** The calls as HTTP Archive; `version` is that of Laudio. Oldest first, as the format requires. */
export const buildArchive = (calls: readonly InspectedMessages[], base: string, version: string): Har =>
  buildHar(
    calls.toSorted((a, b) => a.number - b.number).map((call) => archiveEntry(call, base)),
    version,
  );

/** The call as an entry of an archive. */
export function archiveEntry(call: InspectedMessages, base: string): HarEntry {
  const { request, answer } = call;
  const [sent, answered] = [request?.body ?? undefined, answer?.body ?? undefined];
  return {
    ...harEntry({
      startedAt: call.at,
      duration: call.duration_ms,
      method: call.method,
      url: buildUrl(call, base),
      query: call.query,
      request: {
        headers: request?.headers ?? {},
        bytes: call.request_bytes,
        ...(sent !== undefined && {
          postData: { mimeType: request?.headers['content-type'] ?? '', text: textOf(sent) },
        }),
      },
      answer: {
        status: call.status,
        headers: answer?.headers ?? {},
        bytes: call.answer_bytes,
        ...(answered !== undefined && { text: textOf(answered) }),
      },
    }),
    _number: call.number,
    _requestId: call.request_id,
    _client: call.client_id,
    _scope: call.scope,
    _decision: call.decision,
    _fault: call.fault,
  };
}
