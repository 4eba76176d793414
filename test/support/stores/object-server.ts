/** A service of objects on this computer: PUT, GET by range, HEAD, DELETE, and a list by prefix. It ends with the test. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ObjectServer {
  readonly url: string;
  readonly key: string;
  /** Removes all objects. */
  empty(): void;
  close(): void;
}

export async function startObjectServer(): Promise<ObjectServer> {
  const key = randomUUID();
  const objects = new Map<string, { content: Buffer; etag: string }>();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://objects');
    const name = pathname.slice(1);
    const end = (status: number, headers: Record<string, string> = {}, body?: Buffer | string): void =>
      void response.writeHead(status, headers).end(body);
    if (request.headers.authorization !== `Bearer ${key}`) return end(401);
    if (request.method === 'PUT') {
      // Where it is cut off this rejects, and nothing is kept.
      const content = await buffer(request);
      objects.set(name, { content, etag: randomUUID() });
      return end(204);
    }
    if (name === '') {
      const prefix = searchParams.get('prefix') ?? '';
      const found = [...objects].filter(([each]) => each.startsWith(prefix));
      const list = found.map(([each, { content }]) => ({ name: each, bytes: content.length }));
      return end(200, { 'content-type': 'application/json' }, JSON.stringify(list));
    }
    const found = objects.get(name);
    if (!found) return end(404);
    if (request.method === 'DELETE') {
      objects.delete(name);
      return end(204);
    }
    const { content, etag } = found;
    if (request.method === 'HEAD') return end(200, { etag, 'content-length': String(content.length) });
    if (request.headers['if-match'] !== etag) return end(412);
    const [start, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!.slice(1).map(Number);
    return end(206, { etag }, content.subarray(start, last! + 1));
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    empty: () => objects.clear(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
