/**
 * Sends what the outbox holds. The store alone knows what is pending and when it is due, so a restart, or a crash
 * between two lines of this file, loses nothing: at worst a delivery is sent once more (at-least-once). The dispatcher
 * reads each pending delivery once and keeps it in a queue, so that waiting deliveries do not make a wake slower.
 *
 * Each client has its own lane with few requests at a time, and lanes take turns. An endpoint that does not answer delays
 * only its own deliveries, and not all of those. The other endpoints go on, however many endpoints do not answer.
 */
import { isoNow, machineClockOf } from '../../../src/domain/clock.ts';
import { signedHeaders } from '../../../src/node/http/webhook-signature.ts';
import { anatomyOf } from '../../http/plugins/errors.ts';
import { createWaits } from '../../runtime/clock/waits.ts';
import type { Waits } from '../../runtime/clock/waits.ts';
import { FairQueue } from '../../runtime/queue/fair-queue.ts';
import type { Turn } from '../../runtime/queue/fair-queue.ts';
import { createNewcomers } from '../../storage/newcomers.ts';
import type { Newcomers } from '../../storage/newcomers.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { Sender } from './sender.ts';
import type { WebhookFaults } from './webhook-faults.ts';
import { abandoned, dueOf, isGone, settled } from './outbox.ts';
import type { Attempt, StoredDelivery, StoredWebhook } from './outbox.ts';

export interface DispatcherDeps extends Pick<DeliveryDeps, 'store' | 'clock' | 'log'> {
  readonly sender: Sender;
  readonly faults: WebhookFaults;
  /** Numbers from 0 up to 1, for the jitter of retries. */
  readonly random: () => number;
}

export interface DispatcherLimits {
  /** Requests at a time to one endpoint. */
  readonly perEndpoint: number;
  /** Further requests at a time to one endpoint, each without an answer for a while. */
  readonly slowPerEndpoint: number;
  /** Requests at a time altogether, slow ones apart. */
  readonly total: number;
}

/** An attempt, and the webhook as it was at that attempt. */
interface Sent {
  readonly to: StoredWebhook;
  readonly attempt: Attempt;
}

/** Pause before the next look at the store after the store failed, in ms. */
const storeRetry = 5000;
/** After so many ms without an answer a request is slow, and the next one begins. */
const patience = 1000;

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #waits: Waits;
  /** Every pending delivery that was read; the lane of a disabled webhook is closed. */
  readonly #queue: FairQueue;
  readonly #active = new Set<Promise<void>>();
  /** Outcomes that the store refused to record, by delivery. Each is recorded before its delivery is sent again. */
  readonly #unrecorded = new Map<string, Sent>();
  /** Set from start to stop. */
  #run: AbortController | undefined;
  #pending: Newcomers<'deliveries'> | undefined;
  /** Ends the watch on webhooks. */
  #unwatch = (): void => {};
  #looking = false;
  #lookAgain = false;
  #alarm: { at: number; off: () => void } | undefined;

  constructor(deps: DispatcherDeps, { perEndpoint, slowPerEndpoint, total }: DispatcherLimits) {
    this.#deps = deps;
    this.#waits = createWaits(deps.clock);
    this.#queue = new FairQueue({ perLane: perEndpoint, lingering: slowPerEndpoint, total });
  }

  /** Begins with all pending deliveries. Call it again when every document may have changed. */
  start(): void {
    const { store } = this.#deps;
    this.#run ??= new AbortController();
    this.#unwatch();
    this.#pending?.stop();
    this.#queue.clear();
    this.#pending = createNewcomers(store, 'deliveries', 'pending', () => this.#wake());
    this.#unwatch = store.watch('webhooks', (clients) => {
      for (const client of clients) this.#queue.open(client);
      this.#wake();
    });
    this.#wake();
  }

  /** Aborts the requests under way. A delivery without an answer stays pending, and no attempt is recorded for it. */
  async stop(): Promise<void> {
    this.#run?.abort();
    this.#run = undefined;
    this.#unwatch();
    this.#pending?.stop();
    this.#alarm?.off();
    this.#alarm = undefined;
    await this.idle();
    this.#queue.clear();
    this.#waits.clear();
    this.#unrecorded.clear();
    await this.#deps.sender.close();
  }

  /** Resolves once the dispatcher neither reads nor sends deliveries. */
  async idle(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active);
  }

  #wake(): void {
    const run = this.#run?.signal;
    if (!run) return;
    if (this.#looking) this.#lookAgain = true;
    else this.#track(this.#look(run));
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#active.delete(tracked));
    this.#active.add(tracked);
  }

  /** Wakes at `at`, in the time of waits; keeps an alarm that is set for an earlier time. */
  #wakeAt(at: number): void {
    if (!this.#run || (this.#alarm && this.#alarm.at <= at)) return;
    this.#alarm?.off();
    const off = this.#waits.schedule(at, () => {
      this.#alarm = undefined;
      this.#wake();
    });
    this.#alarm = { at, off };
  }

  #storeFailed(event: string, error: unknown): void {
    this.#deps.log({ level: 'error', event, ...anatomyOf(error) });
    this.#wakeAt(this.#waits.now() + storeRetry);
  }

  async #look(run: AbortSignal): Promise<void> {
    this.#looking = true;
    try {
      do {
        this.#lookAgain = false;
        const newcomers = this.#pending;
        const deliveries = await newcomers?.read();
        // A second start makes deliveries that were read before it void.
        if (newcomers === this.#pending) for (const delivery of deliveries ?? []) this.#put(delivery);
        this.#pump(run);
      } while (this.#lookAgain && !run.aborted);
    } catch (error) {
      this.#storeFailed('webhook_sweep_failed', error);
    } finally {
      this.#looking = false;
    }
  }

  #put(delivery: StoredDelivery): void {
    const { id, client_id: lane, status } = delivery;
    if (status === 'pending') this.#queue.put({ id, lane, due: dueOf(this.#waits, delivery) });
    else this.#waits.forget(id);
  }

  /** Sends as many deliveries as the limits allow, and sets the alarm for the delivery that is due next. */
  #pump(run: AbortSignal): void {
    if (run.aborted) return;
    const now = this.#waits.now();
    for (let turn = this.#queue.take(now); turn; turn = this.#queue.take(now)) this.#track(this.#send(turn, run));
    const { nextDue } = this.#queue;
    if (nextDue !== undefined) this.#wakeAt(nextDue);
  }

  async #send(turn: Turn, run: AbortSignal): Promise<void> {
    const machine = machineClockOf(this.#deps.clock);
    const callOff = machine.schedule(machine.now() + patience, () => {
      turn.linger();
      this.#pump(run);
    });
    try {
      const after = await this.#attempt(turn.id, run);
      turn.end();
      if (after) this.#put(after);
    } catch (error) {
      turn.end();
      this.#storeFailed('webhook_attempt_not_recorded', error);
      this.#queue.put({ id: turn.id, lane: turn.lane, due: this.#waits.now() + storeRetry });
    } finally {
      callOff();
      this.#pump(run);
    }
  }

  /** Attempts the delivery. Returns the delivery as it is now, `undefined` where it was deleted. */
  async #attempt(id: string, run: AbortSignal): Promise<StoredDelivery | undefined> {
    const { store, clock, faults, sender } = this.#deps;
    const sent = this.#unrecorded.get(id);
    if (sent) return this.#record(id, sent);
    const delivery = await store.get('deliveries', id);
    // The delivery may have been settled or postponed after it was queued.
    if (run.aborted || delivery?.status !== 'pending' || dueOf(this.#waits, delivery) > this.#waits.now())
      return delivery;
    const webhook = await store.get('webhooks', delivery.client_id);
    if (!webhook || !(await store.get('clients', delivery.client_id))) return this.#abandon(id);
    if (!webhook.enabled) this.#queue.close(delivery.client_id);
    if (!webhook.enabled || run.aborted) return delivery;
    const at = isoNow(clock);
    const { client_id, url } = webhook;
    const fault = faults.delivery({ client_id, event: delivery.type, url });
    const outcome = await sender.send(this.#request(delivery, webhook), run, fault);
    if (run.aborted && outcome.http_status === null) return delivery;
    return this.#record(id, { to: webhook, attempt: { at, outcome, now: clock.now() } });
  }

  async #record(id: string, sent: Sent): Promise<StoredDelivery | undefined> {
    this.#unrecorded.set(id, sent);
    const after = await this.#settle(id, sent.to, sent.attempt);
    this.#unrecorded.delete(id);
    return after;
  }

  #request(delivery: StoredDelivery, webhook: StoredWebhook) {
    const now = this.#deps.clock.now();
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

  async #settle(id: string, sentTo: StoredWebhook, attempt: Attempt): Promise<StoredDelivery | undefined> {
    const { store, log, random } = this.#deps;
    const isEndpointGone = isGone(attempt.outcome.http_status);
    const delivery = await store.transact(async (tx) => {
      const present = await tx.get('deliveries', id);
      if (!present) return undefined;
      const after = settled(present, attempt, random);
      tx.put('deliveries', after);
      const webhook = isEndpointGone ? await tx.get('webhooks', sentTo.id) : undefined;
      // A webhook that has got another address meanwhile stays enabled.
      if (webhook?.url === sentTo.url) tx.put('webhooks', { ...webhook, enabled: false, updated_at: attempt.at });
      return after;
    });
    if (isEndpointGone && delivery) log({ level: 'warn', event: 'webhook_gone', client_id: sentTo.client_id });
    else if (delivery?.status === 'failed') log({ level: 'warn', event: 'webhook_failed', delivery_id: id });
    return delivery;
  }

  async #abandon(id: string): Promise<undefined> {
    await this.#deps.store.transact(async (tx) => {
      const delivery = await tx.get('deliveries', id);
      if (delivery?.status === 'pending') tx.put('deliveries', abandoned(delivery));
    });
  }
}
