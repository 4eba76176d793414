/**
 * Subscriptions of a simulated FHIR server: in R4 and R4B by the Subscriptions R5 Backport guide, and in R5. Notifications say that
 * something changed, without content.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../src/contract/errors.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import type { HttpCall } from '../../src/node/http/http-call.ts';
import type { Context } from '../context.ts';
import type { ReceivedEvents } from './called-peer.ts';
import { outcome, resourceIn } from './fhir-resources.ts';
import type { FhirResource } from './fhir-resources.ts';
import type { PeerRequest, PeerResponse } from './http-peer.ts';
import { calling } from './tls.ts';
import type { TlsWords } from './tls.ts';

type NotificationType = 'handshake' | 'heartbeat' | 'event-notification';

/** The change of which the first subscriber is notified. */
export interface HeldChange {
  /** Called when the Subscription is made: the change must not be found yet. */
  hold(): void;
  /** Called once the subscriber has answered its handshake, well or not. */
  release(): void;
  /** Whether the notification of it is lost, and the next heartbeat counts it. */
  readonly isLost: boolean;
}

export interface FhirNotifier {
  /** Answers a request about a Subscription. `id`: `undefined` for a new one. */
  answer(asked: PeerRequest, id: string | undefined): PeerResponse;
  close(): Promise<void>;
}

const answerMs = 10_000;
const backport = 'http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition';

export function createFhirNotifier({ clock, signal }: Context, tls: TlsWords, change: HeldChange): FhirNotifier {
  const subscriptions = new Map<string, FhirResource>();
  let http: HttpCall | undefined;
  let events = 0;

  /** Resolves to whether the subscriber took it. */
  async function notify(
    subscription: FhirResource,
    type: NotificationType,
    add: ReceivedEvents['add'],
  ): Promise<boolean> {
    const at = new Date(clock.now()).toISOString();
    const event = { what: type, more: `events so far: ${events}` };
    try {
      const files = await calling(tls);
      http ??= createHttpCall({ timeout: answerMs, ...(files && { tls: files }) });
      const { endpoint, headers } = readChannel(subscription);
      const answer = await http.transport({
        method: 'POST',
        url: endpoint,
        headers: { ...headers, 'content-type': 'application/fhir+json' },
        body: JSON.stringify(buildNotification(subscription, { type, events, at })),
        signal,
      });
      await answer.text(1024 * 1024);
      const isGood = answer.status < 300;
      add({ ...event, answer: String(answer.status), isGood });
      return isGood;
    } catch (error) {
      add({ ...event, answer: 'none', isGood: false, more: error instanceof AppError ? error.message : 'no endpoint' });
      return false;
    }
  }

  async function begin(
    id: string,
    resource: FhirResource,
    isFirst: boolean,
    add: ReceivedEvents['add'],
  ): Promise<void> {
    const isTaken = await notify(resource, 'handshake', add);
    const begun = { ...resource, status: isTaken ? 'active' : 'error' };
    subscriptions.set(id, begun);
    if (!isFirst) return;
    change.release();
    events += 1;
    if (isTaken) await notify(begun, change.isLost ? 'heartbeat' : 'event-notification', add);
  }

  return {
    answer({ method, url, body }, named) {
      const known = named === undefined ? undefined : subscriptions.get(named);
      if (method === 'GET' || (named !== undefined && !known))
        return known ? { status: 200, body: known } : { status: 404, body: outcome('There is no such Subscription.') };
      const isFirst = subscriptions.size === 0;
      const id = named ?? `simulated-${subscriptions.size + 1}`;
      const what = `${method} Subscription`;
      const sent = resourceIn(body);
      if (sent?.resourceType !== 'Subscription')
        return { status: 400, body: outcome('The body must be a Subscription.'), event: { what, more: '' } };
      const resource: FhirResource = { ...sent, id, status: 'requested' };
      subscriptions.set(id, resource);
      if (isFirst) change.hold();
      return {
        status: known ? 200 : 201,
        headers: { location: new URL(`/fhir/Subscription/${id}`, url).href },
        body: resource,
        event: { what, more: isR5(resource) ? 'R5' : 'R4' },
        after: (add) => begin(id, resource, isFirst, add),
      };
    },
    close: async () => http?.close(),
  };
}

const isR5 = (subscription: FhirResource): boolean => 'channelType' in subscription;

interface Channel {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

function readChannel(subscription: FhirResource): Channel {
  if (isR5(subscription)) {
    const { endpoint, parameter = [] } = subscription as {
      endpoint?: unknown;
      parameter?: { name: string; value: string }[];
    };
    return {
      endpoint: String(endpoint),
      headers: Object.fromEntries(parameter.map(({ name, value }) => [name, value])),
    };
  }
  const { endpoint, header = [] } = (subscription['channel'] ?? {}) as { endpoint?: unknown; header?: string[] };
  const headers = header.map((each) => /^([^:]*): ?(.*)$/.exec(each)?.slice(1) ?? []);
  return { endpoint: String(endpoint), headers: Object.fromEntries(headers) as Record<string, string> };
}

interface NotificationFacts {
  readonly type: NotificationType;
  /** Events since the Subscription began. */
  readonly events: number;
  /** ISO 8601. */
  readonly at: string;
}

function buildNotification(subscription: FhirResource, { type, events, at }: NotificationFacts): FhirResource {
  const { id, status } = subscription;
  const reference = `Subscription/${String(id)}`;
  const request = { method: 'GET', url: `${reference}/$status` };
  const bundle = (kind: string, resource: object, profile: object): FhirResource => ({
    resourceType: 'Bundle',
    id: randomUUID(),
    ...profile,
    type: kind,
    timestamp: at,
    entry: [{ fullUrl: `urn:uuid:${randomUUID()}`, resource, request, response: { status: '200' } }],
  });
  const isEvent = type === 'event-notification';
  if (isR5(subscription)) {
    const resource = {
      resourceType: 'SubscriptionStatus',
      status,
      type,
      eventsSinceSubscriptionStart: String(events),
      ...(isEvent && { notificationEvent: [{ eventNumber: String(events), timestamp: at }] }),
      subscription: { reference },
      topic: subscription['topic'],
    };
    return bundle('subscription-notification', resource, {});
  }
  const part = [
    { name: 'event-number', valueString: String(events) },
    { name: 'timestamp', valueInstant: at },
  ];
  const resource = {
    resourceType: 'Parameters',
    meta: { profile: [`${backport}/backport-subscription-status-r4`] },
    parameter: [
      { name: 'subscription', valueReference: { reference } },
      { name: 'topic', valueCanonical: subscription['criteria'] },
      { name: 'status', valueCode: status },
      { name: 'type', valueCode: type },
      { name: 'events-since-subscription-start', valueString: String(events) },
      ...(isEvent ? [{ name: 'notification-event', part }] : []),
    ],
  };
  return bundle('history', resource, { meta: { profile: [`${backport}/backport-subscription-notification-r4`] } });
}
