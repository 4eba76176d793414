/** A simulator that is called over HTTP: listens, answers, and reports what arrives. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Context } from '../context.ts';
import { serveCalls, chooseFault, listenOn } from './called-peer.ts';
import type { PlaceWords, ReceivedEvents } from './called-peer.ts';
import { outcome } from './fhir-resources.ts';
import type { SimulatedEvent } from './simulator.ts';

export interface PeerRequest {
  readonly method: string;
  /** Path and query; the host is that of the simulator. */
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface PeerResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes go as they are, everything else as JSON. */
  readonly body?: unknown;
  /** The reported event of the request; absent: none, as for a health check. */
  readonly event?: Pick<SimulatedEvent, 'what' | 'more'>;
  /** Calls the other side once the answer is sent, and reports how that went. */
  readonly after?: (add: ReceivedEvents['add']) => Promise<void>;
  /** The fault that replaces the answer. */
  readonly fault?: 'silent' | 'broken';
}

/** Answers requests until `isDone`, or Ctrl-C; `path` is appended to the reported address. */
export function answerHttp(
  context: Context,
  { path, ...words }: PlaceWords & { readonly path: string },
  answer: (asked: PeerRequest) => PeerResponse,
  isDone: (events: readonly SimulatedEvent[]) => boolean,
): Promise<readonly SimulatedEvent[]> {
  return serveCalls(context, words, async (place, { events, add, end }) => {
    const { tls } = place;
    const scheme = tls ? 'https' : 'http';
    const understood = (asked: PeerRequest): PeerResponse => {
      try {
        return answer(asked);
      } catch {
        const event = { what: asked.method, more: 'not understood' };
        return { status: 400, body: outcome('The simulator does not understand the request.'), event };
      }
    };

    let calls = 0;
    async function finish(after: PeerResponse['after']): Promise<void> {
      calls += 1;
      await after?.(add);
      calls -= 1;
      if (calls === 0 && isDone(events)) end();
    }

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const body = await buffer(request);
      const url = new URL(request.url ?? '/', `${scheme}://${request.headers.host ?? 'localhost'}`);
      const answered = understood({ method: request.method ?? '', url, headers: request.headers, body });
      const { status, headers, event, after, fault } = answered;
      if (event) add({ ...event, answer: fault ? 'none' : String(status), isGood: !fault && status < 300 });
      // The next request must find a running simulator; the last one is answered before it ends.
      response.once('close', () => void finish(after));
      if (fault === 'silent') return;
      if (fault === 'broken') return void response.destroy();
      const { body: said } = answered;
      const content = said === undefined ? '' : said instanceof Uint8Array ? said : JSON.stringify(said);
      const type = content === '' ? {} : { 'content-type': 'application/fhir+json' };
      response.writeHead(status, { ...type, ...headers }).end(request.method === 'HEAD' ? undefined : content);
    }

    const take = (request: IncomingMessage, response: ServerResponse): void =>
      void serve(request, response).catch(() => response.destroy());
    const server = tls ? createTlsServer({ ...tls, requestCert: tls.ca !== undefined }, take) : createServer(take);
    const at = `${scheme}://${await listenOn(server, place)}${path}`;
    return {
      at,
      async close() {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      },
    };
  });
}

/** Possible faults of a system that receives documents over HTTP. */
export const receivingFaults = {
  refuse: '422: it is not to be sent again unchanged',
  busy: '503: it is to be sent again later',
  silent: 'no answer',
  broken: 'the connection ends before the answer',
  once: 'the other faults strike the first document alone',
} as const;

const instead: Readonly<Record<string, PeerResponse>> = {
  refuse: { status: 422, body: { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'invalid' }] } },
  busy: { status: 503, headers: { 'retry-after': '1' } },
  silent: { status: 0, fault: 'silent' },
  broken: { status: 0, fault: 'broken' },
};

/** The fault for a document after `before` others; `undefined`: none. */
export function failing(faults: ReadonlySet<string>, before: number): PeerResponse | undefined {
  const fault = chooseFault(faults, before);
  return fault === undefined ? undefined : instead[fault];
}
