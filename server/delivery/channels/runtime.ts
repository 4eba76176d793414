/**
 * Opens the enabled channels of the store, closes them, and reopens them when they change. If a channel cannot be opened, its
 * state shows the reason, and it is retried.
 */
import type { Channel } from '../../../src/contract/channel.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';
import { isoNow, machineClockOf } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { InOrder } from '../../../src/domain/in-order.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { anatomyOf } from '../../http/plugins/errors.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { ChannelReaders } from './receiving/channel-readers.ts';
import type { Dispatch, Intake, OpenedChannel, Running, StoredChannel } from './channel.ts';
import { certificatesOf, checkFiles } from './certificates.ts';
import type { Certificates, Ending } from './certificates.ts';
import { reasonOf } from './failures.ts';
import { channelKinds } from './registry.ts';
import { openable } from './settings.ts';
import type { OpeningDeps } from './settings.ts';

export interface RuntimeDeps extends Pick<DeliveryDeps, 'store' | 'clock' | 'log'>, OpeningDeps {
  readonly random: () => number;
  /** Makes the intake of a channel. */
  readonly intakeOf: (channel: OpenedChannel) => Intake;
  readonly readers: ChannelReaders;
  readonly dispatch: Dispatch;
}

type State = Channel['state'];

/** One channel while the server runs. */
interface Place {
  readonly inTurn: InOrder;
  state: State;
  /** The version that is open, or that could not be opened. */
  version: number;
  running: Running | undefined;
  /** Releases what closing must not wait for. */
  close: () => Promise<void>;
  failures: number;
  /** The certificate files as read when the channel was last opened. */
  certificates: Certificates | undefined;
  /** Problem with the current files; `null`: none. */
  filesProblem: string | null;
  /** Cancels the next attempt, or the next check of the files. */
  callOff: () => void;
}

/** In ms. */
const firstRetry = 1000;
const lastRetry = 60_000;
/** Interval for checking the TLS files: renewed ones are picked up. */
const filesEvery = 60_000;

export class Runtime {
  readonly #deps: RuntimeDeps;
  readonly #places = new Map<string, Place>();
  readonly #working = new Set<Promise<void>>();
  #isRunning = false;
  #unwatch = (): void => {};

  constructor(deps: RuntimeDeps) {
    this.#deps = deps;
  }

  /** Opens all channels. Call it again if every document may have changed. */
  async start(): Promise<void> {
    const { store } = this.#deps;
    this.#isRunning = true;
    this.#unwatch();
    this.#unwatch = store.watch('channels', (ids) => ids.forEach((id) => this.#follow(id)));
    this.#deps.dispatch.renew();
    const all = await store.find('channels', {});
    for (const id of new Set([...this.#places.keys(), ...all.map(({ id }) => id)])) this.#follow(id);
    await this.idle();
  }

  /** Closes all channels. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#unwatch();
    for (const id of this.#places.keys()) this.#follow(id);
    await this.idle();
    this.#places.clear();
  }

  /** Resolves once no channel is being opened or closed. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  stateOf({ id, enabled, updated_at }: StoredChannel): State {
    const place = this.#places.get(id);
    if (!place) return { status: enabled ? 'opening' : 'off', since: updated_at, address: null, error: null };
    const problems = [place.state.error, place.filesProblem].filter((problem) => problem !== null);
    return { ...place.state, error: problems.join(' ') || null };
  }

  /** The open channel; `undefined`: it is not open. */
  runningOf(id: string): Running | undefined {
    return this.#places.get(id)?.running;
  }

  /** When its certificates expire. */
  endingsOf(id: string): readonly Ending[] {
    return this.#places.get(id)?.certificates?.endings ?? [];
  }

  /** Brings the channel into the state that the store asks for, after any work in progress on it. */
  #follow(id: string): void {
    const place = this.#placeOf(id);
    place.callOff();
    const work = place
      .inTurn(() => this.#bring(id, place))
      .catch((error: unknown) => this.#deps.log({ level: 'error', event: 'channel_lost', ...anatomyOf(error) }))
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  #placeOf(id: string): Place {
    let place = this.#places.get(id);
    if (!place) {
      place = {
        inTurn: createOrder(),
        state: this.#state('opening'),
        version: 0,
        running: undefined,
        close: async () => {},
        failures: 0,
        certificates: undefined,
        filesProblem: null,
        callOff: () => {},
      };
      this.#places.set(id, place);
    }
    return place;
  }

  #state(status: State['status'], address: string | null = null, error: string | null = null): State {
    return { status, since: isoNow(this.#deps.clock), address, error };
  }

  async #bring(id: string, place: Place): Promise<void> {
    const channel = this.#isRunning ? await this.#deps.store.get('channels', id) : undefined;
    if (place.running && channel?.enabled && channel.version === place.version) return;
    await this.#close(place);
    if (!channel) this.#places.delete(id);
    else if (!channel.enabled) place.state = this.#state('off');
    else await this.#open(channel, place);
  }

  async #close(place: Place): Promise<void> {
    const { close } = place;
    place.running = undefined;
    place.certificates = undefined;
    place.filesProblem = null;
    place.close = async () => {};
    await close();
  }

  async #open(channel: StoredChannel, place: Place): Promise<void> {
    const { log } = this.#deps;
    if (place.version !== channel.version) place.failures = 0;
    place.version = channel.version;
    place.state = this.#state('opening');
    try {
      const running = await this.#opened(channel, place);
      place.running = running;
      place.failures = 0;
      place.state = this.#state('open', running.address ?? null);
      this.#watchFiles(channel, place);
      log({ level: 'info', event: 'channel_open', channel: channel.name, kind: channel.kind });
    } catch (error) {
      place.failures += 1;
      place.state = this.#state('failed', null, reasonOf(error));
      const anatomy = error instanceof AppError ? {} : anatomyOf(error);
      log({ level: 'warn', event: 'channel_failed', channel: channel.name, kind: channel.kind, ...anatomy });
      this.#tryAgain(channel.id, place);
    }
  }

  async #opened(stored: StoredChannel, place: Place): Promise<Running> {
    const { clock, log, random, intakeOf, readers, dispatch } = this.#deps;
    const kind = findEntry(channelKinds, stored.kind);
    if (!kind) throw new AppError('CONFIGURATION', { message: 'This version has no such kind of channel.' });
    const channel = openable(kind, stored, this.#deps);
    // Read before use, so that the next check notices later changes.
    place.certificates = await certificatesOf(channel.settings).catch(() => undefined);
    const tell = (problem: string | null): void => void (place.state = { ...place.state, error: problem });
    if (kind.direction === 'in') {
      const running = await kind.open(channel, { clock, log, random, tell, readers, intake: intakeOf(channel) });
      place.close = () => running.close();
      return running;
    }
    const sender = await kind.open(channel, { clock, log, random, tell });
    dispatch.attach(channel, sender, tell);
    place.close = async () => {
      await dispatch.detach(channel.id);
      await sender.close();
    };
    return sender;
  }

  /** Reopens the channel once its files have changed and fit together: files of a renewal appear one after the other. */
  #watchFiles(channel: StoredChannel, place: Place): void {
    const known = place.certificates;
    if (!known) return;
    const machine = machineClockOf(this.#deps.clock);
    const look = async (): Promise<void> => {
      let problem: string | null = null;
      try {
        const present = await certificatesOf(channel.settings).catch(() => undefined);
        if (present?.print !== known.print) {
          await checkFiles(channel.settings);
          if (place.certificates !== known) return;
          place.version = 0;
          return this.#follow(channel.id);
        }
      } catch (error) {
        // The channel keeps using the previous files.
        problem = reasonOf(error);
      }
      if (place.certificates !== known) return;
      place.filesProblem = problem;
      wait();
    };
    const wait = (): void => void (place.callOff = machine.schedule(machine.now() + filesEvery, look));
    wait();
  }

  /** The cause lies outside of the server, so the machine's clock schedules the retry. */
  #tryAgain(id: string, place: Place): void {
    const { clock, random } = this.#deps;
    const machine = machineClockOf(clock);
    const delay = backoffDelay(place.failures, { base: firstRetry, factor: 2, max: lastRetry, random });
    place.callOff = machine.schedule(machine.now() + delay, () => this.#follow(id));
  }
}
