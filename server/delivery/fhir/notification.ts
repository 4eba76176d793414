/** Notifications of a Subscription: Bundles with the status first, in R4 and R4B by the Subscriptions R5 Backport guide. */
import { randomUUID } from 'node:crypto';
import { reportTopic } from '../../../src/contract/fhir-subscription.ts';
import type { FhirVersion } from '../../../src/contract/fhir-types.ts';
import type { Documents } from '../../storage/collections.ts';
import { backport, explainError, versionOf } from './subscription.ts';
import { toFhirId } from './find-reports.ts';
import { buildSearchset } from './searchset.ts';
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

interface StatusFacts {
  readonly subscription: StoredSubscription;
  readonly type: NotificationType;
  readonly events: readonly NotifiedEvent[];
  /** Whether events name their reports. */
  readonly hasIds: boolean;
}

const reference = ({ id, base_url: base }: StoredSubscription) => ({
  reference: `${base}/fhir/Subscription/${toFhirId(id)}`,
});

const listErrors = (subscription: StoredSubscription) =>
  [explainError(subscription)].filter((text) => text !== undefined).map((text) => ({ text }));

/** R4 has no resource for it. */
const toParameters = ({ subscription, type, events, hasIds }: StatusFacts): object => ({
  resourceType: 'Parameters',
  id: randomUUID(),
  meta: { profile: [`${backport}/backport-subscription-status-r4`] },
  parameter: [
    { name: 'subscription', valueReference: reference(subscription) },
    { name: 'topic', valueCanonical: reportTopic },
    { name: 'status', valueCode: subscription.status },
    { name: 'type', valueCode: type },
    { name: 'events-since-subscription-start', valueString: String(subscription.events) },
    ...events.map((event) => ({
      name: 'notification-event',
      part: [
        { name: 'event-number', valueString: String(event.number) },
        { name: 'timestamp', valueInstant: event.at },
        ...(hasIds
          ? [{ name: 'focus', valueReference: { reference: reportAddress(subscription.base_url, event) } }]
          : []),
      ],
    })),
    ...listErrors(subscription).map((error) => ({ name: 'error', valueCodeableConcept: error })),
  ],
});

/** 64-bit integers are strings in JSON. */
const toSubscriptionStatus = ({ subscription, type, events, hasIds }: StatusFacts): object => ({
  resourceType: 'SubscriptionStatus',
  id: randomUUID(),
  status: subscription.status,
  type,
  eventsSinceSubscriptionStart: String(subscription.events),
  ...(events.length > 0 && {
    notificationEvent: events.map((event) => ({
      eventNumber: String(event.number),
      timestamp: event.at,
      ...(hasIds && { focus: { reference: reportAddress(subscription.base_url, event) } }),
    })),
  }),
  subscription: reference(subscription),
  topic: reportTopic,
  ...(subscription.error !== null && { error: listErrors(subscription) }),
});

interface NotificationForm {
  readonly buildStatus: (facts: StatusFacts) => object;
  readonly bundle: object;
}

const forms: Readonly<Record<FhirVersion, NotificationForm>> = {
  '4.0': {
    buildStatus: toParameters,
    bundle: { meta: { profile: [`${backport}/backport-subscription-notification-r4`] }, type: 'history' },
  },
  '4.3': {
    buildStatus: toSubscriptionStatus,
    bundle: { meta: { profile: [`${backport}/backport-subscription-notification`] }, type: 'history' },
  },
  '5.0': { buildStatus: toSubscriptionStatus, bundle: { type: 'subscription-notification' } },
};

/** The answer to `$status`. */
export function buildStatusAnswer(subscription: StoredSubscription, version: FhirVersion): object {
  const url = `${reference(subscription).reference}/$status`;
  const facts: StatusFacts = { subscription, type: 'query-status', events: [], hasIds: false };
  return buildSearchset(url, [{ fullUrl: url, resource: forms[version].buildStatus(facts) }]);
}

const reportAddress = (base: string, { record }: NotifiedEvent): string =>
  `${base}/fhir/DiagnosticReport/${toFhirId(record)}`;

interface NotificationOptions {
  readonly type: NotificationType;
  /** The present time, ISO 8601. */
  readonly at: string;
  readonly events?: readonly NotifiedEvent[];
  /** Default: that of the Subscription. */
  readonly version?: FhirVersion;
}

export function buildNotification(
  subscription: StoredSubscription,
  { type, at, events = [], version = versionOf(subscription) }: NotificationOptions,
): object {
  const { id, base_url: base, content } = subscription;
  const hasIds = content !== 'empty';
  const { buildStatus, bundle } = forms[version];
  // A Bundle has an address once.
  const reports = new Map(events.map((event) => [event.record, event]));
  const entries = [...reports.values()].map((event) => ({
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
    ...bundle,
    timestamp: at,
    entry: [
      {
        fullUrl: `urn:uuid:${randomUUID()}`,
        resource: buildStatus({ subscription, type, events, hasIds }),
        request: { method: 'GET', url: `Subscription/${toFhirId(id)}/$status` },
        response: { status: '200' },
      },
      ...(hasIds ? entries : []),
    ],
  };
}
