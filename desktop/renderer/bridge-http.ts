/** The bridge over HTTP: the page runs in a browser, the app beside the server that sent the page. */
import { eventNames } from '../bridge/events.ts';
import { lastingCalls } from '../bridge/calls.ts';
import { web } from '../bridge/carriers.ts';
import type { Bridge, BridgeError } from '../bridge/bridge.ts';
import type { CallName } from '../bridge/calls.ts';
import type { EventData, EventName } from '../bridge/events.ts';
import type { SessionState } from '../bridge/session.ts';

/** What the bridge needs of the browser. */
export interface BrowserPort {
  readonly fetch: typeof fetch;
  /** Opens a stream of server-sent events that reconnects by itself. */
  readonly openEvents: (address: string) => EventStream;
}

export interface EventStream {
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
  /** 2: the stream has given up. */
  readonly readyState: number;
}

type AnyListener = (data: never) => void;

/** Calls after which the page may have another login, or none. */
const changesLogin: readonly CallName[] = ['session.start', 'session.end'];

export function createHttpBridge(browser: BrowserPort): Bridge {
  const listeners = new Map<EventName, Set<AnyListener>>();
  const gapListeners = new Set<() => void>();
  const silenceListeners = new Set<(isSilent: boolean) => void>();
  let stream: EventStream | undefined;
  /** The desk whose events the stream carries; `undefined` until the session is known. */
  let followed: string | null | undefined;

  const tellGap = (): void => {
    for (const listener of gapListeners) listener();
  };
  const tellSilence = (isSilent: boolean): void => {
    for (const listener of silenceListeners) listener(isSilent);
  };
  /** `isLate`: events may be missed before the stream is open. */
  const follow = (isLate = false): void => {
    stream?.close();
    const opened = (stream = browser.openEvents(web.events));
    let known = isLate;
    opened.addEventListener('open', () => {
      tellSilence(false);
      if (known) tellGap();
      known = true;
    });
    // A stream that has given up was refused, so the app does answer.
    opened.addEventListener('error', () => tellSilence(opened.readyState !== 2));
    for (const name of eventNames) {
      opened.addEventListener(name, ({ data }) => {
        const parsed = JSON.parse(String(data)) as never;
        for (const listener of listeners.get(name) ?? []) listener(parsed);
      });
    }
  };
  const isFollowed = (): boolean => listeners.size > 0 || gapListeners.size > 0;
  /** Another tab has logged in somebody else, whose events the open stream does not carry. */
  const noteDesk = (desk: string | null): void => {
    if (followed !== undefined && followed !== desk && isFollowed()) follow(true);
    followed = desk;
  };

  return {
    async call(name, input, bytes, signal, desk) {
      const answer = await post(browser.fetch, name, input, { bytes, signal, desk });
      if (changesLogin.includes(name)) {
        if (isFollowed()) follow();
        followed = undefined;
      }
      if (name === 'session.state') noteDesk((answer as SessionState).desk);
      return answer as never;
    },
    on<N extends EventName>(name: N, listener: (data: EventData<N>) => void) {
      const others = listeners.get(name) ?? new Set();
      listeners.set(name, others.add(listener as AnyListener));
      // Opens a stream again that was refused because nobody was logged in.
      if (!stream || stream.readyState === 2) follow();
      return () => void others.delete(listener as AnyListener);
    },
    onGap(listener) {
      gapListeners.add(listener);
      if (!stream || stream.readyState === 2) follow();
      return () => void gapListeners.delete(listener);
    },
    onSilence(listener) {
      silenceListeners.add(listener);
      return () => void silenceListeners.delete(listener);
    },
    address: (file) => `${web.files}${file}`,
  };
}

/** Most bytes of a call that outlives its page: a browser allows 64 KiB for all of them together (Fetch, 4.5). */
const mostLasting = 30_000;

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
    keepalive: lastingCalls.includes(name) && new Blob([text]).size <= mostLasting,
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
  message: 'Laudio on this computer does not answer.',
  hint: 'Start it again; what was saved is still there.',
};

/** The parts of the real browser. */
export const browserPort: BrowserPort = {
  fetch: (...request) => fetch(...request),
  openEvents: (address) => new EventSource(address),
};
