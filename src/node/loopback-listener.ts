/** Where the browser comes back to after a login: a listener on this computer, for one request (RFC 8252 7.3). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loginFailedPage } from './login-page.ts';
import type { LoginPage } from './login-page.ts';

export interface Callback {
  readonly query: URLSearchParams;
  /** The browser waits until it is told how the login ended. Resolves when the page was sent. */
  answer(page: LoginPage): Promise<void>;
}

export interface LoopbackListener {
  readonly redirectUri: string;
  /** The first callback; there is no second. */
  readonly callback: Promise<Callback>;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1, at a port of the system's choice, for `path`. */
export async function openLoopbackListener(path: string): Promise<LoopbackListener> {
  const { promise: callback, resolve: receive } = Promise.withResolvers<Callback>();
  let origin = '';
  let received = false;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin);
    const refusal = refusalOf(request, url, path, origin);
    if (refusal !== undefined) {
      response.writeHead(refusal, { ...headers, ...(refusal === 405 && { allow: 'GET' }) }).end();
    } else if (received) {
      void send(response, loginFailedPage('This login has already come back once.'));
    } else {
      received = true;
      receive({ query: url.searchParams, answer: (page) => send(response, page) });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    redirectUri: `${origin}${path}`,
    callback,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const headers = {
  connection: 'close',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** A page of another origin could reach this port by a name of its own (DNS rebinding), hence the check of Host. */
function refusalOf(
  { headers: sent, method }: IncomingMessage,
  url: URL,
  path: string,
  origin: string,
): number | undefined {
  if (`http://${sent.host ?? ''}` !== origin) return 403;
  if (url.pathname !== path) return 404;
  return method === 'GET' ? undefined : 405;
}

const send = (response: ServerResponse, { status, html }: LoginPage): Promise<void> =>
  new Promise((resolve) => {
    response.once('close', resolve);
    response.writeHead(status, {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    });
    response.end(html);
  });
