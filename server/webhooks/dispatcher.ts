/**
 * Sends what the outbox holds. The store alone knows what is pending and when it is due, so a restart, or a crash
 * between two lines of this file, loses nothing: at worst a delivery is sent once more (at-least-once).
 *
 * Each client has a lane of its own with few requests at a time, and lanes take turns: an endpoint that does not answer
 * holds up its own deliveries only.
 */
import { isoNow } from '../../src/domain/clock.ts';
import { signedHeaders } from '../../src/node/webhook-signature.ts';
import { anatomyOf } from '../plugins/errors.ts';
import type { Services } from '../services.ts';
import type { Sender } from './sender.ts';
import { abandoned, isDue, isGone, settled } from './outbox.ts';
import type { Attempt, StoredDelivery, StoredWebhook } from './outbox.ts';

export interface DispatcherDeps extends Pick<Services, 'store' | 'clock' | 'log'> {
  readonly sender: Sender;
  /** From 0 up to 1, for the jitter. */
  readonly random: () => number;
}

export interface DispatcherLimits {
  /** Requests at a time to one endpoint. */
  readonly perEndpoint: number;
  /** Requests at a time altogether. */
  readonly total: number;
}

interface Lane {
  /** Ids of deliveries that are due, oldest first. */
  readonly waiting: string[];
  sending: number;
}

/** An attempt, and the webhook as it was when it was made. */
interface Sent {
  readonly to: StoredWebhook;
  readonly attempt: Attempt;
}

/** When to look again after the store failed, in ms. */
const storeRetry = 5000;

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #limits: DispatcherLimits;
  /** By client. */
  readonly #lanes = new Map<string, Lane>();
  /** Ids in a lane, waiting or being sent. */
  readonly #taken = new Set<string>();
  readonly #active = new Set<Promise<void>>();
  /** What came of attempts that the store refused to record; recorded before that delivery is sent again. */
  readonly #unrecorded = new Map<string, Sent>();
  /** Set from start to stop. */
  #run: AbortController | undefined;
  #sending = 0;
  #sweeping = false;
  #sweepAgain = false;
  #alarm: { at: number; off: () => void } | undefined;

  constructor(deps: DispatcherDeps, limits: DispatcherLimits) {
    this.#deps = deps;
    this.#limits = limits;
  }

  start(): void {
    this.#run ??= new AbortController();
    this.wake();
  }

  /** Breaks off what is being sent; without an answer it stays pending, and no attempt is recorded. */
  async stop(): Promise<void> {
    this.#run?.abort();
    this.#run = undefined;
    this.#alarm?.off();
    this.#alarm = undefined;
    await this.idle();
    this.#lanes.clear();
    this.#taken.clear();
    this.#unrecorded.clear();
    await this.#deps.sender.close();
  }

  /** Resolves once nothing is being looked for or sent. */
  async idle(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active);
  }

  /** Looks for deliveries that are due. */
  wake(): void {
    const run = this.#run?.signal;
    if (!run) return;
    if (this.#sweeping) this.#sweepAgain = true;
    else this.#track(this.#sweepAll(run));
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#active.delete(tracked));
    this.#active.add(tracked);
  }

  /** Wakes at `at` (ms since 1970), or earlier if that was asked for already. */
  #wakeAt(at: number): void {
    if (!this.#run || (this.#alarm && this.#alarm.at <= at)) return;
    this.#alarm?.off();
    const off = this.#deps.clock.schedule(at, () => {
      this.#alarm = undefined;
      this.wake();
    });
    this.#alarm = { at, off };
  }

  #wakeFor({ next_attempt_at }: StoredDelivery): void {
    if (next_attempt_at !== null) this.#wakeAt(Date.parse(next_attempt_at));
  }

  #storeFailed(event: string, error: unknown): void {
    this.#deps.log({ level: 'error', event, ...anatomyOf(error) });
    this.#wakeAt(this.#deps.clock.now() + storeRetry);
  }

  async #sweepAll(run: AbortSignal): Promise<void> {
    this.#sweeping = true;
    try {
      do {
        this.#sweepAgain = false;
        await this.#sweep(run);
      } while (this.#sweepAgain && !run.aborted);
    } catch (error) {
      this.#storeFailed('webhook_sweep_failed', error);
    } finally {
      this.#sweeping = false;
    }
  }

  /** Puts what is due into the lanes, and sets the alarm for the next. */
  async #sweep(run: AbortSignal): Promise<void> {
    const { store, clock } = this.#deps;
    const pending = await store.find('deliveries', { is: { status: 'pending' } });
    const on = new Map<string, boolean>();
    for (const client of new Set(pending.map((delivery) => delivery.client_id))) {
      // Those of a webhook that was removed are due as well: they are ended.
      on.set(client, (await store.get('webhooks', client))?.enabled ?? true);
    }
    if (run.aborted) return;
    const now = clock.now();
    let next = Infinity;
    for (const delivery of pending.toReversed()) {
      // What a webhook that is off has pending waits until it is on again.
      if (this.#taken.has(delivery.id) || on.get(delivery.client_id) !== true) continue;
      if (isDue(delivery, now)) this.#queue(delivery);
      else if (delivery.next_attempt_at !== null) next = Math.min(next, Date.parse(delivery.next_attempt_at));
    }
    if (next < Infinity) this.#wakeAt(next);
    this.#pump(run);
  }

  #queue({ id, client_id }: StoredDelivery): void {
    const lane = this.#lanes.get(client_id) ?? { waiting: [], sending: 0 };
    lane.waiting.push(id);
    this.#lanes.set(client_id, lane);
    this.#taken.add(id);
  }

  /** Sends as much as the limits let, one from each lane in turn. */
  #pump(run: AbortSignal): void {
    for (const [client, lane] of this.#lanes) {
      if (this.#sending >= this.#limits.total || run.aborted) return;
      const id = lane.sending < this.#limits.perEndpoint ? lane.waiting.shift() : undefined;
      // To the end of the round, which meets it again there; a lane with nothing to do is dropped.
      if (id !== undefined || lane.sending === 0) this.#lanes.delete(client);
      if (id === undefined) continue;
      this.#lanes.set(client, lane);
      lane.sending += 1;
      this.#sending += 1;
      this.#track(this.#send(id, lane, run));
    }
  }

  async #send(id: string, lane: Lane, run: AbortSignal): Promise<void> {
    try {
      await this.#attempt(id, run);
    } catch (error) {
      this.#storeFailed('webhook_attempt_not_recorded', error);
    } finally {
      this.#taken.delete(id);
      lane.sending -= 1;
      this.#sending -= 1;
      this.#pump(run);
    }
  }

  async #attempt(id: string, run: AbortSignal): Promise<void> {
    const { store, clock, sender } = this.#deps;
    const sent = this.#unrecorded.get(id);
    if (sent) return this.#record(id, sent);
    const delivery = await store.get('deliveries', id);
    if (run.aborted || !delivery) return;
    // It was settled, or put off, after it was found.
    if (!isDue(delivery, clock.now())) return this.#wakeFor(delivery);
    const webhook = await store.get('webhooks', delivery.client_id);
    if (!webhook || !(await store.get('clients', delivery.client_id))) return this.#abandon(id);
    if (!webhook.enabled || run.aborted) return;
    const at = isoNow(clock);
    const outcome = await sender.send(this.#request(delivery, webhook), run);
    if (run.aborted && outcome.http_status === null) return;
    await this.#record(id, { to: webhook, attempt: { at, outcome, now: clock.now() } });
  }

  async #record(id: string, sent: Sent): Promise<void> {
    this.#unrecorded.set(id, sent);
    await this.#settle(id, sent.to, sent.attempt);
    this.#unrecorded.delete(id);
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

  async #settle(id: string, sentTo: StoredWebhook, attempt: Attempt): Promise<void> {
    const { store, log, random } = this.#deps;
    const gone = isGone(attempt.outcome.http_status);
    const delivery = await store.transact(async (tx) => {
      const present = await tx.get('deliveries', id);
      if (!present) return undefined;
      const after = settled(present, attempt, random);
      tx.put('deliveries', after);
      const webhook = gone ? await tx.get('webhooks', sentTo.id) : undefined;
      // Not if it was given another address meanwhile.
      if (webhook?.url === sentTo.url) tx.put('webhooks', { ...webhook, enabled: false, updated_at: attempt.at });
      return after;
    });
    if (!delivery) return;
    if (gone) log({ level: 'warn', event: 'webhook_gone', client_id: sentTo.client_id });
    else if (delivery.status === 'failed') log({ level: 'warn', event: 'webhook_failed', delivery_id: id });
    this.#wakeFor(delivery);
  }

  async #abandon(id: string): Promise<void> {
    await this.#deps.store.transact(async (tx) => {
      const delivery = await tx.get('deliveries', id);
      if (delivery?.status === 'pending') tx.put('deliveries', abandoned(delivery));
    });
  }
}
