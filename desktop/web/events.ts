/** Sends events to a page as server-sent events. */
import type { Readable } from 'node:stream';
import type { Clock } from '../../src/domain/clock.ts';
import { comment, eventText } from '../../src/client/events/server-sent-events.ts';
import { createEventReader } from '../../src/client/events/event-reader.ts';
import type { App } from '../app/page/app.ts';

/** Sends events until the page disconnects or `end` is called. */
export function streamEvents(app: App, clock: Clock): { readonly stream: Readable; end(): void } {
  const { stream, offer, end } = createEventReader(clock, () => stop());
  const stop = app.on((event) => offer(Buffer.from(eventText(event))));
  // Sent at once, so that the page knows that it is connected and reconnects soon after a cut.
  offer(Buffer.from(`retry: 1000\n${comment}`));
  return { stream, end };
}
