/** The calls of FHIR clients for their Subscriptions. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import type { fhir } from '../../src/contract/fhir.ts';
import type { subscriptionEndpoints } from '../../src/contract/fhir-subscription.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { fhirAnswer } from '../delivery/fhir/answer.ts';
import { fromReference, toFhirId } from '../delivery/fhir/find-reports.ts';
import { buildNotification, buildStatus, toNotifiedEvent } from '../delivery/fhir/notification.ts';
import { readSubscription, showSubscription } from '../delivery/fhir/subscription.ts';
import type { StoredSubscription } from '../delivery/fhir/subscription.ts';
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
  const readWanted = async (body: unknown) => {
    const wanted = readSubscription(body instanceof Uint8Array ? parseJson(Buffer.from(body)) : body, clock.now());
    await targets.addresses(targets.parse(wanted.endpoint));
    return wanted;
  };

  /** Nothing more is sent of what waits. */
  async function dropWaiting(tx: Transaction, { id, client_id: client }: StoredSubscription): Promise<void> {
    const waiting = await tx.find('deliveries', { is: { client, status: 'pending' } });
    for (const delivery of waiting) if (delivery.subscription_id === id) tx.put('deliveries', markFailed(delivery));
  }

  return {
    async subscriptions(_input, { caller, base_url: base }) {
      const found = await store.find('subscriptions', { is: { client: caller.client_id, space: caller.space } });
      const entry = found.map((each) => ({
        fullUrl: `${base}/fhir/Subscription/${toFhirId(each.id)}`,
        resource: showSubscription(each),
        search: { mode: 'match' },
      }));
      const link = [{ relation: 'self', url: `${base}/fhir/Subscription` }];
      return fhirAnswer({
        resourceType: 'Bundle',
        type: 'searchset',
        total: found.length,
        link,
        ...(entry.length > 0 && { entry }),
      });
    },

    async subscribe({ body }, call) {
      const { isOff, headers = [], ...wanted } = await readWanted(body);
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
      const answer = fhirAnswer(showSubscription(made.data), undefined, 201);
      const location = `${call.base_url}/fhir/Subscription/${toFhirId(made.data.id)}`;
      return { ...answer, headers: { ...answer.headers, Location: location } };
    },

    subscription: async ({ params }, { caller }) =>
      fhirAnswer(showSubscription(await readOwn(store, caller, params.id))),

    async resubscribe({ params, body }, call) {
      const { isOff, headers, ...wanted } = await readWanted(body);
      checkMachine(call.caller);
      const changed = await call.commit(async (tx) => {
        const before = await readOwn(tx, call.caller, params.id);
        const after: StoredSubscription = {
          ...before,
          ...wanted,
          headers: headers ?? before.headers,
          status: isOff ? 'off' : 'requested',
          error: null,
          base_url: call.base_url,
          updated_at: isoNow(clock),
        };
        tx.put('subscriptions', after);
        if (isOff) await dropWaiting(tx, before);
        return { status: 200, data: after };
      });
      return fhirAnswer(showSubscription(changed.data));
    },

    async unsubscribe({ params }, call) {
      const removed = await call.commit(async (tx) => {
        const before = await readOwn(tx, call.caller, params.id);
        tx.remove('subscriptions', before.id);
        await dropWaiting(tx, before);
        return { status: 200, data: before };
      });
      return fhirAnswer(showSubscription({ ...removed.data, status: 'off' }));
    },

    async subscriptionStatus({ params }, { caller }) {
      const subscription = await readOwn(store, caller, params.id);
      const fullUrl = `${subscription.base_url}/fhir/Subscription/${toFhirId(subscription.id)}/$status`;
      const resource = buildStatus(subscription, 'query-status');
      const entry = [{ fullUrl, resource, search: { mode: 'match' } }];
      return fhirAnswer({ resourceType: 'Bundle', type: 'searchset', total: 1, entry });
    },

    async subscriptionEvents({ params, query }, { caller }) {
      const subscription = await readOwn(store, caller, params.id);
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
      return fhirAnswer(buildNotification(subscription, 'query-event', isoNow(clock), oldest));
    },
  };
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
