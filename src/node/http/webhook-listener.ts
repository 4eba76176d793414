/** A receiver of webhooks on this machine, for trying them out: `laudio webhook listen`. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { WebhookEvent } from '../../contract/events.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ForwardResult, WebhookForwarder } from './webhook-forwarder.ts';
import { verifyWebhook, webhookHeaders, webhookKey } from './webhook-signature.ts';
import type { WebhookRefusal } from './webhook-signature.ts';
import { removeOldest } from '../../domain/oldest.ts';

/** A received request. Only requests that a known secret signed are shown. */
export type HeardWebhook =
  | {
      readonly verified: true;
      readonly id: string;
      readonly event: WebhookEvent;
      /** Whether this id was received before: repeated because the answer was lost or no 2xx, or replayed. */
      readonly repeated: boolean;
      /** The headers that were signed, by name. */
      readonly headers: Readonly<Record<string, string>>;
      /** The body as it arrived. */
      readonly body: string;
      /** The answer of the forwarding target, if there is one. */
      readonly forwarded?: ForwardResult;
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
  /** In order of arrival; can be iterated once, ends with `close`. */
  readonly heard: AsyncIterable<HeardWebhook>;
  close(): Promise<void>;
}

export interface WebhookListenerOptions {
  /** `whsec_…`; any of them may have signed. Read at each request: one may be added later. */
  readonly secrets: readonly string[];
  readonly clock: Clock;
  /** Whether events of any age are accepted: the sender simulates a time. */
  readonly anyAge?: boolean;
  /** Default: a free one. */
  readonly port?: number;
  /** Longest body in bytes; default 1 MiB. */
  readonly limit?: number;
  /** Receives each verified request; its answer becomes the listener's, so that the sender sees the real receiver. */
  readonly forwarder?: WebhookForwarder;
}

/** The number of ids that are remembered to detect repetitions. */
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
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

/** The event of a verified body; `undefined` for a body without an event. */
function parseEvent(body: Buffer): WebhookEvent | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && 'type' in value ? (value as WebhookEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** Judges a request: returns the status of the answer, and the delivery to pass on, if any. */
function createJudge({ secrets, clock, anyAge = false }: WebhookListenerOptions) {
  const known = new Set<string>();
  return (headers: IncomingMessage['headers'], body: Buffer): { status: number; heard: HeardWebhook } => {
    const now = anyAge ? Number(headers[webhookHeaders.timestamp]) * 1000 : clock.now();
    const verdict = verifyWebhook({ headers, body, now }, secrets);
    if (!verdict.ok) {
      const id = headers[webhookHeaders.id];
      return {
        status: 401,
        heard: { verified: false, id: typeof id === 'string' ? id : null, event: null, reason: verdict.reason },
      };
    }
    const { id } = verdict;
    const event = parseEvent(body);
    if (!event) return { status: 400, heard: { verified: false, id, event: null, reason: 'body' } };
    const repeated = known.has(id);
    known.delete(id);
    known.add(id);
    if (known.size > memory) removeOldest(known);
    const signed = Object.values(webhookHeaders).map((name) => [name, String(headers[name])] as const);
    const heard = { verified: true, id, event, repeated, headers: Object.fromEntries(signed), body: body.toString() };
    return { status: 204, heard: heard as HeardWebhook };
  };
}

/** The listener's answer to a request. */
interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** The answer of the forwarding target, unchanged; 502 if there is none. */
const passedOn = ({ http_status, retry_after }: ForwardResult): Answer => ({
  status: http_status ?? 502,
  ...(retry_after !== undefined && { headers: { 'retry-after': retry_after } }),
});

/**
 * Listens on 127.0.0.1 and answers 204 to verified requests, 401 to others (400, 405, 413 to requests that are no
 * webhook). With a forwarder it answers as the forwarding target does: only the sender retries, by its schedule.
 * Rejects if the port is in use or a secret is invalid.
 */
export async function createWebhookListener(options: WebhookListenerOptions): Promise<WebhookListener> {
  for (const secret of options.secrets) webhookKey(secret);
  const judge = createJudge(options);
  const heard = new Readable({ objectMode: true, read: () => undefined });
  let isOver = false;
  const tell = (webhook: HeardWebhook): void => {
    if (!isOver && !heard.destroyed) heard.push(webhook);
  };
  const answer = async (request: IncomingMessage, gone: AbortSignal): Promise<Answer> => {
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
    const body = await readBody(request, options.limit ?? 1024 * 1024);
    if (!body) return { status: 413 };
    const { headers } = request;
    const judged = judge(headers, body);
    const type = judged.heard.event?.type;
    const forwarded = type && (await options.forwarder?.forward(type, { headers, body }, gone));
    tell(forwarded ? ({ ...judged.heard, forwarded } as HeardWebhook) : judged.heard);
    return forwarded ? passedOn(forwarded) : { status: judged.status };
  };
  const server = createServer({ requestTimeout: 15_000 }, (request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    answer(request, gone.signal).then(
      ({ status, headers = {} }) => response.writeHead(status, headers).end(),
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
          if (!isOver && !heard.destroyed) heard.push(null);
          isOver = true;
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
