/**
 * Sends the messages of the outbox, like the dispatcher of webhooks. Only the store knows what is pending and when it is due, so
 * neither a restart nor a crash loses anything: at worst a message is sent twice under the same id. Each open channel has a
 * queue (destination.ts); this file passes on what commits announce.
 */
import { machineClockOf } from '../../../../src/domain/clock.ts';
import { describeError } from '../../../../src/domain/describe-error.ts';
import type { Dispatch, ChannelConfig, Sender, SendingLease } from '../channel.ts';
import { Destination } from './destination.ts';
import type { DestinationDeps } from './destination.ts';

/** Pause in ms before the next read after a failure of the store. */
const storeRetry = 5000;

export class Dispatcher implements Dispatch {
  readonly #deps: DestinationDeps;
  readonly #destinations = new Map<string, Destination>();
  /** Ids of announced messages that have not been read yet. */
  #announced = new Set<string>();
  #isLooking = false;
  #unwatch = (): void => {};
  #cancel = (): void => {};

  constructor(deps: DestinationDeps) {
    this.#deps = deps;
  }

  attach(
    channel: ChannelConfig,
    sender: Sender,
    reportProblem: (problem: string | null) => void,
    lease: SendingLease = { store: this.#deps.store, isHeld: () => true },
  ): void {
    if (this.#destinations.size === 0) this.#watch();
    const destination = new Destination({ ...this.#deps, ...lease }, channel, sender, reportProblem);
    this.#destinations.set(channel.id, destination);
    destination.renew();
  }

  async detach(channelId: string): Promise<void> {
    const destination = this.#destinations.get(channelId);
    this.#destinations.delete(channelId);
    if (this.#destinations.size === 0) {
      this.#unwatch();
      this.#cancel();
      this.#announced.clear();
    }
    await destination?.stop();
  }

  renew(): void {
    for (const destination of this.#destinations.values()) destination.renew();
  }

  #watch(): void {
    this.#unwatch = this.#deps.store.watch('messages', (ids) => {
      for (const id of ids) this.#announced.add(id);
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { store, clock, log } = this.#deps;
    try {
      for (const id of this.#announced) {
        const message = await store.get('messages', id);
        this.#announced.delete(id);
        if (message?.direction === 'out') this.#destinations.get(message.channel_id)?.handle(message);
      }
    } catch (error) {
      log({ level: 'error', event: 'outbox_look_failed', ...describeError(error) });
      const machine = machineClockOf(clock);
      this.#cancel = machine.schedule(machine.now() + storeRetry, () => this.#look());
    } finally {
      this.#isLooking = false;
    }
  }
}
