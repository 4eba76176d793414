/** Events of Subscriptions: numbered and written in the transaction of the change, delivered like those of webhooks. */
import type { EventType, WebhookEvent } from '../../../src/contract/events.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Transaction } from '../../storage/store.ts';
import { markFailed, writeDelivery } from '../webhooks/outbox.ts';

const topicEvents: ReadonlySet<EventType> = new Set<EventType>([
  'worklist.document.completed',
  'worklist.document.preliminary',
  'worklist.document.withdrawn',
]);

/**
 * Writes a delivery for each Subscription of the space that goes on. One in error gets nothing, but its events are numbered, so that
 * its client finds them once it works again.
 */
export async function writeNotifications(tx: Transaction, ids: Ids, space: string, event: WebhookEvent): Promise<void> {
  if (!topicEvents.has(event.type)) return;
  for (const subscription of await tx.find('subscriptions', { is: { space } })) {
    if (subscription.status === 'off') continue;
    const number = subscription.events + 1;
    tx.put('subscriptions', { ...subscription, events: number });
    const { id: subscription_id, client_id, status } = subscription;
    const delivery = writeDelivery(tx, ids, client_id, event, { subscription_id, number });
    if (status === 'error') tx.put('deliveries', markFailed(delivery));
  }
}
