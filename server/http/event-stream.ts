/**
 * Changes, of a worklist or of the records, as server-sent events (HTML Living Standard 9.2). What is told in a space is
 * written once for all who follow it there, and what comes quickly one after the other goes to them together.
 */
import type { Readable } from 'node:stream';
import type { Clock } from '../../src/domain/clock.ts';
import { comment, eventText } from '../../src/events/server-sent-events.ts';
import { createEventReader } from '../../src/events/event-reader.ts';
import type { EventReader } from '../../src/events/event-reader.ts';
import type { ChangeFeed, ToldChange } from '../services.ts';
import type { FeedChange } from '../store/feeds.ts';

/** ms of the machine's own time between one piece and the next: a reader never has to take more than fifty a second. */
const paceMs = 20;

/** Opens the stream and says where it stands, without being an event: it has no data. */
const opening = (event: string): string => `:\nid: ${event}\n\n`;

const textOf = (name: string, { event, change: { space: _space, ...data } }: ToldChange<FeedChange>): string =>
  eventText({ name, id: event, data });

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

/** Those who follow one space. */
interface Channel {
  readonly readers: Set<EventReader>;
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
    const readers = new Set<EventReader>();
    const leave = feed.subscribe(
      space,
      (change, event) => tell(channel, { change, event }),
      () => readers.forEach((reader) => reader.end()),
    );
    const channel: Channel = { readers, pending: [], writtenAt: -Infinity, timer: undefined, leave };
    channels.set(space, channel);
    return channel;
  };

  const leave = (space: string, channel: Channel, reader: EventReader): void => {
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
      : eventText({ name: 'reset', id: feed.position(space), data: {} });
    return comment + events;
  };

  return ({ space, lastSeen, signal }) => {
    const channel = channels.get(space) ?? open(space);
    // Who comes now is told where the feed stands, or what was missed: what waits for the others is in that.
    flush(channel);
    const reader = createEventReader(clock, () => {
      signal.removeEventListener('abort', reader.end);
      leave(space, channel, reader);
    });
    signal.addEventListener('abort', reader.end);
    channel.readers.add(reader);
    reader.offer(Buffer.from(lastSeen === undefined ? opening(feed.position(space)) : missed(space, lastSeen)));
    if (signal.aborted) reader.end();
    return reader.stream;
  };
}
