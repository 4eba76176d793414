/**
 * Opens the enabled channels of the store, closes them, and reopens them when they change. If a channel cannot be opened, its
 * state shows the reason, and it is retried. A channel that sends or polls is open in one member, the one that has its lease.
 */
import type { Channel } from '../../../src/contract/channel.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';
import { isoNow, machineClockOf } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { InOrder } from '../../../src/domain/in-order.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { DeliveryDeps } from '../deps.ts';
import type { ChannelReaders } from './receiving/channel-readers.ts';
import type { Dispatch, Intake, ChannelConfig, OpenChannel, StoredChannel } from './channel.ts';
import { readCertificates, checkFiles } from './certificates.ts';
import type { Certificates, CertificateExpiry } from './certificates.ts';
import { explainFailure } from './failures.ts';
import { channelKinds } from './registry.ts';
import { toChannelConfig } from './settings.ts';
import type { OpeningDeps } from './settings.ts';
import { createLeaseSet, leasedStore } from '../../storage/members.ts';
import type { LeaseSet } from '../../storage/members.ts';
import type { Store } from '../../storage/store.ts';

export interface RuntimeDeps extends Pick<DeliveryDeps, 'store' | 'members' | 'clock' | 'log'>, OpeningDeps {
  readonly random: () => number;
  /** Makes the intake of a channel, which writes to that store. */
  readonly createIntake: (channel: ChannelConfig, store: Store) => Intake;
  readonly readers: ChannelReaders;
  readonly dispatch: Dispatch;
}

type State = Channel['state'];

/** One channel while the server runs. */
interface ChannelEntry {
  readonly inTurn: InOrder;
  /** `undefined`: another member has the lease of the channel. */
  state: State | undefined;
  /** The version that is open, or that could not be opened. */
  version: number;
  running: OpenChannel | undefined;
  /** Releases what closing must not wait for. */
  close: () => Promise<void>;
  failures: number;
  /** The certificate files as read when the channel was last opened. */
  certificates: Certificates | undefined;
  /** Problem with the current files; `null`: none. */
  filesProblem: string | null;
  /** Cancels the next attempt, or the next check of the files. */
  cancel: () => void;
}

/** In ms. */
const firstRetry = 1000;
const lastRetry = 60_000;
/** Interval for checking the TLS files: renewed ones are picked up. */
const filesEvery = 60_000;

const isEverywhere = (kind: string): boolean => findEntry(channelKinds, kind)?.isEverywhere === true;

export class Runtime {
  readonly #deps: RuntimeDeps;
  readonly #entries = new Map<string, ChannelEntry>();
  readonly #working = new Set<Promise<void>>();
  readonly #leases: LeaseSet;
  #isRunning = false;
  #unwatch = (): void => {};

  constructor(deps: RuntimeDeps) {
    this.#deps = deps;
    const follow = (id: string): Promise<void> => this.#follow(id);
    this.#leases = createLeaseSet(deps.members, 'channel', { begin: follow, end: follow });
  }

  /** Opens all channels. Call it again if every document may have changed. */
  async start(): Promise<void> {
    const { store } = this.#deps;
    this.#isRunning = true;
    this.#unwatch();
    this.#unwatch = store.watch('channels', (ids) => ids.forEach((id) => void this.#follow(id)));
    this.#deps.dispatch.renew();
    const all = await store.find('channels', {});
    for (const id of new Set([...this.#entries.keys(), ...all.map(({ id }) => id)])) void this.#follow(id);
    await this.idle();
  }

  /** Closes all channels. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#unwatch();
    for (const id of this.#entries.keys()) void this.#follow(id);
    await this.idle();
    this.#entries.clear();
  }

  /** Resolves once no channel is being opened or closed. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  /** In whichever member the channel is open. */
  async getState({ id, enabled, updated_at }: StoredChannel): Promise<State> {
    const entry = this.#entries.get(id);
    if (!entry?.state) {
      const shown = entry && ((await this.#leases.shown(id)) as State | undefined);
      return shown ?? { status: enabled ? 'opening' : 'off', since: updated_at, address: null, error: null };
    }
    const problems = [entry.state.error, entry.filesProblem].filter((problem) => problem !== null);
    return { ...entry.state, error: problems.join(' ') || null };
  }

  /** The open channel; `undefined`: it is not open. */
  getOpenChannel(id: string): OpenChannel | undefined {
    return this.#entries.get(id)?.running;
  }

  /** When its certificates expire. */
  getExpiries(id: string): readonly CertificateExpiry[] {
    return this.#entries.get(id)?.certificates?.expiries ?? [];
  }

  /** Brings the channel into the state that the store asks for, after any work in progress on it. */
  #follow(id: string): Promise<void> {
    const entry = this.#getEntry(id);
    entry.cancel();
    const work = entry
      .inTurn(() => this.#update(id, entry))
      .catch((error: unknown) => this.#deps.log({ level: 'error', event: 'channel_lost', ...describeError(error) }))
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
    return work;
  }

  #getEntry(id: string): ChannelEntry {
    let entry = this.#entries.get(id);
    if (!entry) {
      entry = {
        inTurn: createOrder(),
        state: this.#state('opening'),
        version: 0,
        running: undefined,
        close: async () => {},
        failures: 0,
        certificates: undefined,
        filesProblem: null,
        cancel: () => {},
      };
      this.#entries.set(id, entry);
    }
    return entry;
  }

  #state(status: State['status'], address: string | null = null, error: string | null = null): State {
    return { status, since: isoNow(this.#deps.clock), address, error };
  }

  async #update(id: string, entry: ChannelEntry): Promise<void> {
    const channel = this.#isRunning ? await this.#deps.store.get('channels', id) : undefined;
    const isOurs = channel?.enabled === true && (await this.#mayOpen(channel));
    if (entry.running && isOurs && channel.version === entry.version) return;
    await this.#close(entry);
    if (!channel) this.#entries.delete(id);
    else if (!channel.enabled) entry.state = this.#state('off');
    else if (isOurs) await this.#open(channel, entry);
    else entry.state = undefined;
    if (!channel?.enabled) await this.#leases.release(id);
  }

  async #mayOpen({ id, kind }: StoredChannel): Promise<boolean> {
    if (isEverywhere(kind)) return true;
    await this.#leases.answered(id);
    return this.#leases.has(id);
  }

  #setState({ id, kind }: StoredChannel, entry: ChannelEntry, state: State): void {
    entry.state = state;
    if (!isEverywhere(kind)) this.#leases.show(id, state);
  }

  async #close(entry: ChannelEntry): Promise<void> {
    const { close } = entry;
    entry.running = undefined;
    entry.certificates = undefined;
    entry.filesProblem = null;
    entry.close = async () => {};
    await close();
  }

  async #open(channel: StoredChannel, entry: ChannelEntry): Promise<void> {
    const { log } = this.#deps;
    if (entry.version !== channel.version) entry.failures = 0;
    entry.version = channel.version;
    this.#setState(channel, entry, this.#state('opening'));
    try {
      const running = await this.#openKind(channel, entry);
      entry.running = running;
      entry.failures = 0;
      this.#setState(channel, entry, this.#state('open', running.address ?? null));
      this.#watchFiles(channel, entry);
      log({ level: 'info', event: 'channel_open', channel: channel.name, kind: channel.kind });
    } catch (error) {
      entry.failures += 1;
      this.#setState(channel, entry, this.#state('failed', null, explainFailure(error)));
      const anatomy = error instanceof AppError ? {} : describeError(error);
      log({ level: 'warn', event: 'channel_failed', channel: channel.name, kind: channel.kind, ...anatomy });
      this.#tryAgain(channel.id, entry);
    }
  }

  async #openKind(stored: StoredChannel, entry: ChannelEntry): Promise<OpenChannel> {
    const { clock, log, random, createIntake, readers, dispatch } = this.#deps;
    const store = this.#storeOf(stored);
    const kind = findEntry(channelKinds, stored.kind);
    if (!kind) throw new AppError('CONFIGURATION', { message: 'This version has no such kind of channel.' });
    const channel = toChannelConfig(kind, stored, this.#deps);
    // Read before use, so that the next check notices later changes.
    entry.certificates = await readCertificates(channel.settings).catch(() => undefined);
    const reportProblem = (problem: string | null): void => {
      if (entry.state) this.#setState(stored, entry, { ...entry.state, error: problem });
    };
    if (kind.direction === 'in') {
      const running = await kind.open(channel, {
        clock,
        log,
        random,
        reportProblem,
        readers,
        intake: createIntake(channel, store),
      });
      entry.close = () => running.close();
      return running;
    }
    const sender = await kind.open(channel, { clock, log, random, reportProblem });
    dispatch.attach(channel, sender, reportProblem, { store, isHeld: () => this.#leases.has(stored.id) });
    entry.close = async () => {
      await dispatch.detach(channel.id);
      await sender.close();
    };
    return sender;
  }

  /** The commits of a channel under a lease depend on the lease. */
  #storeOf({ id, kind }: StoredChannel): Store {
    const { store } = this.#deps;
    return isEverywhere(kind) ? store : leasedStore(store, (tx) => this.#leases.confirm(id, tx));
  }

  /** Reopens the channel once its files have changed and fit together: files of a renewal appear one after the other. */
  #watchFiles(channel: StoredChannel, entry: ChannelEntry): void {
    const known = entry.certificates;
    if (!known) return;
    const machine = machineClockOf(this.#deps.clock);
    const look = async (): Promise<void> => {
      let problem: string | null = null;
      try {
        const present = await readCertificates(channel.settings).catch(() => undefined);
        if (present?.fingerprint !== known.fingerprint) {
          await checkFiles(channel.settings);
          if (entry.certificates !== known) return;
          entry.version = 0;
          return void this.#follow(channel.id);
        }
      } catch (error) {
        // The channel keeps using the previous files.
        problem = explainFailure(error);
      }
      if (entry.certificates !== known) return;
      entry.filesProblem = problem;
      wait();
    };
    const wait = (): void => void (entry.cancel = machine.schedule(machine.now() + filesEvery, look));
    wait();
  }

  /** The cause lies outside of the server, so the machine's clock schedules the retry. */
  #tryAgain(id: string, entry: ChannelEntry): void {
    const { clock, random } = this.#deps;
    const machine = machineClockOf(clock);
    const delay = backoffDelay(entry.failures, { base: firstRetry, factor: 2, max: lastRetry, random });
    entry.cancel = machine.schedule(machine.now() + delay, () => void this.#follow(id));
  }
}
