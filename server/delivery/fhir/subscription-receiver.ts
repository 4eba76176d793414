/** The endpoint of a Subscription as a receiver of deliveries. */
import { isoNow } from '../../../src/domain/clock.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { ReportDeps } from '../formats/export-record.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Actor } from '../../storage/actor.ts';
import type { Reader } from '../../storage/store.ts';
import type { StoredDelivery } from '../webhooks/outbox.ts';
import type { Receiver } from '../webhooks/receivers.ts';
import type { WebhookRequest } from '../webhooks/sender.ts';
import { buildNotification, toNotifiedEvent } from './notification.ts';
import { toHeaders, versionOf } from './subscription.ts';
import type { StoredSubscription } from './subscription.ts';

export interface SubscriptionDeps extends Pick<DeliveryDeps, 'clock'> {
  readonly renderNotified: RenderNotified;
}

/** A client that was deleted or lost the right to read reports gets nothing more. */
export async function mayNotify(reader: Reader, { client_id, space }: StoredSubscription): Promise<boolean> {
  const client = await reader.get('clients', client_id);
  return client?.space === space && client.scopes.includes('medical_records:read');
}

export const toRequest = ({ endpoint, headers }: StoredSubscription, bundle: object): WebhookRequest => ({
  url: endpoint,
  body: JSON.stringify(bundle),
  headers: { 'user-agent': 'Laudio', ...toHeaders(headers), 'content-type': 'application/fhir+json' },
});

export async function findSubscriber(
  reader: Reader,
  delivery: StoredDelivery,
  deps: SubscriptionDeps,
): Promise<Receiver | undefined> {
  const subscription = await reader.get('subscriptions', delivery.subscription_id ?? '');
  if (!subscription || subscription.status === 'off' || !(await mayNotify(reader, subscription))) return undefined;
  const { id, endpoint: url } = subscription;
  return {
    url,
    isOpen: subscription.status === 'active',
    async buildRequest(signal) {
      const event = toNotifiedEvent(delivery);
      const isFull = subscription.content === 'full-resource';
      const resource = isFull ? await deps.renderNotified(subscription, event.record, signal) : undefined;
      const known = isFull ? { ...event, resource, isGone: resource === undefined } : event;
      return toRequest(
        subscription,
        buildNotification(subscription, { type: 'event-notification', at: isoNow(deps.clock), events: [known] }),
      );
    },
    async giveUp(tx, why, at) {
      const present = await tx.get('subscriptions', id);
      if (present?.endpoint !== url) return;
      const error = why === 'gone' ? null : 'The endpoint did not take a notification in all attempts.';
      tx.put('subscriptions', { ...present, status: why === 'gone' ? 'off' : 'error', error, updated_at: at });
    },
  };
}

/** Takes entries of the audit trail. */
interface AuditEntries {
  enter(entry: Actor & { readonly kind: string; readonly ids: string[]; readonly outcome: 'done' }): void;
}

/** Renders the present version of a report as its client would read it; `undefined`: it is not shown. */
export type RenderNotified = (
  subscription: StoredSubscription,
  recordId: string,
  signal: AbortSignal,
) => Promise<object | undefined>;

export const createNotifiedReports =
  (deps: Pick<DeliveryDeps, 'workers'> & ReportDeps & { readonly gathered: AuditEntries }): RenderNotified =>
  async (subscription, id, signal) => {
    const { base_url, space, client_id } = subscription;
    const record = await deps.store.get('records', id);
    if (record?.space !== space || record.status === 'draft') return undefined;
    const { renderIssued } = await import('./report-renderer.ts');
    const [rendered] = await renderIssued(deps, [record], {
      base_url,
      space,
      client_id,
      signal,
      version: versionOf(subscription),
    });
    if (!rendered) return undefined;
    const actor = serviceActor('fhir.notify', { client_id });
    deps.gathered.enter({ ...actor, kind: 'records', ids: [record.id], outcome: 'done' });
    return JSON.parse(rendered.text) as object;
  };
