/** The events that a test server announces, for tests that wait for one of them. */
import { refuseUnknown } from '../../src/client/library/options.ts';
import { AppError } from '../../src/contract/errors.ts';
import { eventTypeNames } from '../../src/contract/events.ts';
import type { EventType, WebhookEvent } from '../../src/contract/events.ts';
import { createBell } from '../../src/domain/bell.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { removeOldest } from '../../src/domain/oldest.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';
import { parseLength } from './parse-time.ts';

/** An event with its ids and states; each type of event has those that apply. */
export interface TestEvent extends WebhookEvent {
  readonly data: {
    readonly job_id?: string;
    readonly record_id?: string | null;
    readonly worklist_item_id?: string | null;
    readonly accession_number?: string | null;
    readonly status?: string;
    readonly error_code?: string;
    readonly version?: number;
    readonly signed?: boolean;
    readonly addendum?: boolean;
    readonly correction?: boolean;
    readonly test?: true;
  };
}

const dataNames = [
  'job_id',
  'record_id',
  'worklist_item_id',
  'accession_number',
  'status',
  'error_code',
  'version',
  'signed',
  'addendum',
  'correction',
  'test',
] as const satisfies readonly (keyof TestEvent['data'])[];

/** An event of that type. */
export type EventOfType<T extends EventType> = TestEvent & { readonly type: T };

export interface NextEventOptions {
  /** Only an event whose data has these values, `{ record_id: record.id }`, or for which the function returns true. */
  readonly where?: Readonly<TestEvent['data']> | ((event: TestEvent) => boolean);
  /** How long to wait, by the machine's clock: `2s`, `200ms`, or a number of ms. Default: 5 s. */
  readonly within?: string | number;
}

/** The events that are announced to webhooks, whether or not one is registered. */
export interface TestEvents {
  /** Since the start or the last reset, oldest first. */
  list(): TestEvent[];
  /**
   * Resolves to the next event of that type: also to one that came before the call, but to each event only once. Rejects
   * with STILL_PENDING, which names the events that came instead.
   */
  next<T extends EventType>(type: T, options?: NextEventOptions): Promise<EventOfType<T>>;
}

interface RememberedEvent {
  /** The first announced one is 1. */
  readonly number: number;
  readonly event: TestEvent;
  isReturned: boolean;
}

/** The number of events that are remembered. */
const remembered = 10_000;
const defaultWait = 5000;
/** The number of events that an error names. */
const maxNamed = 5;

/** The server's announcements. Its own type would bring all types of the server into the package. */
interface AnnouncementSource {
  followEvents(listener: (announced: { readonly space: string; readonly event: WebhookEvent }) => void): () => void;
}

export interface EventLog {
  readonly events: TestEvents;
  /** How many events were announced so far. */
  count(): number;
  /** Forgets all events but the first ones, so many. */
  forget(first: number): void;
  /** Ends all waits. */
  close(): void;
}

interface EventLogOptions {
  /** Events of other spaces are ignored. */
  readonly space: string;
  readonly clock: Clock;
}

export function createEventLog({ followEvents }: AnnouncementSource, { space, clock }: EventLogOptions): EventLog {
  const events = new Set<RememberedEvent>();
  let announcedSoFar = 0;
  const bell = createBell();
  const closing = new AbortController();
  const unfollow = followEvents((announced) => {
    if (announced.space !== space) return;
    events.add({ number: ++announcedSoFar, event: announced.event, isReturned: false });
    if (events.size > remembered) removeOldest(events);
    bell.ring();
  });

  async function next(type: EventType, { where, within }: NextEventOptions): Promise<TestEvent> {
    const matches = readCondition(where);
    const wait = within === undefined ? defaultWait : parseLength(within);
    const patience = new AbortController();
    const cancel = clock.schedule(clock.now() + wait, () => patience.abort());
    try {
      for (;;) {
        const found = [...events].find(({ event, isReturned }) => !isReturned && event.type === type && matches(event));
        if (found) {
          found.isReturned = true;
          return found.event;
        }
        if (closing.signal.aborted) throw new AppError('INTERRUPTED', { message: `The server closed before ${type}.` });
        if (patience.signal.aborted) throw stillPending(type, wait, [...events]);
        await bell.rung(patience.signal);
      }
    } finally {
      cancel();
    }
  }

  return {
    events: {
      list: () => Array.from(events, ({ event }) => event),
      async next<T extends EventType>(type: T, options: NextEventOptions = {}) {
        checkType(type);
        refuseUnknown('events.next', options, ['where', 'within']);
        return (await next(type, options)) as EventOfType<T>;
      },
    },
    count: () => announcedSoFar,
    forget(first) {
      for (const each of events) if (each.number > first) events.delete(each);
    },
    close() {
      unfollow();
      closing.abort();
      bell.ring();
    },
  };
}

function checkType(type: string): void {
  if (eventTypeNames.some((known) => known === type)) return;
  throw unknownWord(`${type} is not an event.`, type, eventTypeNames, `Events are ${eventTypeNames.join(', ')}.`);
}

function readCondition(where: NextEventOptions['where'] = {}): (event: TestEvent) => boolean {
  if (typeof where === 'function') return where;
  refuseUnknown('events.next({ where })', where, dataNames);
  const fields = Object.entries(where);
  return ({ data }) => fields.every(([name, value]) => data[name as keyof TestEvent['data']] === value);
}

function stillPending(type: EventType, waited: number, came: readonly RememberedEvent[]): AppError {
  const others = came
    .filter(({ isReturned }) => !isReturned)
    .map(({ event }) => `${event.type} ${idsIn(event)}`.trim());
  const named = others.slice(-maxNamed).join('; ');
  return new AppError('STILL_PENDING', {
    message: `No ${type} that matches was announced within ${waited} ms.`,
    hint: others.length === 0 ? 'No other event was waiting.' : `Waiting instead: ${named}.`,
  });
}

/** An event's data holds ids and states alone. */
const idsIn = ({ data }: TestEvent): string =>
  Object.entries(data)
    .filter(([name, value]) => name.endsWith('_id') && value !== null)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
