/** A proxy that ends TLS before a server, as an operator has it: nginx, Caddy or Apache with little more than `proxy_pass`. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent, fetch as undiciFetch } from 'undici';
import { onTestFinished } from 'vitest';

/** Signed by itself, for localhost, 127.0.0.1 and laudio.example.test; the key is of use to nobody. */
const certificatePath = fileURLToPath(new URL('tls/proxy.pem', import.meta.url));
export const certificate = readFileSync(certificatePath, 'utf8');
const key = readFileSync(new URL('tls/proxy.key', import.meta.url), 'utf8');

/** What makes a process of Node's believe the proxy. */
export const trustingEnvironment = { NODE_EXTRA_CA_CERTS: certificatePath };

/** As a program asks that was told to believe the proxy. */
export const trustingFetch: typeof fetch = (input, init) =>
  undiciFetch(input as URL, { ...init, dispatcher: trusting } as never) as unknown as Promise<Response>;
const trusting = new Agent({ connect: { ca: certificate } });

export interface TlsProxy {
  /** `https://localhost:41234`. */
  readonly url: string;
  /** To where it passes requests on: `http://127.0.0.1:8742`. */
  forwardTo(url: string): void;
}

export interface TlsProxyOptions {
  /** Whether it sends on the Host that it was asked for, or its own name for the server. Default: it does. */
  readonly keepsHost?: boolean;
  /** Whether it says for whom it asks. Default: it does. */
  readonly tells?: boolean;
}

/** Listens at once, so that a server can be told its address. */
export async function startTlsProxy({ keepsHost = true, tells = true }: TlsProxyOptions = {}): Promise<TlsProxy> {
  let target = new URL('http://127.0.0.1:1');
  const proxy = createServer({ key, cert: certificate }, (incoming, outgoing) => {
    const { headers, method, socket, url } = incoming;
    const forwarded = (name: string, value: string): string =>
      headers[name] === undefined ? value : `${String(headers[name])}, ${value}`;
    const passed: IncomingHttpHeaders = {
      ...headers,
      ...(!keepsHost && { host: target.host }),
      ...(tells && {
        'x-forwarded-for': forwarded('x-forwarded-for', socket.remoteAddress ?? ''),
        'x-forwarded-proto': 'https',
      }),
    };
    const passing = request(
      { host: target.hostname, port: target.port, method, path: url, headers: passed },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    passing.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passing.destroy());
    incoming.pipe(passing);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  );
  return {
    url: `https://localhost:${(proxy.address() as AddressInfo).port}`,
    forwardTo: (url) => void (target = new URL(url)),
  };
}
