/** The bridge over HTTP: what may change while the stream of events opens is read again. */
import { expect, test } from 'vitest';
import { createHttpBridge } from '../../../desktop/renderer/bridge-http.ts';
import type { BrowserPort, EventStream } from '../../../desktop/renderer/bridge-http.ts';

/** A stream of events that opens when a test says so. */
interface StreamAtHand extends EventStream {
  open(): void;
}

function streamAtHand(): StreamAtHand {
  const listeners: (() => void)[] = [];
  return {
    readyState: 0,
    addEventListener: (type, listener) => void (type === 'open' && listeners.push(() => listener({}))),
    close: () => undefined,
    open: () => listeners.forEach((listener) => listener()),
  };
}

function startBridge() {
  const streams: StreamAtHand[] = [];
  const browser: BrowserPort = {
    fetch: async () => Response.json({ output: {} }),
    openEvents() {
      const stream = streamAtHand();
      streams.push(stream);
      return stream;
    },
  };
  const bridge = createHttpBridge(browser);
  let gaps = 0;
  bridge.onGap(() => (gaps += 1));
  return { bridge, stream: () => streams.at(-1)!, gaps: () => gaps };
}

test('a stream that opens before any call has missed nothing; one that opens again may have', () => {
  const { stream, gaps } = startBridge();
  stream().open();
  expect(gaps()).toBe(0);
  stream().open();
  expect(gaps()).toBe(1);
});

test('a call before the stream is open: its answer may be old by then', async () => {
  const { bridge, stream, gaps } = startBridge();
  await bridge.call('session.state', {});
  expect(gaps()).toBe(0);
  stream().open();
  expect(gaps()).toBe(1);
});

test('a login opens a separate stream, and only calls since then count for it', async () => {
  const { bridge, stream, gaps } = startBridge();
  stream().open();
  await bridge.call('session.start', { place: 'test' });
  stream().open();
  expect(gaps()).toBe(0);
  await bridge.call('session.start', { place: 'test' });
  await bridge.call('session.state', {});
  stream().open();
  expect(gaps()).toBe(1);
});
