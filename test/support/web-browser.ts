/** A browser as far as the app's transport goes: cookies, our own origin, and server-sent events. */
import { createHttpBridge } from '../../desktop/renderer/bridge-http.ts';
import type { EventStream } from '../../desktop/renderer/bridge-http.ts';
import type { Bridge } from '../../desktop/bridge/bridge.ts';

export interface WebBrowser {
  readonly origin: string;
  readonly cookies: Map<string, string>;
  /** As our page at this origin would ask. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** The first tab's. */
  readonly bridge: Bridge;
  /** Another tab, with the same cookies. */
  openTab(): Bridge;
  /** Follows redirects on our origin, as a person's click would. */
  visit(address: string, init?: RequestInit): Promise<Response>;
  close(): void;
}

/** `send`: where the origin's certificate is one that Node does not know. */
export function webBrowser(origin: string, send: typeof fetch = fetch): WebBrowser {
  const cookies = new Map<string, string>();
  const streams = new Set<EventStream>();
  const go = async (path: string, init: RequestInit = {}, headers: Record<string, string> = {}): Promise<Response> => {
    const response = await send(new URL(path, origin), {
      ...init,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
        ...(init.headers as Record<string, string>),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const ask = (path: string, init?: RequestInit) =>
    go(path, init, { 'sec-fetch-site': 'same-origin', ...(init?.method === 'POST' && { origin }) });
  const openEvents = (address: string): EventStream => {
    const stream = eventStream((signal) => ask(address, { signal }));
    streams.add(stream);
    return stream;
  };
  const openTab = (): Bridge => createHttpBridge({ fetch: (path, init) => ask(String(path), init), openEvents });
  return {
    origin,
    cookies,
    fetch: ask,
    bridge: openTab(),
    openTab,
    async visit(address, init) {
      let response = await go(address, init, { 'sec-fetch-site': 'none' });
      for (
        let location = response.headers.get('location');
        location !== null;
        location = response.headers.get('location')
      ) {
        const url = new URL(location, origin);
        if (url.origin !== origin) break;
        response = await go(`${url.pathname}${url.search}`, {}, { 'sec-fetch-site': 'none' });
      }
      return response;
    },
    close() {
      for (const stream of streams) stream.close();
    },
  };
}

/** What a browser's EventSource does, connecting again included. */
function eventStream(open: (signal: AbortSignal) => Promise<Response>): EventStream {
  const listeners = new Map<string, ((event: { data?: unknown }) => void)[]>();
  const tell = (type: string, data?: unknown) => {
    for (const listener of listeners.get(type) ?? []) listener({ data });
  };
  let readyState = 0;
  const ending = new AbortController();
  const close = () => {
    readyState = 2;
    ending.abort();
  };
  const connect = async (): Promise<void> => {
    const response = await open(ending.signal);
    if (response.status !== 200 || !response.body) return close();
    readyState = 1;
    tell('open');
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let rest = '';
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      const blocks = `${rest}${decoder.decode(value, { stream: true })}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const name = /^event: (.*)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (name !== undefined && data !== undefined) tell(name, data);
      }
    }
  };
  const keepConnected = async (): Promise<void> => {
    while (readyState !== 2) {
      await connect().catch(() => undefined);
      if (readyState !== 2) readyState = 0;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  queueMicrotask(() => void keepConnected());
  return {
    addEventListener: (type, listener) => void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    close,
    get readyState() {
      return readyState;
    },
  };
}
