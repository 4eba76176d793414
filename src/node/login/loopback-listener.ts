/**
 * The target of a login's redirect: a listener on this computer (RFC 8252 7.3). Anything on this computer can send
 * requests there, so only the request that knows the login's `state` is its answer; everything else gets a page and
 * changes nothing (RFC 8252 8.1).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isolatedPage } from '../http/page-headers.ts';
import { loginFailedPage, otherLoginPage } from './login-page.ts';
import type { LoginPage } from './login-page.ts';

export interface Callback {
  readonly query: URLSearchParams;
  /** Answers the waiting browser with the end of the login. Resolves when the page was sent. */
  answer(page: LoginPage): Promise<void>;
}

export interface LoopbackListener {
  readonly redirectUri: string;
  /** The first request that has this state; there is no second. */
  callback(state: string): Promise<Callback>;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1, at a port of the system's choice, for `path`. */
export async function openLoopbackListener(path: string): Promise<LoopbackListener> {
  const { promise: callback, resolve: receive } = Promise.withResolvers<Callback>();
  let origin = '';
  let expected: string | undefined;
  let received = false;
  const server = createServer((request, response) => {
    const { target, query } = parseTarget(request.url ?? '');
    const refusal = findRefusal(request, target, path, origin);
    if (refusal !== undefined) {
      response.writeHead(refusal, { ...headers, ...(refusal === 405 && { allow: 'GET' }) }).end();
    } else if (expected === undefined || !hasState(query, expected)) {
      void send(response, otherLoginPage());
    } else if (received) {
      void send(response, loginFailedPage('This login has already come back once.'));
    } else {
      received = true;
      receive({ query, answer: (page) => send(response, page) });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    redirectUri: `${origin}${path}`,
    callback(state) {
      expected = state;
      return callback;
    },
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

/** The target of a request line can be any text, and need not be part of a URL. */
function parseTarget(url: string): { readonly target: string; readonly query: URLSearchParams } {
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  return { target: url.slice(0, end), query: new URLSearchParams(url.slice(end)) };
}

/** Checks Host, since a page of another origin could reach this port by a name that it controls (DNS rebinding). */
function findRefusal(
  { headers: sent, method }: IncomingMessage,
  target: string,
  path: string,
  origin: string,
): number | undefined {
  if (`http://${sent.host ?? ''}` !== origin) return 403;
  if (target !== path) return 404;
  return method === 'GET' ? undefined : 405;
}

/** A request with the right state belongs to this login, even if its other parameters are refused later. */
const hasState = (query: URLSearchParams, state: string): boolean =>
  query.getAll('state').some((candidate) => timingSafeEqual(digestOf(candidate), digestOf(state)));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const send = (response: ServerResponse, { status, html }: LoginPage): Promise<void> =>
  new Promise((resolve) => {
    response.once('close', resolve);
    response.writeHead(status, {
      ...headers,
      ...isolatedPage,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    });
    response.end(html);
  });
