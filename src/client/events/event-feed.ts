/** Follows the events of the service (server-sent events, HTML Living Standard 9.2) and reconnects by itself. */
import { createParser } from 'eventsource-parser';
import { conforms } from '../conforms.ts';
import { AppError } from '../../contract/errors.ts';
import type { Schema } from '../../contract/schema.ts';
import { backoffDelay } from '../../domain/backoff.ts';
import type { Clock } from '../../domain/clock.ts';
import { pause } from '../../domain/pause.ts';

/** Milliseconds of silence after which a connection is dead. The service sends a comment every 15 s. */
const silenceMs = 40_000;
/** Longest event, in characters; Laudio's own have a few hundred. */
const maxEventCharacters = 1024 * 1024;
const reconnecting = { base: 500, factor: 2, max: 30_000 } as const;

export interface EventFeedDeps<E> {
  readonly clock: Clock;
  readonly random: () => number;
  /** Opens the stream. `lastSeen` goes as `Last-Event-ID`, so that the service repeats the events since then. */
  readonly open: (
    signal: AbortSignal,
    lastSeen: string | undefined,
  ) => Promise<{ readonly body: AsyncIterable<Uint8Array> }>;
  /** Parses the data of an event; the feed skips data without an event. */
  readonly schema: Schema<E>;
  readonly onEvent: (event: E) => void;
  /** The feed follows from now on; earlier events may be missing. */
  readonly onOpen: () => void;
  /** The service no longer knows the events since the last one that the feed saw. */
  readonly onReset?: () => void;
  /** The connection was lost or failed; the feed retries. */
  readonly onLost?: (error: AppError | undefined) => void;
}

export interface EventFeed {
  /** Retries now instead of later. */
  hurry(): void;
  close(): Promise<void>;
}

export function followEvents<E>(deps: EventFeedDeps<E>): EventFeed {
  const { clock, random } = deps;
  const ending = new AbortController();
  let waiting: AbortController | undefined;
  let failures = 0;
  const seen: StreamPosition = { event: undefined };

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) {
      let failure: AppError | undefined;
      try {
        await readOnce(deps, seen, ending.signal, () => (failures = 0));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        failure = error;
      }
      if (ending.signal.aborted) return;
      deps.onLost?.(failure);
      waiting = new AbortController();
      const either = AbortSignal.any([ending.signal, waiting.signal]);
      await pause(clock, backoffDelay(++failures, { ...reconnecting, random }), either).catch(() => undefined);
      waiting = undefined;
    }
  }

  const over = follow();
  return {
    hurry: () => waiting?.abort(),
    async close() {
      ending.abort();
      await over;
    },
  };
}

/** Id of the last event, after which the service resumes. */
interface StreamPosition {
  event: string | undefined;
}

/** Reads one connection, until its end or its silence. */
async function readOnce<E>(
  deps: EventFeedDeps<E>,
  seen: StreamPosition,
  ended: AbortSignal,
  opened: () => void,
): Promise<void> {
  const { clock, open, schema, onEvent, onOpen, onReset } = deps;
  const silent = new AbortController();
  const signal = AbortSignal.any([ended, silent.signal]);
  const arm = (): (() => void) => clock.schedule(clock.now() + silenceMs, () => silent.abort());
  let disarm = arm();
  try {
    const { body } = await open(signal, seen.event);
    opened();
    onOpen();
    const decoder = new TextDecoder();
    const parser = createParser({
      maxBufferSize: maxEventCharacters,
      onId: (id) => (seen.event = id === '' ? undefined : id),
      onEvent({ event: name, data }) {
        const event = parseEvent(data, schema);
        if (event) onEvent(event);
        else if (name === 'reset') onReset?.();
      },
      onError({ type }) {
        if (type === 'max-buffer-size-exceeded')
          throw new AppError('BAD_ANSWER', { message: 'The service sends an event without end.' });
      },
    });
    for await (const chunk of body) {
      disarm();
      disarm = arm();
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
  } finally {
    disarm();
  }
}

function parseEvent<E>(data: string, schema: Schema<E>): E | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return conforms(schema, value) ? (value as E) : undefined;
  } catch {
    return undefined;
  }
}
