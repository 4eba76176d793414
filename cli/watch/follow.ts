/** Follows the worklist's changes, for the screen and for JSON lines. */
import type { Client } from '../../src/client/client.ts';
import type { AppError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { EventFeed } from '../../src/client/events/event-feed.ts';
import type { buildFilters } from '../resources/worklist-filters.ts';

export type Filters = Awaited<ReturnType<typeof buildFilters>>;

const ItemEvent = contract.worklists.endpoints.events.responses[200];
export type ItemEvent = TypeOf<typeof ItemEvent>;

export interface Follower {
  onEvent(event: ItemEvent): void;
  onOpen(): void;
  onReset(): void;
  /** The connection failed; the feed retries. */
  onLost(): void;
  /** Called for a permanent failure. */
  onEnd(error: AppError): void;
}

export async function followWorklist(
  clock: Clock,
  worklists: Pick<Client['worklists'], 'events'>,
  follower: Follower,
): Promise<EventFeed> {
  const { followEvents } = await import('../../src/client/events/event-feed.ts');
  return followEvents({
    clock,
    random: Math.random,
    schema: ItemEvent,
    open: (signal, lastSeen) =>
      worklists.events({}, { signal, ...(lastSeen !== undefined && { headers: { 'Last-Event-ID': lastSeen } }) }),
    onEvent: (event) => follower.onEvent(event),
    onOpen: () => follower.onOpen(),
    onReset: () => follower.onReset(),
    onLost: (error) => (error && isFinal(error) ? follower.onEnd(error) : follower.onLost()),
  });
}

const isFinal = ({ code, status }: AppError): boolean =>
  code === 'LOGIN_REQUIRED' || code === 'CONFIGURATION' || status === 401 || status === 403 || status === 404;
