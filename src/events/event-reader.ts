/** Server-sent events on their way to one who reads them as fast as it can. */
import { Readable } from 'node:stream';
import type { Clock } from '../domain/clock.ts';
import { comment } from './server-sent-events.ts';

const heartbeatMs = 15_000;
/** Bytes that may wait for a reader. One that falls further behind is cut off; it connects again and looks anew. */
const maxWaiting = 1024 * 1024;

const heartbeat = Buffer.from(comment);

/** One who reads. */
export interface EventReader {
  readonly stream: Readable;
  /** Nothing more is told, not even what waits. */
  end(): void;
  /** Whole events, as text. */
  offer(chunk: Buffer): void;
}

/** A comment goes to the reader where nothing else does. `left` is called once, when it is over from either side. */
export function createEventReader(clock: Clock, left: () => void): EventReader {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let wanted = false;
  let ended = false;

  const leave = (): void => {
    if (ended) return;
    ended = true;
    waiting = [];
    stopBeating();
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
    if (waiting.length === 0) offer(heartbeat);
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
  return { stream, end, offer };
}
