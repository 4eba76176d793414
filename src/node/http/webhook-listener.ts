/** A receiver of webhooks on this machine, for trying them out: `laudio webhook listen`. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { WebhookEvent } from '../../contract/events.ts';
import type { Clock } from '../../domain/clock.ts';
import { verifyWebhook, webhookHeaders, webhookKey } from './webhook-signature.ts';
import type { WebhookRefusal } from './webhook-signature.ts';

/** A received request. Only requests that a known secret signed are shown. */
export type HeardWebhook =
  | {
      readonly verified: true;
      readonly id: string;
      readonly event: WebhookEvent;
      /** This id was heard before: sent again because the answer was lost, or replayed. */
      readonly repeated: boolean;
    }
  | {
      readonly verified: false;
      readonly id: string | null;
      readonly event: null;
      readonly reason: WebhookRefusal | 'body';
    };

export interface WebhookListener {
  /** The listener's address: `http://127.0.0.1:41234/`. */
  readonly url: string;
  /** In order of arrival; can be walked once, ends with `close`. */
  readonly heard: AsyncIterable<HeardWebhook>;
  close(): Promise<void>;
}

export interface WebhookListenerOptions {
  /** `whsec_…`; any of them may have signed. Read at each request: one may be added later. */
  readonly secrets: readonly string[];
  readonly clock: Clock;
  /** Default: a free one. */
  readonly port?: number;
  /** Longest body in bytes; default 1 MiB. */
  readonly limit?: number;
}

/** How many ids are remembered for telling repeats. */
const memory = 10_000;

const listenOn = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });

/**
 * The raw body; `undefined` past `limit` bytes: a longer body is read to its end, so that an answer can follow, and
 * dropped.
 */
async function bodyOf(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

/** The event of a verified body; `undefined` for a body without an event. */
function eventOf(body: Buffer): WebhookEvent | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && 'type' in value ? (value as WebhookEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** Judges a request: returns the status of the answer, and the delivery to pass on, if any. */
function createJudge({ secrets, clock }: WebhookListenerOptions) {
  const known = new Set<string>();
  return (headers: IncomingMessage['headers'], body: Buffer): { status: number; heard: HeardWebhook } => {
    const verdict = verifyWebhook({ headers, body, now: clock.now() }, secrets);
    if (!verdict.ok) {
      const id = headers[webhookHeaders.id];
      return {
        status: 401,
        heard: { verified: false, id: typeof id === 'string' ? id : null, event: null, reason: verdict.reason },
      };
    }
    const { id } = verdict;
    const event = eventOf(body);
    if (!event) return { status: 400, heard: { verified: false, id, event: null, reason: 'body' } };
    const repeated = known.has(id);
    known.delete(id);
    known.add(id);
    if (known.size > memory) known.delete(known.values().next().value!);
    return { status: 204, heard: { verified: true, id, event, repeated } };
  };
}

/**
 * Listens on 127.0.0.1 and answers 204 to what is verified, 401 to what is not (400, 405, 413 to what is no webhook at
 * all). Rejects where the port is taken or a secret is none.
 */
export async function createWebhookListener(options: WebhookListenerOptions): Promise<WebhookListener> {
  for (const secret of options.secrets) webhookKey(secret);
  const judge = createJudge(options);
  const heard = new Readable({ objectMode: true, read: () => undefined });
  const answer = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== 'POST') return 405;
    const body = await bodyOf(request, options.limit ?? 1024 * 1024);
    if (!body) return 413;
    const judged = judge(request.headers, body);
    if (!heard.destroyed) heard.push(judged.heard);
    return judged.status;
  };
  const server = createServer({ requestTimeout: 15_000 }, (request, response) => {
    answer(request).then(
      (status) => response.writeHead(status, status === 405 ? { allow: 'POST' } : {}).end(),
      () => response.destroy(),
    );
  });
  await listenOn(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    heard: heard as AsyncIterable<HeardWebhook>,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          if (!heard.destroyed) heard.push(null);
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
