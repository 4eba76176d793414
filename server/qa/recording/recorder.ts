/** `laudio serve --record`: forwards all calls to a service, and stores those of the API in an archive, with stand-ins. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { isLoopback, isUnencrypted, normaliseServer } from '../../../src/client/address.ts';
import type { IncomingAnswer } from '../../../src/client/transport.ts';
import type { Method } from '../../../src/contract/endpoint.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { contract } from '../../../src/contract/index.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { endToEnd } from '../../../src/node/http/end-to-end.ts';
import { createHttpCall } from '../../../src/node/http/http-call.ts';
import { readContent } from './content.ts';
import type { Content } from './content.ts';
import { toHarEntry } from './exchange.ts';
import type { RecordedAnswer, RecordedRequest } from './exchange.ts';
import { createHarFile } from './har-file.ts';
import type { HarFile } from './har-file.ts';
import { listenOnLoopback, sendFailure } from './loopback-server.ts';
import type { LoopbackServer, ServerRequest } from './loopback-server.ts';
import { createStandIns } from './stand-ins.ts';
import { textBefore } from '../../../src/domain/text-before.ts';

export interface RecorderOptions {
  readonly file: string;
  /** Whether an existing file is replaced. */
  readonly replaces: boolean;
  /** Base URL of the service: https, or loopback. */
  readonly upstream: string;
  /** Whether a remote service may lack TLS. */
  readonly insecure?: boolean;
  readonly port: number;
  readonly version: string;
  readonly clock: Clock;
  /** Proxy settings for the way to the service. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called for each call that was written to the file. */
  readonly onRecorded?: (call: { readonly method: string; readonly path: string; readonly status: number }) => void;
  /** Called if a call could not be written. */
  readonly onTrouble: (error: unknown) => void;
}

/** Timeout in ms without data from the service; its event streams send something every few seconds. */
const patience = 15 * 60_000;

export async function createRecorder(options: RecorderOptions): Promise<LoopbackServer> {
  const { clock, version, onTrouble, onRecorded } = options;
  const base = checkUpstream(options);
  const opened = Promise.withResolvers<HarFile>();
  const { transport, close: closeConnections } = createHttpCall({ timeout: patience, env: options.env });
  const standIns = createStandIns({ as: 'written' });
  const running = new Set<Promise<void>>();
  const isOver = new AbortController();

  const pass = async (request: ServerRequest, response: ServerResponse, own: string): Promise<void> => {
    const { method, url: address } = request;
    const watched = isRecorded(address);
    const startedAt = new Date(clock.now()).toISOString();
    const started = clock.elapsed();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, isOver.signal]);
    const [sent, received] = [tee(), tee()];
    const sentContent = watched ? readContent(sent.copy, request.headers) : skipContent(sent.copy);
    const write = async (answer: RecordedAnswer | undefined): Promise<void> => {
      sent.end();
      const call: RecordedRequest = {
        method,
        address,
        headers: request.headers,
        content: await sentContent,
      };
      if (!watched) return;
      const duration = Math.round(10 * (clock.elapsed() - started)) / 10;
      const entry = toHarEntry({ request: call, bytesAsked: sent.size(), answer, startedAt, duration }, standIns, base);
      try {
        await (await opened.promise).append(entry);
        onRecorded?.({
          method: call.method,
          path: decodeURIComponent(new URL(entry.request.url).pathname),
          status: entry.response.status,
        });
      } catch (error) {
        onTrouble(error);
      }
    };

    let answer: IncomingAnswer;
    try {
      answer = await transport({
        method: request.method as Method,
        url: `${base}${address}`,
        headers: requestHeaders(request, base, own),
        ...(hasBody(request) && { body: sent.through(request) }),
        signal,
      });
    } catch (error) {
      // The client has disconnected: there was no answer.
      if (gone.signal.aborted || isOver.signal.aborted) return write(undefined);
      const refused = toUpstreamError(error);
      sendFailure(response, refused, clock);
      return write({
        status: 502,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        content: { kind: 'json', value: { success: false, error: { code: refused.code }, meta: metaAt(startedAt) } },
        bytes: 0,
      });
    }
    const content = watched ? readContent(received.copy, answer.headers) : skipContent(received.copy);
    const isWhole = await passAnswer(answer, response, { received, base, own, address }).catch(() => false);
    received.end();
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
    const { status, headers } = answer;
    await write(
      // An event stream ends when its reader disconnects; any other answer is incomplete then.
      isWhole || isStream ? { status, headers, content: await content, bytes: received.size() } : undefined,
    );
  };

  const server = await listenOnLoopback(options.port, clock, async (request, response) => {
    const work = pass(request, response, `http://${request.headers.host}`);
    running.add(work);
    await work.finally(() => running.delete(work));
  }).catch(async (error: unknown) => {
    await closeConnections();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await server.close();
    await closeConnections();
  };
  // A port that is taken must neither leave an empty archive nor replace the last one.
  const file = await createHarFile(options.file, { version, replaces: options.replaces }).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  opened.resolve(file);
  return {
    url: server.url,
    async close() {
      isOver.abort();
      await Promise.allSettled(running);
      await stop();
      await file.close();
    },
  };
}

/** CONFIGURATION for a URL that would transmit patient data unencrypted. */
function checkUpstream({ upstream, insecure = false }: RecorderOptions): string {
  const base = normaliseServer(upstream);
  if (insecure || isLoopback(new URL(base).hostname) || !isUnencrypted(base)) return base;
  throw new AppError('CONFIGURATION', {
    message: `${base} is not encrypted, but recorded calls may contain patient data.`,
    hint: 'Use https, or add --insecure-upstream.',
  });
}

/** Calls to API paths, existing or not, but not pages or files of an app. */
const isRecorded = (address: string): boolean => /^\/(?:api|\.well-known)\//.test(address);

const pathOf = (address: string): string => textBefore(address, '?');

/** Whether the headers announce a body (RFC 9112 6). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Replaces the recorder's own address in the headers by that of the service. */
function requestHeaders({ headers, url = '' }: IncomingMessage, base: string, own: string): Record<string, string> {
  // An answer that will be rewritten must be uncompressed.
  const { origin, referer, cookie, ...kept } = endToEnd(
    headers,
    rewrittenPaths.has(pathOf(url)) ? ['accept-encoding'] : [],
  );
  const service = new URL(base).origin;
  return {
    ...kept,
    ...(origin !== undefined && { origin: origin === own ? service : origin }),
    ...(referer !== undefined && { referer: referer.replace(own, base) }),
    ...(cookie !== undefined && { cookie: restoreCookies(cookie) }),
  };
}

interface Tee {
  /** A copy of everything that passed, independent of the original's reader. */
  readonly copy: PassThrough;
  through(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  size(): number;
  end(): void;
}

/** Duplicates a stream while it is read, at the pace of its reader. */
function tee(): Tee {
  const copy = new PassThrough();
  copy.on('error', () => undefined);
  let size = 0;
  return {
    copy,
    async *through(source) {
      for await (const chunk of source) {
        size += chunk.length;
        if (!copy.destroyed && !copy.write(chunk))
          await Promise.race([once(copy, 'drain'), once(copy, 'close')]).catch(() => undefined);
        yield chunk;
      }
      copy.end();
    },
    size: () => size,
    end: () => void (copy.writableEnded || copy.end()),
  };
}

async function skipContent(copy: PassThrough): Promise<Content> {
  copy.resume();
  return { kind: 'none' };
}

interface Passing {
  readonly received: Tee;
  readonly base: string;
  /** The recorder's URL as the client sees it. */
  readonly own: string;
  readonly address: string;
}

/** Answers whose URLs are rewritten, because clients follow them and must stay with the recorder. */
const rewrittenPaths: ReadonlySet<string> = new Set(
  [contract.oauth.endpoints.metadata, contract.oauth.endpoints.deviceAuthorization].map(({ path }) => path),
);
const maxRewrittenBytes = 1024 * 1024;

/** Resolves to whether the answer was complete. */
async function passAnswer(
  answer: IncomingAnswer,
  response: ServerResponse,
  { received, base, own, address }: Passing,
): Promise<boolean> {
  const { 'set-cookie': _joined, 'strict-transport-security': _pinned, ...headers } = endToEnd(answer.headers);
  const { location } = headers;
  const cookies = answer.cookies?.map(rewriteCookie) ?? [];
  const head: Record<string, string | string[]> = {
    ...headers,
    ...(location !== undefined && { location: rewriteLocation(location, base, own) }),
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
  };
  if (rewrittenPaths.has(pathOf(address)) && headers['content-encoding'] === undefined) {
    const text = await wholeText(received.through(answer.body));
    const rewritten = text.replaceAll(base, own);
    response
      .writeHead(answer.status, { ...head, 'content-length': String(Buffer.byteLength(rewritten)) })
      .end(rewritten);
    return true;
  }
  response.writeHead(answer.status, head);
  // Sends headers at once, so that even the first event arrives immediately.
  response.flushHeaders();
  try {
    for await (const chunk of received.through(answer.body)) {
      if (response.destroyed) return false;
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
  } catch (error) {
    response.destroy();
    throw error;
  }
  response.end();
  return true;
}

async function wholeText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxRewrittenBytes) throw new AppError('UPSTREAM_UNAVAILABLE', { message: 'Its answer is too long.' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Prefix for cookie names that browsers accept only with TLS (RFC 6265bis 4.1.3), which the recorder lacks. */
const rewriteCookie = (cookie: string): string =>
  cookie.replace(/^__(?=Host-|Secure-)/, 'recorded__').replaceAll(/;\s*(?:secure|domain=[^;]*)(?=;|$)/gi, '');

const restoreCookies = (cookies: string): string => cookies.replaceAll(/(^|;\s*)recorded__(?=Host-|Secure-)/g, '$1__');

/** Redirects to the service lead to the recorder; others name the recorder as issuer (RFC 9207), as the client expects. */
function rewriteLocation(location: string, base: string, own: string): string {
  if (location === base || location.startsWith(`${base}/`)) return own + location.slice(base.length);
  if (!URL.canParse(location)) return location;
  const url = new URL(location);
  if (url.searchParams.get('iss') !== base) return location;
  url.searchParams.set('iss', own);
  return url.href;
}

function toUpstreamError(error: unknown): AppError {
  const cause = error instanceof AppError ? error.message : 'The service could not be reached.';
  return new AppError('UPSTREAM_UNAVAILABLE', {
    message: cause,
    hint: 'The recorder is running, but the service does not answer. Check --upstream.',
  });
}

const metaAt = (timestamp: string) => ({ request_id: 'req_recorder', timestamp });
