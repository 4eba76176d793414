/**
 * Changes, of a worklist or of the records, as server-sent events (HTML Living Standard 9.2). What is told in a space is
 * written once for all who follow it there, and what comes quickly one after the other goes to them together.
 */
import { Readable } from 'node:stream';
import type { Clock } from '../src/domain/clock.ts';
import type { ChangeFeed, ToldChange } from './services.ts';
import type { FeedChange } from './store/feeds.ts';

const heartbeatMs = 15_000;
/** Bytes that may wait for a reader. One that falls further behind is cut off; it connects again and lists anew. */
const maxWaiting = 1024 * 1024;
/** ms of the machine's own time between one piece and the next: a reader never has to take more than fifty a second. */
const paceMs = 20;

/** A proxy that gathers answers before it passes them on is asked not to (nginx's header; others know it too). */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** A comment, which readers skip: it keeps the stream open. */
const comment = Buffer.from(':\n\n');

/** Opens the stream and says where it stands, without being an event: it has no data. */
const opening = (event: string): string => `:\nid: ${event}\n\n`;

const textOf = (name: string, { event, change: { space: _space, ...data } }: ToldChange<FeedChange>): string =>
  `event: ${name}\nid: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

interface Following {
  readonly space: string;
  /** `Last-Event-ID`, of a reader that connects again. */
  readonly lastSeen: string | undefined;
  /** Aborted when the connection closes, and when the right to follow ends. */
  readonly signal: AbortSignal;
}

/**
 * Follows from the last event seen, or from this moment on, even before anything of it is read. Ends when the signal
 * aborts.
 */
export type Follow = (following: Following) => Readable;

/** One who follows. */
interface Reader {
  readonly stream: Readable;
  /** Nothing more is told, not even what waits. */
  end(): void;
  offer(chunk: Buffer): void;
}

/** Those who follow one space. */
interface Channel {
  readonly readers: Set<Reader>;
  /** Told, and not written yet. */
  pending: string[];
  /** When something was written, in ms of the machine's own time. */
  writtenAt: number;
  timer: NodeJS.Timeout | undefined;
  readonly leave: () => void;
}

/** `name` is that of the events. */
export function createEventStreams<C extends FeedChange>(
  feed: ChangeFeed<C>,
  { name, clock }: { readonly name: 'item' | 'record'; readonly clock: Clock },
): Follow {
  const channels = new Map<string, Channel>();

  const flush = (channel: Channel): void => {
    clearTimeout(channel.timer);
    channel.timer = undefined;
    if (channel.pending.length === 0) return;
    const chunk = Buffer.from(channel.pending.join(''));
    channel.pending = [];
    channel.writtenAt = performance.now();
    for (const reader of channel.readers) reader.offer(chunk);
  };

  /** The first one in a while goes at once. */
  const tell = (channel: Channel, told: ToldChange<C>): void => {
    channel.pending.push(textOf(name, told));
    channel.timer ??= setTimeout(flush, Math.max(0, channel.writtenAt + paceMs - performance.now()), channel).unref();
  };

  const open = (space: string): Channel => {
    const readers = new Set<Reader>();
    const leave = feed.subscribe(
      space,
      (change, event) => tell(channel, { change, event }),
      () => readers.forEach((reader) => reader.end()),
    );
    const channel: Channel = { readers, pending: [], writtenAt: -Infinity, timer: undefined, leave };
    channels.set(space, channel);
    return channel;
  };

  const leave = (space: string, channel: Channel, reader: Reader): void => {
    channel.readers.delete(reader);
    if (channel.readers.size > 0 || channels.get(space) !== channel) return;
    clearTimeout(channel.timer);
    channel.leave();
    channels.delete(space);
  };

  /** What came since the last event that the reader has seen, or that this is not known any more. */
  const missed = (space: string, lastSeen: string): string => {
    const told = feed.since(space, lastSeen);
    const events = told
      ? told.map((each) => textOf(name, each)).join('')
      : `event: reset\nid: ${feed.position(space)}\ndata: {}\n\n`;
    return `:\n\n${events}`;
  };

  return ({ space, lastSeen, signal }) => {
    const channel = channels.get(space) ?? open(space);
    // Who comes now is told where the feed stands, or what was missed: what waits for the others is in that.
    flush(channel);
    const reader = createReader(clock, signal, () => leave(space, channel, reader));
    channel.readers.add(reader);
    reader.offer(Buffer.from(lastSeen === undefined ? opening(feed.position(space)) : missed(space, lastSeen)));
    if (signal.aborted) reader.end();
    return reader.stream;
  };
}

function createReader(clock: Clock, signal: AbortSignal, left: () => void): Reader {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let wanted = false;
  let ended = false;

  const leave = (): void => {
    if (ended) return;
    ended = true;
    waiting = [];
    stopBeating();
    signal.removeEventListener('abort', end);
    left();
  };
  const end = (): void => {
    if (ended) return;
    leave();
    stream.push(null);
  };
  const give = (): void => {
    for (let chunk = waiting[0]; wanted && chunk; chunk = waiting[0]) {
      waiting.shift();
      bytes -= chunk.length;
      wanted = stream.push(chunk);
    }
  };
  const offer = (chunk: Buffer): void => {
    if (ended) return;
    if (bytes + chunk.length > maxWaiting) return end();
    waiting.push(chunk);
    bytes += chunk.length;
    give();
  };
  const beat = (): void => {
    if (waiting.length === 0) offer(comment);
    stopBeating = clock.schedule(clock.now() + heartbeatMs, beat);
  };
  const stream = new Readable({
    // One chunk at a time is enough: the others wait here, where they can be dropped.
    highWaterMark: 1,
    read() {
      wanted = true;
      give();
    },
    destroy(error, done) {
      leave();
      done(error);
    },
  });
  let stopBeating = clock.schedule(clock.now() + heartbeatMs, beat);
  signal.addEventListener('abort', end);
  return { stream, end, offer };
}
