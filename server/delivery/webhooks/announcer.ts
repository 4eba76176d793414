/** Wires the parts that send webhooks and notify Subscriptions: outbox, dispatcher, sender. */
import { isoNow, stopwatch } from '../../../src/domain/clock.ts';
import type { EventAnnouncer } from '../../records/deps.ts';
import type { DeliveryDeps } from '../deps.ts';
import { Dispatcher } from './dispatcher.ts';
import type { DispatcherLimits } from './dispatcher.ts';
import { createSubscriptionKeeper } from '../fhir/keep-subscriptions.ts';
import { writeNotifications } from '../fhir/subscription-events.ts';
import { findSubscriber } from '../fhir/subscription-receiver.ts';
import type { SubscriptionDeps } from '../fhir/subscription-receiver.ts';
import { underLease } from '../../storage/members.ts';
import { writeDeliveries } from './outbox.ts';
import { findWebhook } from './receivers.ts';
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
  deps: Pick<DeliveryDeps, 'store' | 'members' | 'clock' | 'ids' | 'log'> &
    SubscriptionDeps & { readonly faults: WebhookFaults },
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
  const { clock, ids } = deps;
  const sender = createSender({ targets, elapsed: () => stopwatch(clock), timeoutMs, restMs });
  const dispatcher = new Dispatcher(
    {
      ...deps,
      sender,
      random,
      findReceiver: (reader, delivery) =>
        delivery.subscription_id === undefined
          ? findWebhook(reader, delivery, () => clock.now())
          : findSubscriber(reader, delivery, deps),
    },
    { perEndpoint, slowPerEndpoint, total },
  );
  const keeper = underLease(deps, 'subscriptions', (store) =>
    createSubscriptionKeeper({ ...deps, store, sender, random }),
  );
  return {
    async announce(tx, { space, type, data }) {
      const event = { type, timestamp: isoNow(clock), data };
      tx.publish('announced', { space, event });
      await writeDeliveries(tx, ids, space, event);
      await writeNotifications(tx, ids, space, event);
    },
    async start() {
      dispatcher.start();
      await keeper.start();
    },
    async stop() {
      await keeper.stop();
      await dispatcher.stop();
    },
    async idle() {
      await keeper.idle();
      await dispatcher.idle();
    },
  };
}
