/** The changes of a worklist as server-sent events (HTML Living Standard 9.2). */
import type { Clock } from '../../src/domain/clock.ts';
import type { ChangeFeed, ItemChange } from '../services.ts';

const heartbeatMs = 15_000;
/** Chunks that may wait for a reader. One that falls further behind is cut off; it connects again and lists anew. */
const maxWaiting = 1000;

const encoder = new TextEncoder();
/** A comment, which readers skip: it opens the stream and keeps it open. */
const comment = encoder.encode(':\n\n');

const eventOf = ({ id, status, version, change }: ItemChange): Uint8Array =>
  encoder.encode(`event: item\nid: ${id}.${version}\ndata: ${JSON.stringify({ id, status, version, change })}\n\n`);

interface Following {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly space: string;
  /** ms since 1970: when the right to follow ends. */
  readonly until: number;
  readonly signal: AbortSignal;
  /** Asked at each heartbeat: a token that was revoked follows nothing any more. */
  stillAuthorized(): Promise<boolean>;
}

/** Follows from this moment on, even before the first chunk is asked for. Ends when the signal aborts or time is up. */
export function eventStream({
  feed,
  clock,
  space,
  until,
  signal,
  stillAuthorized,
}: Following): AsyncIterable<Uint8Array> {
  const waiting: Uint8Array[] = [comment];
  let ended = false;
  let wake = (): void => {};

  const offer = (chunk: Uint8Array): void => {
    if (waiting.length >= maxWaiting) return end();
    waiting.push(chunk);
    wake();
  };
  const beat = (): void => {
    if (waiting.length === 0) offer(comment);
    void stillAuthorized().then((isAllowed) => !isAllowed && end());
    stopBeating = clock.schedule(clock.now() + heartbeatMs, beat);
  };
  const end = (): void => {
    if (ended) return;
    ended = true;
    waiting.length = 0;
    unsubscribe();
    stopBeating();
    stopWaiting();
    signal.removeEventListener('abort', end);
    wake();
  };
  const unsubscribe = feed.subscribe(space, (change) => offer(eventOf(change)));
  let stopBeating = clock.schedule(clock.now() + heartbeatMs, beat);
  const stopWaiting = clock.schedule(until, end);
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
