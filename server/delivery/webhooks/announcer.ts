/** Wires the parts that send webhooks: outbox, dispatcher, sender. */
import { isoNow, stopwatch } from '../../../src/domain/clock.ts';
import type { EventAnnouncer } from '../../records/deps.ts';
import type { DeliveryDeps } from '../deps.ts';
import { Dispatcher } from './dispatcher.ts';
import type { DispatcherLimits } from './dispatcher.ts';
import { writeDeliveries } from './outbox.ts';
import { createSender } from './sender.ts';
import type { Targets } from './target.ts';
import type { WebhookFaults } from '../deps.ts';

export interface Announcer extends EventAnnouncer {
  /** Starts sending all deliveries that are due. Call it again if every document may have changed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface AnnouncerOptions extends Partial<DispatcherLimits> {
  /** Allowed addresses of webhooks; the routes use the same object. */
  readonly targets: Targets;
  /** Numbers from 0 up to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Timeout for one request with its answer, in ms; default 15 s. */
  readonly timeoutMs?: number;
  /** Timeout for the body of an answer after its status has arrived, in ms; default 1 s. */
  readonly restMs?: number;
}

/** `idle` resolves once the dispatcher neither reads nor sends deliveries; deliveries that are due later do not count. */
export function createAnnouncer(
  {
    store,
    members,
    clock,
    ids,
    log,
    faults,
  }: Pick<DeliveryDeps, 'store' | 'members' | 'clock' | 'ids' | 'log'> & {
    readonly faults: WebhookFaults;
  },
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
  const sender = createSender({ targets, elapsed: () => stopwatch(clock), timeoutMs, restMs });
  const dispatcher = new Dispatcher(
    { store, members, clock, log, faults, sender, random },
    { perEndpoint, slowPerEndpoint, total },
  );
  return {
    async announce(tx, { space, type, data }) {
      const event = { type, timestamp: isoNow(clock), data };
      tx.publish('announced', { space, event });
      await writeDeliveries(tx, ids, space, event);
    },
    start: async () => dispatcher.start(),
    stop: () => dispatcher.stop(),
    idle: () => dispatcher.idle(),
  };
}
