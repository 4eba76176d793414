/**
 * Streams the changes of a worklist or of the records as server-sent events (HTML Living Standard 9.2). Each change is
 * serialised once for all followers of its space, and changes in quick succession are sent to them together.
 */
import type { Readable } from 'node:stream';
import type { Clock } from '../../src/domain/clock.ts';
import { comment, eventText } from '../../src/client/events/server-sent-events.ts';
import { createEventReader } from '../../src/client/events/event-reader.ts';
import type { EventReader } from '../../src/client/events/event-reader.ts';
import type { ChangeFeed, FeedEntry } from '../storage/feed.ts';
import type { FeedChange } from '../storage/feeds.ts';

/** ms of the machine's own time between two chunks, so that a reader gets at most fifty chunks a second. */
const paceMs = 20;

/** Opens the stream and states its position in the feed. It has no data and so is not an event. */
const opening = (event: string): string => `:\nid: ${event}\n\n`;

const formatEvent = (name: string, { event, change: { space: _space, ...data } }: FeedEntry<FeedChange>): string =>
  eventText({ name, id: event, data });

interface Following {
  readonly space: string;
  /** `Last-Event-ID`, of a reader that connects again. */
  readonly lastSeen: string | undefined;
  /** Aborted when the connection closes, and when the right to follow ends. */
  readonly signal: AbortSignal;
}

/**
 * Follows a space from the last event that the reader saw, or from this moment on. Events count from the call, not from the
 * first read. The stream ends when the signal aborts.
 */
export type Follow = (following: Following) => Readable;

/** The followers of one space. */
interface Channel {
  readonly readers: Set<EventReader>;
  /** Events that are not written yet. */
  pending: string[];
  /** When the last chunk was written, in ms of the machine's own time. */
  writtenAt: number;
  timer: NodeJS.Timeout | undefined;
  readonly leave: () => void;
}

/** Makes the streams of a feed; `name` is the name of their events. */
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

  /** Queues the change for writing; a change after a pause is written at once. */
  const tell = (channel: Channel, change: FeedEntry<C>): void => {
    channel.pending.push(formatEvent(name, change));
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

  /** The events since the last event that the reader saw, or a reset where the feed no longer remembers them. */
  const missed = (space: string, lastSeen: string): string => {
    const changes = feed.since(space, lastSeen);
    const events = changes
      ? changes.map((each) => formatEvent(name, each)).join('')
      : eventText({ name: 'reset', id: feed.position(space), data: {} });
    return comment + events;
  };

  return ({ space, lastSeen, signal }) => {
    const channel = channels.get(space) ?? open(space);
    // The new reader gets the feed's position or the missed events, which include the pending ones; so those go out
    // first.
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
