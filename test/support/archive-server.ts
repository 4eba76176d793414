/** A server on loopback that gives one file, well or badly. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers a request. `body` is what the server has; `from` where the wanted range begins, 0 without a range. */
export type Behaviour = (answer: ServerResponse, body: Buffer, from: number, request: IncomingMessage) => void;

export interface ArchiveServer {
  readonly url: string;
  /** The headers of each request, and its path. */
  readonly asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** The file, which may change. */
  body: Buffer;
  etag: string | undefined;
  /** What becomes of the next requests; after the last, all goes well. */
  readonly next: Behaviour[];
  close(): Promise<void>;
}

/** As a good server answers; with `bytes`, only that many of them before the connection is cut. */
export const well =
  (etag: string | undefined, bytes = Infinity): Behaviour =>
  (answer, body, from, request) => {
    const validator = request.headers['if-range'];
    const start = validator === undefined || validator === etag ? from : 0;
    const rest = body.subarray(start);
    if (start > 0 && rest.length === 0)
      return void answer.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
    answer.writeHead(start > 0 ? 206 : 200, {
      'content-length': rest.length,
      ...(start > 0 && { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` }),
      ...(etag !== undefined && { etag }),
    });
    if (bytes >= rest.length) return void answer.end(rest);
    if (bytes === 0) return void answer.destroy();
    answer.write(rest.subarray(0, bytes));
    cuts.push({ at: start + bytes, cut: () => answer.destroy() });
  };

const cuts: { readonly at: number; readonly cut: () => void }[] = [];
/** A connection is cut only once its reader has so many bytes: what is under way at a cut may be lost. */
export const haveRead = (bytes: number): void => {
  for (const { at, cut } of cuts) if (at <= bytes) cut();
};

/** Cuts the connection behind so many bytes. */
export const cutBehind =
  (bytes: number): Behaviour =>
  (answer, body, from, request) =>
    well(`"${body.length}"`, bytes)(answer, body, from, request);

/** Knows no ranges. */
export const whole: Behaviour = (answer, body) =>
  void answer.writeHead(200, { 'content-length': body.length }).end(body);

export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (answer) =>
    void answer.writeHead(code, headers).end('an answer that nobody reads');

export async function startArchiveServer(body: Buffer): Promise<ArchiveServer> {
  const state = { body, etag: `"${body.length}"` as string | undefined };
  const next: Behaviour[] = [];
  const asked: ArchiveServer['asked'] = [];
  const server = createServer((request, answer) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    answer.on('error', () => {});
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    (next.shift() ?? well(state.etag))(answer, state.body, from, request);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    next,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
