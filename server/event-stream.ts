/** Changes, of a worklist or of the records, as server-sent events (HTML Living Standard 9.2). */
import type { Clock } from '../src/domain/clock.ts';
import type { Change, ChangeFeed, ToldChange } from './services.ts';

const heartbeatMs = 15_000;
/** Chunks that may wait for a reader. One that falls further behind is cut off; it connects again and lists anew. */
const maxWaiting = 1000;

/** A proxy that gathers answers before it passes them on is asked not to (nginx's header; others know it too). */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

const encoder = new TextEncoder();
/** A comment, which readers skip: it keeps the stream open. */
const comment = encoder.encode(':\n\n');

/** Opens the stream and says where it stands, without being an event: it has no data. */
const opening = (event: string): Uint8Array => encoder.encode(`:\nid: ${event}\n\n`);

const textOf = (name: string, { event, change: { space: _space, ...data } }: ToldChange<Change>): string =>
  `event: ${name}\nid: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** What came since the last event that the reader has seen, or that this is not known any more. */
function missed({ feed, name, space }: Following<Change>, lastSeen: string): Uint8Array {
  const told = feed.since(space, lastSeen);
  const events = told
    ? told.map((each) => textOf(name, each)).join('')
    : `event: reset\nid: ${feed.position(space)}\ndata: {}\n\n`;
  return encoder.encode(`:\n\n${events}`);
}

interface Following<C extends Change> {
  readonly feed: ChangeFeed<C>;
  /** Of the events. */
  readonly name: 'item' | 'record';
  readonly clock: Clock;
  readonly space: string;
  /** `Last-Event-ID`, of a reader that connects again. */
  readonly lastSeen: string | undefined;
  /** Aborted when the connection closes, and when the right to follow ends. */
  readonly signal: AbortSignal;
}

/**
 * Follows from the last event seen, or from this moment on, even before the first chunk is asked for. Ends when the
 * signal aborts.
 */
export function eventStream<C extends Change>(following: Following<C>): AsyncIterable<Uint8Array> {
  const { feed, name, clock, space, lastSeen, signal } = following;
  const waiting: Uint8Array[] = [lastSeen === undefined ? opening(feed.position(space)) : missed(following, lastSeen)];
  let ended = false;
  let wake = (): void => {};

  const offer = (chunk: Uint8Array): void => {
    if (waiting.length >= maxWaiting) return end();
    waiting.push(chunk);
    wake();
  };
  const beat = (): void => {
    if (waiting.length === 0) offer(comment);
    stopBeating = clock.schedule(clock.now() + heartbeatMs, beat);
  };
  const end = (): void => {
    if (ended) return;
    ended = true;
    waiting.length = 0;
    unsubscribe();
    stopBeating();
    signal.removeEventListener('abort', end);
    wake();
  };
  const unsubscribe = feed.subscribe(
    space,
    (change, event) => offer(encoder.encode(textOf(name, { event, change }))),
    () => end(),
  );
  let stopBeating = clock.schedule(clock.now() + heartbeatMs, beat);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();

  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        if (ended) return;
        const chunk = waiting.shift();
        if (chunk) yield chunk;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      end();
    }
  }
  return chunks();
}
