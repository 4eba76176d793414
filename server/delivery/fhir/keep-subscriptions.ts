/** Shakes hands with new Subscriptions, again as webhooks are tried again, sends heartbeats, and ends what is over. One member does it. */
import { isoNow } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { InOrder } from '../../../src/domain/in-order.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { Part } from '../../storage/members.ts';
import { findDelay, isGone, isSuccess } from '../webhooks/outbox.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { Sender } from '../webhooks/sender.ts';
import { buildNotification } from './notification.ts';
import { mayNotify, toRequest } from './subscription-receiver.ts';
import type { StoredSubscription } from './subscription.ts';

interface KeeperDeps extends Pick<DeliveryDeps, 'store' | 'clock' | 'log'> {
  readonly sender: Sender;
  /** Numbers from 0 up to 1, for the jitter of retries. */
  readonly random: () => number;
}

export interface SubscriptionKeeper extends Part {
  /** Resolves once nothing is under way; heartbeats that are due later do not count. */
  idle(): Promise<void>;
}

export function createSubscriptionKeeper({ store, clock, log, sender, random }: KeeperDeps): SubscriptionKeeper {
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
    const outcome = await send({ ...subscription, error: null }, 'handshake', signal);
    if (signal.aborted) return;
    const { http_status } = outcome;
    if (isSuccess(http_status)) return change(subscription, { status: 'active', error: null, ...noHandshakes });
    if (isGone(http_status)) return change(subscription, { status: 'off', error: null, ...noHandshakes });
    const failures = (subscription.failed_handshakes ?? 0) + 1;
    const delay = findDelay(outcome, failures, clock.now(), random);
    const error = http_status === null ? outcome.error : `The endpoint answered the handshake with ${http_status}.`;
    if (delay === null) return change(subscription, { status: 'error', error, next_handshake_at: null });
    const next_handshake_at = new Date(clock.now() + delay).toISOString();
    return change(subscription, { error, failed_handshakes: failures, next_handshake_at });
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
    const handshake = status === 'requested' ? Date.parse(subscription.next_handshake_at ?? '') || 0 : Infinity;
    if (handshake <= clock.now()) return shakeHands(subscription, signal);
    if (isBeat && status === 'active') await send(subscription, 'heartbeat', signal);
    const beat = status === 'active' && seconds !== null ? clock.now() + seconds * 1000 : handshake;
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

const noHandshakes = { failed_handshakes: 0, next_handshake_at: null } as const;

/** In ms: longer timers overflow. */
const maxWait = 86_400_000;
