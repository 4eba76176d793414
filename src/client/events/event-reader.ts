/** Passes server-sent events to a reader at the reader's own speed. */
import { Readable } from 'node:stream';
import { machineClockOf } from '../../domain/clock.ts';
import type { Clock } from '../../domain/clock.ts';
import { comment } from './server-sent-events.ts';

const heartbeatMs = 15_000;
/** Consecutive silent intervals in which a reader may take nothing of its waiting events. */
const maxStill = 2;
/**
 * The largest number of bytes that wait for a reader. A slower reader is cut off; it reconnects and reads the list
 * again.
 */
const maxWaiting = 1024 * 1024;

const heartbeat = Buffer.from(comment);

/** One reader of the events. */
export interface EventReader {
  readonly stream: Readable;
  /** Ends the stream and drops the events that still wait. */
  end(): void;
  /** Whole events, as text. */
  offer(chunk: Buffer): void;
}

/** Sends a comment in silent intervals. Calls `left` once, when either side ends the stream. */
export function createEventReader(clock: Clock, left: () => void): EventReader {
  const machine = machineClockOf(clock);
  let waiting: Buffer[] = [];
  let bytes = 0;
  let wanted = false;
  let isTaking = false;
  let still = 0;
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
      isTaking = true;
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
    still = waiting.length === 0 || isTaking ? 0 : still + 1;
    isTaking = false;
    if (still >= maxStill) return end();
    if (waiting.length === 0) offer(heartbeat);
    stopBeating = machine.schedule(machine.now() + heartbeatMs, beat);
  };
  const stream = new Readable({
    // The stream holds one chunk; the other events wait here, where they can be dropped.
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
  let stopBeating = machine.schedule(machine.now() + heartbeatMs, beat);
  return { stream, end, offer };
}
