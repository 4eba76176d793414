/**
 * Sends the deliveries of the outbox. Only the store knows what is pending and when it is due, so neither a restart nor a crash
 * loses anything: at worst a delivery is sent twice (at-least-once). Each pending delivery is read once and kept in a queue, so
 * waiting deliveries do not slow down a wake-up.
 *
 * Each receiver has a lane with few concurrent requests, and lanes take turns. An endpoint that does not answer delays only its
 * own deliveries, and not all of those, however many endpoints do not answer.
 */
import { isoNow, machineClockOf } from '../../../src/domain/clock.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import { createWaits } from '../../runtime/clock/waits.ts';
import type { Waits } from '../../runtime/clock/waits.ts';
import { FairQueue } from '../../runtime/queue/fair-queue.ts';
import type { Turn } from '../../runtime/queue/fair-queue.ts';
import { createLeaseSet, leaseLost } from '../../storage/members.ts';
import type { LeaseSet } from '../../storage/members.ts';
import { scan } from '../../storage/scan.ts';
import { createNewcomers } from '../../storage/newcomers.ts';
import type { Newcomers } from '../../storage/newcomers.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { Sender } from './sender.ts';
import type { WebhookFaults } from '../deps.ts';
import { laneOfDelivery, markFailed, findDue, isGone, settle } from './outbox.ts';
import type { Attempt, StoredDelivery } from './outbox.ts';
import type { FindReceiver, Receiver } from './receivers.ts';

export interface DispatcherDeps extends Pick<DeliveryDeps, 'store' | 'members' | 'clock' | 'log'> {
  readonly sender: Sender;
  readonly findReceiver: FindReceiver;
  readonly faults: WebhookFaults;
  /** Numbers from 0 up to 1, for the jitter of retries. */
  readonly random: () => number;
}

export interface DispatcherLimits {
  /** Maximum of concurrent requests to one endpoint. */
  readonly perEndpoint: number;
  /** Maximum of additional requests to one endpoint that have had no answer for a while. */
  readonly slowPerEndpoint: number;
  /** Maximum of concurrent requests in total, without slow ones. */
  readonly total: number;
}

/** An attempt, and the receiver at that time. */
interface SentAttempt {
  readonly lane: string;
  readonly to: Receiver;
  readonly attempt: Attempt;
}

/** Pause in ms before the next read after a failure of the store. */
const storeRetry = 5000;
/** After this many ms without an answer a request is slow, and the next one may start. */
const patience = 1000;

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #waits: Waits;
  /** All pending deliveries that were read; the lane of a receiver that takes none is closed. */
  readonly #queue: FairQueue;
  /** The leases of lanes: the member that holds one sends all of its deliveries, so that none is sent twice. */
  readonly #leases: LeaseSet;
  readonly #active = new Set<Promise<void>>();
  /** Outcomes that the store failed to record, by delivery id. Each is recorded before its delivery is sent again. */
  readonly #unrecorded = new Map<string, SentAttempt>();
  /** Set from start to stop. */
  #run: AbortController | undefined;
  #pending: Newcomers<'deliveries'> | undefined;
  /** Stops watching receivers. */
  #unwatch = (): void => {};
  #looking = false;
  #lookAgain = false;
  #alarm: { at: number; off: () => void } | undefined;

  constructor(deps: DispatcherDeps, { perEndpoint, slowPerEndpoint, total }: DispatcherLimits) {
    this.#deps = deps;
    this.#waits = createWaits(deps.clock);
    this.#leases = createLeaseSet(deps.members, 'webhook', {
      begin: (lane) => this.#takeOver(lane),
      end: (lane) => this.#leave(lane),
    });
    this.#queue = new FairQueue({ perLane: perEndpoint, lingering: slowPerEndpoint, total });
  }

  /** Reads all pending deliveries. Call it again if every document may have changed. */
  start(): void {
    const { store } = this.#deps;
    this.#run ??= new AbortController();
    this.#unwatch();
    this.#pending?.stop();
    this.#queue.clear();
    this.#pending = createNewcomers(store, 'deliveries', 'pending', () => this.#wake());
    const reopen = (lanes: readonly string[]): void => {
      for (const lane of lanes) if (this.#leases.has(lane)) this.#queue.open(lane);
      this.#wake();
    };
    const watching = [store.watch('webhooks', reopen), store.watch('subscriptions', reopen)];
    this.#unwatch = () => watching.forEach((unwatch) => unwatch());
    this.#wake();
  }

  /** Aborts requests in progress. A delivery without an answer stays pending, without a recorded attempt. */
  async stop(): Promise<void> {
    this.#run?.abort();
    this.#run = undefined;
    this.#unwatch();
    this.#pending?.stop();
    this.#alarm?.off();
    this.#alarm = undefined;
    await this.idle();
    await this.#leases.releaseAll();
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

  /** Sets the timer for `at`, in the time of waits, unless an earlier one is set. */
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
    this.#deps.log({ level: 'error', event, ...describeError(error) });
    this.#wakeAt(this.#waits.now() + storeRetry);
  }

  async #look(run: AbortSignal): Promise<void> {
    this.#looking = true;
    try {
      do {
        this.#lookAgain = false;
        const newcomers = this.#pending;
        const deliveries = await newcomers?.read();
        // A restart invalidates deliveries that were read before it.
        if (newcomers === this.#pending) for (const delivery of deliveries ?? []) this.#put(delivery);
        this.#pump(run);
      } while (this.#lookAgain && !run.aborted);
    } catch (error) {
      this.#storeFailed('webhook_sweep_failed', error);
    } finally {
      this.#looking = false;
    }
  }

  /** Continues where another member was. */
  #takeOver(lane: string): void {
    this.#queue.open(lane);
    const read = async (): Promise<void> => {
      const { store } = this.#deps;
      const client = (await store.get('subscriptions', lane))?.client_id ?? lane;
      for await (const delivery of scan(store, 'deliveries', { is: { client, status: 'pending' } }))
        if (laneOfDelivery(delivery) === lane) this.#put(delivery);
      this.#wake();
    };
    this.#track(
      read().catch((error: unknown) => {
        // The next look reads all lanes.
        this.#pending?.forget();
        this.#storeFailed('webhook_sweep_failed', error);
      }),
    );
  }

  /** Another member sends from now on. What is being sent here cannot be recorded any more. */
  #leave(lane: string): void {
    this.#queue.close(lane);
    for (const [id, sent] of this.#unrecorded) if (sent.lane === lane) this.#unrecorded.delete(id);
  }

  #put(delivery: StoredDelivery): void {
    const { id, status } = delivery;
    const lane = laneOfDelivery(delivery);
    if (!this.#leases.has(lane)) return;
    if (status === 'pending') this.#queue.put({ id, lane, due: findDue(this.#waits, delivery) });
    else this.#waits.forget(id);
  }

  /** Sends as many deliveries as the limits allow, and sets the timer for the next due one. */
  #pump(run: AbortSignal): void {
    if (run.aborted) return;
    const now = this.#waits.now();
    for (let turn = this.#queue.take(now); turn; turn = this.#queue.take(now)) this.#track(this.#send(turn, run));
    const { nextDue } = this.#queue;
    if (nextDue !== undefined) this.#wakeAt(nextDue);
  }

  async #send(turn: Turn, run: AbortSignal): Promise<void> {
    const machine = machineClockOf(this.#deps.clock);
    const cancel = machine.schedule(machine.now() + patience, () => {
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
      cancel();
      this.#pump(run);
    }
  }

  /** Attempts the delivery. Returns its new state; `undefined`: it was deleted. */
  async #attempt(id: string, run: AbortSignal): Promise<StoredDelivery | undefined> {
    const { store, clock, faults, sender, findReceiver } = this.#deps;
    const sent = this.#unrecorded.get(id);
    if (sent) return this.#record(id, sent);
    const delivery = await store.get('deliveries', id);
    // The delivery may have been settled or postponed since it was queued.
    if (run.aborted || delivery?.status !== 'pending' || findDue(this.#waits, delivery) > this.#waits.now())
      return delivery;
    const to = await findReceiver(store, delivery);
    if (!to) return this.#abandon(id);
    const lane = laneOfDelivery(delivery);
    if (!to.isOpen) this.#queue.close(lane);
    if (!to.isOpen || run.aborted) return delivery;
    const at = isoNow(clock);
    const request = await to.buildRequest(run);
    // A member that was asleep, and whose work another one has taken over, sends nothing more.
    if (!this.#leases.has(lane)) throw leaseLost();
    const fault = faults.delivery({ client_id: delivery.client_id, event: delivery.type, url: to.url });
    const outcome = await sender.send(request, run, fault);
    if (run.aborted && outcome.http_status === null) return delivery;
    return this.#record(id, { lane, to, attempt: { at, outcome, now: clock.now() } });
  }

  async #record(id: string, sent: SentAttempt): Promise<StoredDelivery | undefined> {
    this.#unrecorded.set(id, sent);
    const after = await this.#settle(id, sent);
    this.#unrecorded.delete(id);
    return after;
  }

  async #settle(id: string, { lane, to, attempt }: SentAttempt): Promise<StoredDelivery | undefined> {
    const { store, log, random } = this.#deps;
    const isEndpointGone = isGone(attempt.outcome.http_status);
    const delivery = await store.transact(async (tx) => {
      await this.#leases.confirm(lane, tx);
      const present = await tx.get('deliveries', id);
      if (!present) return undefined;
      const after = settle(present, attempt, random);
      tx.put('deliveries', after);
      if (isEndpointGone || after.status === 'failed')
        await to.giveUp(tx, isEndpointGone ? 'gone' : 'failed', attempt.at);
      return after;
    });
    if (isEndpointGone && delivery) log({ level: 'warn', event: 'webhook_gone', client_id: delivery.client_id });
    else if (delivery?.status === 'failed') log({ level: 'warn', event: 'webhook_failed', delivery_id: id });
    return delivery;
  }

  async #abandon(id: string): Promise<undefined> {
    await this.#deps.store.transact(async (tx) => {
      const delivery = await tx.get('deliveries', id);
      if (delivery?.status === 'pending') tx.put('deliveries', markFailed(delivery));
    });
  }
}
