/** Where deliveries go: the webhook of a client, or a FHIR Subscription. */
import { signedHeaders } from '../../../src/node/http/webhook-signature.ts';
import type { Reader, Transaction } from '../../storage/store.ts';
import type { StoredDelivery, StoredWebhook } from './outbox.ts';
import type { WebhookRequest } from './sender.ts';

/** A receiver at the time of an attempt. */
export interface Receiver {
  readonly url: string;
  /** Whether it takes deliveries now; others wait. */
  readonly isOpen: boolean;
  buildRequest(signal: AbortSignal): Promise<WebhookRequest>;
  /** Turns it off if it is still the same one: it is gone, or the last attempt of a delivery failed. */
  giveUp(tx: Transaction, why: 'gone' | 'failed', at: string): Promise<void>;
}

/** `undefined`: nobody receives the delivery any more. */
export type FindReceiver = (reader: Reader, delivery: StoredDelivery) => Promise<Receiver | undefined>;

/** `now`: ms since 1970. */
export async function findWebhook(
  reader: Reader,
  delivery: StoredDelivery,
  now: () => number,
): Promise<Receiver | undefined> {
  const webhook = await reader.get('webhooks', delivery.client_id);
  if (!webhook || !(await reader.get('clients', delivery.client_id))) return undefined;
  const { id, url } = webhook;
  return {
    url,
    isOpen: webhook.enabled,
    buildRequest: async () => buildRequest(delivery, webhook, now()),
    async giveUp(tx, why, at) {
      const present = why === 'gone' ? await tx.get('webhooks', id) : undefined;
      // A webhook whose URL has changed meanwhile stays enabled.
      if (present?.url === url) tx.put('webhooks', { ...present, enabled: false, updated_at: at });
    },
  };
}

function buildRequest(delivery: StoredDelivery, webhook: StoredWebhook, now: number): WebhookRequest {
  const body = JSON.stringify(delivery.event);
  const live = webhook.secrets.filter(({ until }) => until === null || Date.parse(until) > now);
  const message = { id: delivery.id, timestamp: Math.floor(now / 1000), body };
  const signed = signedHeaders(
    message,
    live.map(({ secret }) => secret),
  );
  return {
    url: webhook.url,
    body,
    headers: { 'content-type': 'application/json', 'user-agent': 'Laudio', ...signed },
  };
}
