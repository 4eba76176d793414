/** The bridge over HTTP: the page runs in a browser, the app in the server that sent the page. */
import { createKeyedListeners, createListeners } from '../../src/domain/listeners.ts';
import { eventNames } from '../bridge/events.ts';
import { lastingCalls } from '../bridge/calls.ts';
import { web } from '../bridge/carriers.ts';
import { pageMessage } from '../../src/contract/messages/page.ts';
import type { Bridge, BridgeError } from '../bridge/bridge.ts';
import type { CallName } from '../bridge/calls.ts';
import type { EventName } from '../bridge/events.ts';
import type { SessionState } from '../bridge/session.ts';

/** The browser features that the bridge uses. */
export interface BrowserPort {
  readonly fetch: typeof fetch;
  /** Opens a stream of server-sent events that reconnects automatically. */
  readonly openEvents: (address: string) => EventStream;
}

export interface EventStream {
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
  /** 2: the stream has been closed for good. */
  readonly readyState: number;
}

/** Calls after which the page may have another login, or none. */
const changesLogin: readonly CallName[] = ['session.start', 'session.end'];

export function createHttpBridge(browser: BrowserPort): Bridge {
  const listeners = createKeyedListeners<EventName, [data: never]>();
  const gapListeners = createListeners();
  const silenceListeners = createListeners<[isSilent: boolean]>();
  let stream: EventStream | undefined;
  /** The desk whose events the stream carries; `undefined` until the session is known. */
  let followed: string | null | undefined;
  let calls = 0;

  /** `isLate`: the page has read something for which it follows events only from now on. */
  const follow = (isLate = false): void => {
    stream?.close();
    const opened = (stream = browser.openEvents(web.events));
    const earlier = calls;
    let isGap = isLate;
    opened.addEventListener('open', () => {
      silenceListeners.notify(false);
      // An answer given while the stream opens may be outdated before the stream carries events.
      if (isGap || calls > earlier) gapListeners.notify();
      isGap = true;
    });
    // A stream that was closed for good was refused, so the app does answer.
    opened.addEventListener('error', () => silenceListeners.notify(opened.readyState !== 2));
    for (const name of eventNames) {
      opened.addEventListener(name, ({ data }) => listeners.notify(name, JSON.parse(String(data)) as never));
    }
  };
  /** Another tab has logged in another person, whose events the open stream does not carry. */
  const noteDesk = (desk: string | null): void => {
    if (followed !== undefined && followed !== desk && stream) follow(true);
    followed = desk;
  };

  return {
    async call(name, input, bytes, signal, desk) {
      calls += 1;
      const answer = await post(browser.fetch, name, input, { bytes, signal, desk });
      if (changesLogin.includes(name)) {
        if (stream) follow();
        followed = undefined;
      }
      if (name === 'session.state') noteDesk((answer as SessionState).desk);
      return answer as never;
    },
    on(name, listener) {
      const remove = listeners.add(name, listener);
      // Reopens a stream that was refused because nobody was logged in.
      if (!stream || stream.readyState === 2) follow();
      return remove;
    },
    onGap(listener) {
      const remove = gapListeners.add(listener);
      if (!stream || stream.readyState === 2) follow();
      return remove;
    },
    onSilence: silenceListeners.add,
    address: (file) => `${web.files}${file}`,
  };
}

/** Maximum bytes of a call that outlives its page: a browser allows 64 KiB for all of them together (Fetch, 4.5). */
const maxLastingBytes = 30_000;

async function post(
  send: typeof fetch,
  name: CallName,
  input: unknown,
  {
    bytes,
    signal,
    desk,
  }: { bytes: ArrayBuffer | undefined; signal: AbortSignal | undefined; desk: string | undefined },
): Promise<unknown> {
  const text = JSON.stringify(input);
  const own = { [web.ownHeader]: '1', ...(desk !== undefined && { [web.deskHeader]: desk }) };
  const response = await send(`${web.calls}${name}`, {
    method: 'POST',
    credentials: 'same-origin',
    cache: 'no-store',
    ...(signal && { signal }),
    keepalive: lastingCalls.includes(name) && new Blob([text]).size <= maxLastingBytes,
    ...(bytes === undefined
      ? { headers: { ...own, 'content-type': 'application/json' }, body: text }
      : {
          headers: { ...own, 'content-type': 'application/octet-stream', [web.inputHeader]: encodeURIComponent(text) },
          body: bytes,
        }),
  }).catch(() => {
    throw unreachable;
  });
  const { output, error } = (await response.json().catch(() => ({ error: unreachable }))) as {
    output?: unknown;
    error?: BridgeError;
  };
  if (error) throw error;
  return output;
}

/** The app itself does not answer, as opposed to the service behind it. */
const unreachable: BridgeError = {
  code: 'NETWORK',
  message: pageMessage('unreachable'),
  hint: pageMessage('unreachable_hint'),
};

/** The real browser's features. */
export const browserPort: BrowserPort = {
  fetch: (...request) => fetch(...request),
  openEvents: (address) => new EventSource(address),
};
