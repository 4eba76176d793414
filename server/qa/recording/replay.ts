/** `laudio serve --replay`: answers like the recorded service. */
import type { ServerResponse } from 'node:http';
import type { HarEntry } from '../../../src/client/har.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { endpointAt } from '../../../src/contract/endpoint-at.ts';
import { isEventStream } from '../../../src/contract/endpoint.ts';
import { envelope } from '../../../src/contract/shared.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { displayName } from '../../../src/domain/person-name.ts';
import { pause } from '../../../src/domain/pause.ts';
import { comment } from '../../../src/client/events/server-sent-events.ts';
import { endToEnd } from '../../../src/node/http/end-to-end.ts';
import { redactPath } from '../inspector/redact.ts';
import { readContent } from './content.ts';
import type { RecordedRequest } from './exchange.ts';
import { readHarFile } from './har-file.ts';
import { listenOnLoopback } from './loopback-server.ts';
import type { LoopbackServer, ServerRequest } from './loopback-server.ts';
import { createRecordedCalls, headersOf } from './recorded-calls.ts';
import { answerLogin, answerValidation } from './replay-login.ts';
import { createStandIns } from './stand-ins.ts';
import { textBefore } from '../../../src/domain/text-before.ts';

export interface ReplayOptions {
  readonly file: string;
  readonly port: number;
  readonly clock: Clock;
  /** Whether an answer takes as long as the recorded one. */
  readonly timing?: boolean;
  /** Called for each call; `isRecorded`: whether the archive has a match. */
  readonly onAnswered?: (call: {
    readonly method: string;
    readonly path: string;
    readonly isRecorded: boolean;
  }) => void;
}

export interface Replay extends LoopbackServer {
  /** Number of calls in the archive. */
  readonly calls: number;
  /** Whether the archive was truncated, which loses its last call. */
  readonly isRecovered: boolean;
}

export async function createReplay({ file, port, clock, timing = false, onAnswered }: ReplayOptions): Promise<Replay> {
  const { entries, isRecovered } = await readHarFile(file);
  const recorded = await createRecordedCalls(entries);
  const isOver = new AbortController();

  const server = await listenOnLoopback(port, clock, async (request, response) => {
    const call: RecordedRequest = {
      method: request.method,
      address: request.url,
      headers: request.headers,
      content: await readContent(request, request.headers),
    };
    const path = textBefore(call.address, '?');
    const login = answerLogin(call, `http://${request.headers.host}`, () => recorded.find(call)?.entry);
    if (login) {
      onAnswered?.({ method: call.method, path: redactPath(path), isRecorded: true });
      response.writeHead(login.status, login.headers).end(login.body);
      return;
    }
    const found = recorded.find(call);
    onAnswered?.({ method: call.method, path: redactPath(path), isRecorded: found !== undefined });
    if (!found && answerValidation(call, clock, response)) return;
    if (!found) throw notRecorded(recorded.nearest(call));
    if (timing) await pause(clock, found.entry.time, isOver.signal).catch(() => undefined);
    replayAnswer(request, response, found.entry, found.bound, isOver.signal);
  });
  return {
    url: server.url,
    calls: recorded.size,
    isRecovered,
    async close() {
      isOver.abort();
      await server.close();
    },
  };
}

const notRecorded = (nearest: string): AppError =>
  new AppError('NOT_RECORDED', {
    message: `The recording has no such call. ${nearest}`,
    hint: 'Record the flow again, including this call.',
    details: { nearest },
  });

/** Headers that describe the original bytes. */
const byteHeaders = ['content-length', 'content-encoding'];

/** Headers of the answer, except those that other programs wrote into the archive and that are invalid (RFC 9110 5.5). */
function headersToSend({ response }: HarEntry): Record<string, string> {
  const { 'set-cookie': _cookies, ...headers } = endToEnd(headersOf(response.headers), byteHeaders);
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => /^[\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)),
  );
}

function replayAnswer(
  request: ServerRequest,
  response: ServerResponse,
  entry: HarEntry,
  bound: ReadonlyMap<string, string>,
  over: AbortSignal,
): void {
  const { status } = entry.response;
  // The recorded connection closed before an answer.
  if (status < 100) return void response.destroy();
  const headers = headersToSend(entry);
  const { endpoint } = endpointAt(request.method, textBefore(request.url, '?')).found ?? {};
  const body = buildBody(entry, bound);
  if (endpoint && isEventStream(endpoint) && status === 200) {
    response.writeHead(status, headers);
    response.write(body.length === 0 ? comment : body);
    // An event stream stays open: clients would reconnect again and again.
    const beat = setInterval(() => response.write(comment), 15_000);
    const end = () => void response.end();
    over.addEventListener('abort', end);
    response.once('close', () => {
      clearInterval(beat);
      over.removeEventListener('abort', end);
    });
    return;
  }
  const isWithout = status === 204 || status === 304;
  response.writeHead(status, { ...headers, ...(!isWithout && { 'content-length': String(body.length) }) });
  response.end(request.method === 'HEAD' || isWithout ? undefined : body);
}

/** The body, with values of these calls instead of the recorded ones. */
function buildBody(entry: HarEntry, bound: ReadonlyMap<string, string>): Buffer {
  const { text = '', encoding } = entry.response.content;
  if (encoding === 'base64') return Buffer.from(text, 'base64');
  const type = headersOf(entry.response.headers)['content-type'] ?? entry.response.content.mimeType;
  if (!/[/+]json\b/.test(type)) return Buffer.from(text);
  try {
    return Buffer.from(JSON.stringify(withValues(completeBody(JSON.parse(text), entry), bound)));
  } catch {
    return Buffer.from(text);
  }
}

/** Turns an answer redacted by the inspector, with sizes instead of texts, into a valid one. */
function completeBody(body: unknown, { request, response }: HarEntry): unknown {
  if (!response.content.text?.includes('‹')) return body;
  const { endpoint } = endpointAt(request.method, new URL(request.url).pathname).found ?? {};
  const data = (endpoint?.responses as Readonly<Record<number, JsonSchema>> | undefined)?.[response.status];
  if (!endpoint || !data) return body;
  return createStandIns({ as: 'written' }).answer(body, endpoint.answer === 'envelope' ? envelope(data) : data);
}

function withValues(value: unknown, bound: ReadonlyMap<string, string>, name = ''): unknown {
  if (typeof value === 'string') {
    const actual = bound.get(value);
    return actual === undefined ? value : name === 'display_name' ? displayName(actual) : actual;
  }
  if (Array.isArray(value)) return value.map((item) => withValues(item, bound, name));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [bound.get(name) ?? name, withValues(inner, bound, name)]),
  );
}
