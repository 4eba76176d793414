/** A small HTTP server on loopback that answers as a test wants and remembers what it was asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The body as it came. */
  readonly bytes: Buffer;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes as JSON, pieces one after the other. `cut` ends the connection instead of answering. */
  readonly body?: unknown;
  readonly cut?: true;
}

export interface TestServer {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

const isPieces = (body: unknown): body is AsyncIterable<string> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

export async function startHttpServer(
  reply: (asked: Asked, count: number) => Reply | Promise<Reply>,
): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const bytes = await buffer(request);
    const entry: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: bytes.toString('utf8'),
      bytes,
    };
    asked.push(entry);
    const { status = 200, headers = {}, body, cut } = await reply(entry, asked.length);
    if (cut) {
      request.socket.destroy();
      return;
    }
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    if (isPieces(body))
      Readable.from(body)
        .on('error', () => {})
        .pipe(response);
    else response.end(isText ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const meta = { request_id: 'req_1', timestamp: '2026-03-02T11:30:00.000Z' };

/** Success and failure envelopes (specification 2.7). */
export const succeeded = (data: unknown, status = 200): Reply => ({ status, body: { success: true, data, meta } });
export const failed = (
  status: number,
  code: string,
  details?: object,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  headers,
  body: { success: false, error: { code, message: `${code} it is`, ...(details && { details }) }, meta },
});
