/** Shakes hands with new Subscriptions, sends heartbeats, and ends what is over. One member does it. */
import { isoNow } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { InOrder } from '../../../src/domain/in-order.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { Part } from '../../storage/members.ts';
import { isSuccess } from '../webhooks/outbox.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { Sender } from '../webhooks/sender.ts';
import { buildNotification } from './notification.ts';
import { mayNotify, toRequest } from './subscription-receiver.ts';
import type { StoredSubscription } from './subscription.ts';

type KeeperDeps = Pick<DeliveryDeps, 'store' | 'clock' | 'log'> & { readonly sender: Sender };

export interface SubscriptionKeeper extends Part {
  /** Resolves once nothing is under way; heartbeats that are due later do not count. */
  idle(): Promise<void>;
}

export function createSubscriptionKeeper({ store, clock, log, sender }: KeeperDeps): SubscriptionKeeper {
  const timers = new Map<string, () => void>();
  const active = new Set<Promise<void>>();
  /** One step at a time of each, so that it gets one handshake. */
  const orders = new Map<string, InOrder>();
  let run: AbortController | undefined;
  let unwatch = (): void => {};

  const track = (work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => log({ level: 'warn', event: 'subscription_not_kept', ...describeError(error) }))
      .finally(() => active.delete(tracked));
    active.add(tracked);
  };

  const send = (subscription: StoredSubscription, type: 'handshake' | 'heartbeat', signal: AbortSignal) =>
    sender.send(toRequest(subscription, buildNotification(subscription, { type, at: isoNow(clock) })), signal);

  /** Changes it unless somebody else did meanwhile. */
  const change = (before: StoredSubscription, changes: Partial<StoredSubscription>): Promise<void> =>
    store.transact(async (tx) => {
      const present = await tx.get('subscriptions', before.id);
      if (present?.status === before.status && present.endpoint === before.endpoint)
        tx.put('subscriptions', { ...present, ...changes, updated_at: isoNow(clock) });
    });

  async function shakeHands(subscription: StoredSubscription, signal: AbortSignal): Promise<void> {
    const { http_status, error } = await send({ ...subscription, status: 'requested' }, 'handshake', signal);
    if (signal.aborted) return;
    if (isSuccess(http_status)) return change(subscription, { status: 'active', error: null });
    const reason = http_status === null ? error : `The endpoint answered the handshake with ${http_status}.`;
    return change(subscription, { status: 'error', error: reason });
  }

  const follow = (id: string, isBeat: boolean): void => {
    const inTurn = orders.get(id) ?? createOrder();
    orders.set(id, inTurn);
    track(inTurn(() => step(id, isBeat)));
  };

  /** Does what is due for it, and sets its timer. */
  async function step(id: string, isBeat: boolean): Promise<void> {
    const signal = run?.signal;
    if (!signal || signal.aborted) return;
    timers.get(id)?.();
    timers.delete(id);
    const subscription = await store.get('subscriptions', id);
    if (!subscription) orders.delete(id);
    if (!subscription || signal.aborted) return;
    const { status, ends_at, heartbeat_seconds: seconds } = subscription;
    const ends = ends_at === null ? Infinity : Date.parse(ends_at);
    if (status === 'off') return;
    if (ends <= clock.now() || !(await mayNotify(store, subscription)))
      return change(subscription, { status: 'off', error: null });
    if (status === 'requested') return shakeHands(subscription, signal);
    if (isBeat && status === 'active') await send(subscription, 'heartbeat', signal);
    const beat = status === 'active' && seconds !== null ? clock.now() + seconds * 1000 : Infinity;
    const next = Math.min(beat, ends, clock.now() + maxWait);
    timers.get(id)?.();
    if (!signal.aborted && Math.min(beat, ends) < Infinity)
      timers.set(
        id,
        clock.schedule(next, () => follow(id, next === beat)),
      );
  }

  return {
    async start() {
      run ??= new AbortController();
      unwatch();
      unwatch = store.watch('subscriptions', (ids) => ids.forEach((id) => follow(id, false)));
      for (const { id } of await store.find('subscriptions', {})) follow(id, false);
    },
    async stop() {
      run?.abort();
      run = undefined;
      unwatch();
      for (const cancel of timers.values()) cancel();
      timers.clear();
      while (active.size > 0) await Promise.all(active);
    },
    async idle() {
      while (active.size > 0) await Promise.all(active);
    },
  };
}

/** In ms: longer timers overflow. */
const maxWait = 86_400_000;
