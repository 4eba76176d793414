/** Deliveries in the store: written in the transaction of the change that they announce, settled after each attempt. */
import type { WebhookEvent } from '../../../src/contract/events.ts';
import { isTestClient } from '../../../src/contract/oauth.ts';
import type { Delivery } from '../../../src/contract/webhook.ts';
import { retryAfter, retryDelay } from '../../../src/domain/retry-schedule.ts';
import type { Waits } from '../../runtime/clock/waits.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Transaction } from '../../storage/store.ts';
import type { Outcome } from './sender.ts';

export type StoredDelivery = Documents['deliveries'];
export type StoredWebhook = Documents['webhooks'];

/** Deliveries of a lane share a receiver, the webhook of a client or a Subscription, and wait for each other. */
export const laneOfDelivery = ({ subscription_id: subscription, client_id: client }: StoredDelivery): string =>
  subscription ?? client;

/** Writes a delivery that is due immediately, and returns it. Its id is the `webhook-id` of every attempt. */
export function writeDelivery(
  tx: Transaction,
  ids: Ids,
  client_id: string,
  event: WebhookEvent,
  notified?: Pick<StoredDelivery, 'subscription_id' | 'number'>,
): StoredDelivery {
  const delivery: StoredDelivery = {
    id: ids('dlv'),
    client_id,
    type: event.type,
    status: 'pending',
    created_at: event.timestamp,
    next_attempt_at: event.timestamp,
    attempts: [],
    event,
    ...notified,
  };
  tx.put('deliveries', delivery);
  return delivery;
}

/** Writes a delivery for each enabled webhook of the space that subscribes to the event's type. */
export async function writeDeliveries(tx: Transaction, ids: Ids, space: string, event: WebhookEvent): Promise<void> {
  for (const { client_id: client, enabled, events } of await tx.find('webhooks', { is: { space } })) {
    if (!enabled || !events.includes(event.type)) continue;
    if (await tx.get('clients', client)) writeDelivery(tx, ids, client, event);
  }
}

/** The delivery in the API's form: only test clients, whose exams are artificial, see the event. */
export const toDelivery = ({ event, ...delivery }: StoredDelivery): Delivery =>
  isTestClient(delivery.client_id) ? { ...delivery, event } : delivery;

/** When a pending delivery is due, in the time of waits. The first attempt has no pause. */
export function findDue(waits: Waits, { id, next_attempt_at: at, attempts }: StoredDelivery): number {
  const last = attempts.at(-1);
  return !last || at === null ? 0 : waits.end(id, Date.parse(last.at), Date.parse(at));
}

/** The delivery, failed permanently: after its last attempt, or because its webhook no longer exists. */
export const markFailed = (delivery: StoredDelivery): StoredDelivery => ({
  ...delivery,
  status: 'failed',
  next_attempt_at: null,
});

/** The delivery, pending again and due at `at`. */
export const reschedule = (delivery: StoredDelivery, at: string): StoredDelivery => ({
  ...delivery,
  status: 'pending',
  next_attempt_at: at,
});

/** Meaning of the receiver's HTTP status (Standard Webhooks 1.0): every status except 2xx is a failure, redirects included. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
export const isGone = (status: number | null): boolean => status === 410;
const asksToWait = (status: number | null): boolean => status === 429 || status === 503;

export interface Attempt {
  /** When the request was sent, ISO 8601. */
  readonly at: string;
  readonly outcome: Outcome;
  /** Current time, ms since 1970. */
  readonly now: number;
}

/** Milliseconds to wait after so many failed attempts, the last with this outcome; `null`: there is no next one. */
export function findDelay(
  { http_status, retry_after }: Outcome,
  failures: number,
  now: number,
  random: () => number,
): number | null {
  const asked = asksToWait(http_status) ? retryAfter(retry_after, now) : 0;
  return isGone(http_status) ? null : retryDelay(failures, random, asked);
}

/** The delivery after the attempt: delivered, failed, or rescheduled. */
export function settle(delivery: StoredDelivery, { at, outcome, now }: Attempt, random: () => number): StoredDelivery {
  const { http_status, error, duration_ms } = outcome;
  const tried = { ...delivery, attempts: [...delivery.attempts, { at, http_status, error, duration_ms }] };
  if (isSuccess(http_status)) return { ...tried, status: 'delivered', next_attempt_at: null };
  const delay = findDelay(outcome, tried.attempts.length, now, random);
  return delay === null ? markFailed(tried) : reschedule(tried, new Date(now + delay).toISOString());
}
