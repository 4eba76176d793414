/** The app at several processes of a server, behind a balancer that sends each request to the next one. */
import { Readable } from 'node:stream';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { builtInTestClient } from '../../server/index.ts';
import { mountWeb } from '../../desktop/web/index.ts';
import type { Logged } from './app-host.ts';
import { emptyPage, machine, setupCode } from './app-host.ts';
import { startTwo } from './two-servers.ts';
import { webBrowser } from './web-browser.ts';
import type { WebBrowser } from './web-browser.ts';

const origin = 'https://laudio.example';

export async function startBalancedApp() {
  const logged: Logged[] = [];
  const page = await emptyPage();
  const mount = mountWeb({
    ...machine(logged),
    directory: '',
    page,
    testClient: builtInTestClient,
    setupCode,
  });
  const two = await startTwo({
    mount,
    operatorToken: 'operator-of-both',
    publicUrl: origin,
    testClient: true,
    listen: true,
    isPrompt: true,
  });
  /** The servers that take requests, by their addresses. */
  let reached: readonly string[] = two.servers.map(({ server }) => server.url);
  let turn = 0;
  /** As `fetch`, which lets nobody choose the Host. */
  const send = (async (input, init = {}) => {
    const { pathname, search, host } = new URL(String(input));
    const address = reached[turn++ % reached.length];
    const { statusCode, headers, body } = await request(`${address}${pathname}${search}`, {
      method: (init.method ?? 'GET') as 'GET',
      headers: { ...(init.headers as Record<string, string>), host },
      ...(init.body && { body: init.body instanceof ArrayBuffer ? Buffer.from(init.body) : String(init.body) }),
      ...(init.signal && { signal: init.signal }),
    });
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    );
    const isEmpty = [204, 304].includes(statusCode);
    return new Response(isEmpty ? null : (Readable.toWeb(body) as ReadableStream), {
      status: statusCode,
      headers: pairs,
    });
  }) as typeof fetch;
  return {
    ...two,
    logged,
    browse(): WebBrowser {
      const browser = webBrowser(origin, send);
      onTestFinished(() => browser.close());
      return browser;
    },
    /** Sends all requests to these from now on. */
    reach(...urls: readonly string[]) {
      reached = urls;
    },
    /** The address of the server that has the desk, and the addresses of the others. */
    holderOf(desk: string) {
      const nth = two.servers.findIndex((_, index) => two.hub.holderOf(`desk ${desk}`) === `member ${index + 1}`);
      return {
        member: `member ${nth + 1}`,
        api: two.servers[nth]!,
        others: two.servers.filter((_, n) => n !== nth).map(({ server }) => server.url),
      };
    },
  };
}
