/** Events for webhooks, put together: outbox, dispatcher, sender. */
import { isoNow } from '../../src/domain/clock.ts';
import type { Announcer, Services } from '../services.ts';
import { Dispatcher } from './dispatcher.ts';
import type { DispatcherLimits } from './dispatcher.ts';
import { writeDeliveries } from './outbox.ts';
import { createSender } from './sender.ts';
import type { Targets } from './target.ts';

export interface AnnouncerOptions extends Partial<DispatcherLimits> {
  /** Where webhooks may go; the routes use the same. */
  readonly targets: Targets;
  /** Numbers from 0 up to 1, for the jitter of retries. */
  readonly random: () => number;
  /** For one request, answer included; default 15 s. */
  readonly timeoutMs?: number;
  /** For the rest of an answer whose status is known; default 1 s. */
  readonly restMs?: number;
}

/** `idle` resolves once nothing is being looked for or sent; what waits for its time does not count. */
export function createAnnouncer(
  { store, clock, ids, log }: Pick<Services, 'store' | 'clock' | 'ids' | 'log'>,
  {
    targets,
    random,
    timeoutMs = 15_000,
    restMs = 1000,
    perEndpoint = 2,
    slowPerEndpoint = 14,
    total = 64,
  }: AnnouncerOptions,
): Announcer & { idle(): Promise<void> } {
  const sender = createSender({ targets, timeoutMs, restMs });
  const dispatcher = new Dispatcher({ store, clock, log, sender, random }, { perEndpoint, slowPerEndpoint, total });
  return {
    announce: (tx, { space, type, data }) => writeDeliveries(tx, ids, space, { type, timestamp: isoNow(clock), data }),
    start: async () => dispatcher.start(),
    stop: () => dispatcher.stop(),
    idle: () => dispatcher.idle(),
  };
}
