/** A partner's endpoint on loopback that answers as it is told, for as long as the test runs. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A status with headers, or what to do with the response. */
export type Reply = number | { status: number; headers: Record<string, string> } | ((response: ServerResponse) => void);

export interface Receiver {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** From now on. */
  reply: Reply;
  /** Resolves once so many requests have arrived in all. */
  arrived(count: number): Promise<void>;
}

export async function createReceiver(reply: Reply = 204): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
    for (const look of waiting) look();
    const { reply: how } = receiver;
    if (typeof how === 'function') how(response);
    else if (typeof how === 'number') response.writeHead(how).end();
    else response.writeHead(how.status, how.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    reply,
    arrived: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (requests.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return receiver;
}
