/** Shared by recorder and replay: an HTTP server on loopback with its own errors. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../../../src/client/address.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { cannotListen } from '../../../src/node/listen-error.ts';
import { failure } from '../../http/plugins/errors.ts';

export interface LoopbackServer {
  readonly url: string;
  /** Aborts the calls in progress. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** A message as servers get it; those that clients get have no method and no address. */
export type ServerRequest = IncomingMessage & { readonly method: string; readonly url: string };

const isServerRequest = (message: IncomingMessage): message is ServerRequest =>
  message.method !== undefined && message.url !== undefined;

/** Answers a request; an AppError becomes the error envelope. */
export type Answerer = (request: ServerRequest, response: ServerResponse) => Promise<void>;

/** Listens on 127.0.0.1. CONFIGURATION if the port is unavailable; its cause has the code. */
export async function listenOnLoopback(port: number, clock: Clock, answer: Answerer): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    answerGuarded(request, response, answer).catch((error: unknown) => {
      const known = error instanceof AppError ? error : new AppError('INTERNAL_ERROR', { cause: error });
      if (response.headersSent) response.destroy();
      else sendFailure(response, known, clock);
    });
  });
  // Generating a report may take long; the service has its own timeouts.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(cause, host, port)));
    server.listen(port, host, resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Web pages could make a browser send requests here, by DNS rebinding or across origins (as in host-guard.ts). */
async function answerGuarded(request: IncomingMessage, response: ServerResponse, answer: Answerer): Promise<void> {
  const { host = '', origin } = request.headers;
  const [, name = '', port = '80'] = /^(\[[0-9a-f:]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  if (!isLoopback(name) || Number(port) !== request.socket.localPort)
    throw new AppError('FORBIDDEN', { message: 'This server does not answer to that Host.' });
  if (origin !== undefined && origin !== 'null' && origin !== `http://${host}`)
    throw new AppError('FORBIDDEN', { message: 'Requests from other origins are not allowed.' });
  if (!isServerRequest(request)) return void response.destroy();
  await answer(request, response);
}

export function sendFailure(response: ServerResponse, error: AppError, clock: Clock): void {
  const id = `req_${randomUUID()}`;
  sendJson(response, error.status ?? 500, failure(error, id, clock), { 'x-request-id': id });
}

/** Headers of answers that are not recorded ones. */
export const jsonHeaders = (): Record<string, string> => ({
  'x-request-id': `req_${randomUUID()}`,
  'x-processing-time': '0',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
});

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { ...jsonHeaders(), 'content-length': Buffer.byteLength(text), ...headers }).end(text);
}
