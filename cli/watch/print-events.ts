/** Prints the events of a server as they arrive, one line each, until stopped. Survives lost connections. */
import { AppError } from '../../src/contract/errors.ts';
import { followEvents } from '../../src/client/events/event-feed.ts';
import type { EventFeedDeps } from '../../src/client/events/event-feed.ts';
import { createOrder } from '../../src/domain/in-order.ts';
import type { Context } from '../context.ts';
import { printLine } from '../shell/render.ts';

export interface PrintedEvents<E> extends Pick<EventFeedDeps<E>, 'open' | 'schema' | 'onReset'> {
  /** The subject, as in "Following the audit trail". */
  readonly what: string;
  /** The line of an event for a person; a program gets JSON. */
  readonly line: (event: E) => string;
  /** The form of an event in JSON; default: the event. */
  readonly dataOf?: (event: E) => unknown;
  /** Awaited before an event is printed. */
  readonly prepare?: (event: E) => Promise<void>;
  /** Default: every event is printed. */
  readonly isPrinted?: (event: E) => boolean;
  /** The error that ends the command; `undefined`: reconnects. */
  readonly endOf: (error: AppError | undefined) => AppError | undefined;
}

/** Prints one line for a person, or one JSON document for a program. */
export const printEvent = async <E>(
  io: Context['io'],
  event: E,
  { line, dataOf = (data) => data }: Pick<PrintedEvents<E>, 'line' | 'dataOf'>,
): Promise<void> => (io.output === 'json' ? printLine(io, dataOf(event)) : io.out(`${line(event)}\n`));

/** Rejects with INTERRUPTED when the command is stopped, and with errors of `endOf`. */
export async function printEvents<E>(
  { io, clock, signal }: Pick<Context, 'io' | 'clock' | 'signal'>,
  { what, line, dataOf, prepare, isPrinted = () => true, endOf, ...feedDeps }: PrintedEvents<E>,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const printing = createOrder({ endsWithFailure: true });
  let isLost = false;
  const feed = followEvents({
    ...feedDeps,
    clock,
    random: Math.random,
    onOpen() {
      io.notice(isLost ? 'Connected again.' : `Following ${what}. Ctrl-C ends it.`, 'faint');
      isLost = false;
    },
    onEvent(event) {
      if (!isPrinted(event)) return;
      printing(async () => {
        // Names can wait; the event can't.
        await prepare?.(event).catch(() => undefined);
        await printEvent(io, event, { line, ...(dataOf && { dataOf }) });
      }).catch(ended.reject);
    },
    onLost(error) {
      const end = endOf(error);
      if (end) return ended.reject(end);
      if (!isLost) io.notice('The connection is lost; trying again.', 'warn');
      isLost = true;
    },
  });
  const interrupt = (): void => ended.reject(new AppError('INTERRUPTED'));
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    await ended.promise;
  } finally {
    await feed.close();
  }
}
