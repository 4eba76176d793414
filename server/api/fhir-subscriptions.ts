/** The calls of FHIR clients for their Subscriptions. */
import type { Handlers, RawOutput } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import type { fhir } from '../../src/contract/fhir.ts';
import type { subscriptionEndpoints, topicEndpoints } from '../../src/contract/fhir-subscription.ts';
import { defaultVersion } from '../../src/contract/fhir-types.ts';
import type { FhirVersion } from '../../src/contract/fhir-types.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { fhirAnswer } from '../delivery/fhir/answer.ts';
import { fromReference, toFhirId } from '../delivery/fhir/find-reports.ts';
import { buildNotification, buildStatusAnswer, toNotifiedEvent } from '../delivery/fhir/notification.ts';
import { buildSearchset } from '../delivery/fhir/searchset.ts';
import { readSubscription, showSubscription, versionOf } from '../delivery/fhir/subscription.ts';
import type { StoredSubscription } from '../delivery/fhir/subscription.ts';
import { topic, topicId } from '../delivery/fhir/topic.ts';
import { findAccepted, readContentVersion } from '../delivery/fhir/versions.ts';
import type { DeliveryDeps } from '../delivery/deps.ts';
import { markFailed } from '../delivery/webhooks/outbox.ts';
import type { Targets } from '../delivery/webhooks/target.ts';
import type { Call, Caller } from '../http/call.ts';
import { parseJson } from '../http/plugins/json-body.ts';
import { scan } from '../storage/scan.ts';
import type { Reader, Transaction } from '../storage/store.ts';

export interface SubscriptionRouteDeps extends Pick<DeliveryDeps, 'store' | 'clock' | 'ids'> {
  /** Checks endpoints, like addresses of webhooks. */
  readonly targets: Targets;
}

/** Subscriptions of a client. */
const maxSubscriptions = 20;
/** Events in an answer. */
const maxEvents = 100;

export function subscriptionRoutes({
  store,
  clock,
  ids,
  targets,
}: SubscriptionRouteDeps): Pick<Handlers<typeof fhir, Call>, keyof typeof subscriptionEndpoints> {
  const readWanted = async (body: unknown, call: Call) => {
    const resource = body instanceof Uint8Array ? parseJson(Buffer.from(body)) : body;
    const wanted = readSubscription(resource, readContentVersion(call.header('content-type')), clock.now());
    await targets.addresses(targets.parse(wanted.endpoint));
    return wanted;
  };

  /** Nothing more is sent of what waits. */
  async function dropWaiting(tx: Transaction, { id, client_id: client }: StoredSubscription): Promise<void> {
    const waiting = await tx.find('deliveries', { is: { client, status: 'pending' } });
    for (const delivery of waiting) if (delivery.subscription_id === id) tx.put('deliveries', markFailed(delivery));
  }

  return {
    async subscriptions(_input, call) {
      const { caller, base_url: base } = call;
      const version = findAccepted(call.header('accept'));
      const found = await store.find('subscriptions', { is: { client: caller.client_id, space: caller.space } });
      const entry = found.map((each) => ({
        fullUrl: `${base}/fhir/Subscription/${toFhirId(each.id)}`,
        resource: showSubscription(each, version ?? defaultVersion),
      }));
      return fhirAnswer(buildSearchset(`${base}/fhir/Subscription`, entry), { version });
    },

    async subscribe({ body }, call) {
      const { isOff, headers = [], ...wanted } = await readWanted(body, call);
      checkMachine(call.caller);
      const { client_id, space } = call.caller;
      const now = isoNow(clock);
      const made = await call.commit(async (tx) => {
        const others = await tx.find('subscriptions', { is: { client: client_id } });
        if (others.length >= maxSubscriptions) throw tooMany();
        const subscription: StoredSubscription = {
          id: ids('sub'),
          space,
          client_id,
          status: isOff ? 'off' : 'requested',
          ...wanted,
          headers,
          events: 0,
          error: null,
          base_url: call.base_url,
          created_at: now,
          updated_at: now,
        };
        tx.put('subscriptions', subscription);
        return { status: 201, data: subscription };
      });
      const answer = show(made.data, call, 201);
      const location = `${call.base_url}/fhir/Subscription/${toFhirId(made.data.id)}`;
      return { ...answer, headers: { ...answer.headers, Location: location } };
    },

    subscription: async ({ params }, call) => show(await readOwn(store, call.caller, params.id), call),

    async resubscribe({ params, body }, call) {
      const { isOff, headers, ...wanted } = await readWanted(body, call);
      checkMachine(call.caller);
      const changed = await call.commit(async (tx) => {
        const before = await readOwn(tx, call.caller, params.id);
        const after: StoredSubscription = {
          ...before,
          ...wanted,
          headers: headers ?? before.headers,
          status: isOff ? 'off' : 'requested',
          error: null,
          failed_handshakes: 0,
          next_handshake_at: null,
          base_url: call.base_url,
          updated_at: isoNow(clock),
        };
        tx.put('subscriptions', after);
        if (isOff) await dropWaiting(tx, before);
        return { status: 200, data: after };
      });
      return show(changed.data, call);
    },

    async unsubscribe({ params }, call) {
      const removed = await call.commit(async (tx) => {
        const before = await readOwn(tx, call.caller, params.id);
        tx.remove('subscriptions', before.id);
        await dropWaiting(tx, before);
        return { status: 200, data: before };
      });
      return show({ ...removed.data, status: 'off' }, call);
    },

    async subscriptionStatus({ params }, call) {
      const subscription = await readOwn(store, call.caller, params.id);
      const version = shownVersion(subscription, call);
      return fhirAnswer(buildStatusAnswer(subscription, version), { version });
    },

    async subscriptionEvents({ params, query }, call) {
      const subscription = await readOwn(store, call.caller, params.id);
      const { eventsSinceNumber: since = 0, eventsUntilNumber: until = Infinity } = query;
      const events = [];
      // Newest first; the numbers have no gaps.
      for await (const delivery of scan(store, 'deliveries', { is: { client: subscription.client_id } })) {
        if (delivery.subscription_id !== subscription.id) continue;
        const event = toNotifiedEvent(delivery);
        if (event.number < since) break;
        if (event.number <= until) events.push(event);
      }
      const oldest = events.toReversed().slice(0, maxEvents);
      const version = shownVersion(subscription, call);
      const notification = { type: 'query-event', at: isoNow(clock), events: oldest, version } as const;
      return fhirAnswer(buildNotification(subscription, notification), { version });
    },
  };
}

export const topicRoutes: Pick<Handlers<typeof fhir, Call>, keyof typeof topicEndpoints> = {
  async topics({ query }, call) {
    const { base_url: base } = call;
    const found = query.url === undefined || query.url === topic.url ? [topic] : [];
    const entry = found.map((resource) => ({
      fullUrl: `${base}/fhir/SubscriptionTopic/${resource.id}`,
      resource,
    }));
    return fhirAnswer(buildSearchset(`${base}/fhir/SubscriptionTopic`, entry), { version: topicVersion(call) });
  },

  async topic({ params }, call) {
    if (params.id !== topicId) throw new AppError('NOT_FOUND');
    return fhirAnswer(topic, { version: topicVersion(call) });
  },
};

/** That of the Subscription, unless the client wants another one. */
const shownVersion = (subscription: StoredSubscription, call: Call): FhirVersion =>
  findAccepted(call.header('accept')) ?? versionOf(subscription);

/** R4 has no such resource. */
const topicVersion = (call: Call): FhirVersion => (findAccepted(call.header('accept')) === '4.3' ? '4.3' : '5.0');

function show(subscription: StoredSubscription, call: Call, status?: number): RawOutput {
  const version = shownVersion(subscription, call);
  return fhirAnswer(showSubscription(subscription, version), { version, ...(status !== undefined && { status }) });
}

/** No person is logged in when notifications are sent. */
function checkMachine({ user }: Caller): void {
  if (user === null) return;
  throw new AppError('FORBIDDEN', {
    message: 'Only a client that logs in for itself can subscribe.',
    hint: 'Get the token by client credentials.',
  });
}

async function readOwn(reader: Reader, { client_id, space }: Caller, id: string): Promise<StoredSubscription> {
  const subscription = await reader.get('subscriptions', fromReference(id));
  if (subscription?.client_id === client_id && subscription.space === space) return subscription;
  throw new AppError('NOT_FOUND');
}

const tooMany = (): AppError =>
  validationFailed([
    {
      field: '',
      message: `a client has at most ${maxSubscriptions} Subscriptions; end one of the others`,
      code: 'INVALID_VALUE',
    },
  ]);
