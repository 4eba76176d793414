/** Notifications of a Subscription: R4 Bundles by the Subscriptions R5 Backport guide, with the status first. */
import { randomUUID } from 'node:crypto';
import { reportTopic } from '../../../src/contract/fhir-subscription.ts';
import type { Documents } from '../../storage/collections.ts';
import { backport } from './subscription.ts';
import { toFhirId } from './find-reports.ts';
import type { StoredSubscription } from './subscription.ts';

type NotificationType = 'handshake' | 'heartbeat' | 'event-notification' | 'query-status' | 'query-event';

export interface NotifiedEvent {
  readonly number: number;
  readonly at: string;
  /** Id of the record. */
  readonly record: string;
  /** `undefined`: its id alone goes out. */
  readonly resource?: object | undefined;
  /** Whether the report is no longer shown. */
  readonly isGone?: boolean;
}

/** The event of a delivery. */
export const toNotifiedEvent = ({ event, number = 0 }: Documents['deliveries']): NotifiedEvent => ({
  number,
  at: event.timestamp,
  record: String(event.data['record_id']),
  isGone: event.type === 'worklist.document.withdrawn',
});

/** The status, as R4 has it: Parameters. `ids`: whether events name their reports. */
export function buildStatus(
  subscription: StoredSubscription,
  type: NotificationType,
  events: readonly NotifiedEvent[] = [],
  hasIds = false,
): object {
  const { id, base_url: base, status } = subscription;
  return {
    resourceType: 'Parameters',
    id: randomUUID(),
    meta: { profile: [`${backport}/backport-subscription-status-r4`] },
    parameter: [
      { name: 'subscription', valueReference: { reference: `${base}/fhir/Subscription/${toFhirId(id)}` } },
      { name: 'topic', valueCanonical: reportTopic },
      { name: 'status', valueCode: status },
      { name: 'type', valueCode: type },
      { name: 'events-since-subscription-start', valueString: String(subscription.events) },
      ...events.map((event) => ({
        name: 'notification-event',
        part: [
          { name: 'event-number', valueString: String(event.number) },
          { name: 'timestamp', valueInstant: event.at },
          ...(hasIds ? [{ name: 'focus', valueReference: { reference: reportAddress(base, event) } }] : []),
        ],
      })),
    ],
  };
}

const reportAddress = (base: string, { record }: NotifiedEvent): string =>
  `${base}/fhir/DiagnosticReport/${toFhirId(record)}`;

/** `at`: the present time, ISO 8601. */
export function buildNotification(
  subscription: StoredSubscription,
  type: NotificationType,
  at: string,
  events: readonly NotifiedEvent[] = [],
): object {
  const { id, base_url: base, content } = subscription;
  const hasIds = content !== 'empty';
  const entries = events.map((event) => ({
    fullUrl: reportAddress(base, event),
    ...(event.resource && { resource: event.resource }),
    request: {
      method: event.isGone ? 'DELETE' : 'PUT',
      url: `DiagnosticReport/${toFhirId(event.record)}`,
    },
    response: { status: '200' },
  }));
  return {
    resourceType: 'Bundle',
    id: randomUUID(),
    meta: { profile: [`${backport}/backport-subscription-notification-r4`] },
    type: 'history',
    timestamp: at,
    entry: [
      {
        fullUrl: `urn:uuid:${randomUUID()}`,
        resource: buildStatus(subscription, type, events, hasIds),
        request: { method: 'GET', url: `Subscription/${toFhirId(id)}/$status` },
        response: { status: '200' },
      },
      ...(hasIds ? entries : []),
    ],
  };
}
