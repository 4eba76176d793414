/** The channels of a server. Their code loads with the first channel, or the first call about one. */
import { machineClockOf } from '../../../src/domain/clock.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { CertificateExpiry } from './certificates.ts';
import { createWorkers } from '../../runtime/workers/workers.ts';
import type { ChannelDeps, LoadedChannels } from './load.ts';

export interface Channels {
  /** Opens the channels, if there are any. Call it again if every document may have changed. */
  start(): Promise<void>;
  /** Permanent. */
  stop(): Promise<void>;
  idle(): Promise<void>;
  load(): Promise<LoadedChannels>;
  /** Certificates of the open channels: per kind and setting the one that expires first. */
  findExpiries(): Promise<readonly (CertificateExpiry & { readonly kind: string })[]>;
}

/** Pause in ms before the next attempt after a failure of the store. */
const storeRetry = 5000;

export function createChannels(deps: Omit<ChannelDeps, 'workers' | 'readers'>): Channels {
  const { store, log } = deps;
  const machine = machineClockOf(deps.clock);
  // A backlog of outbound documents delays no request.
  const workers = createWorkers({ threads: 1, yields: true });
  // As many as a channel has connections may queue: their senders wait for the answer.
  const reading = createWorkers({ waiting: 1000 });
  let loading: Promise<LoadedChannels> | undefined;
  let isRunning = false;
  let unwatch = (): void => {};
  async function loadNow(): Promise<LoadedChannels> {
    const parts = await Promise.all([import('./load.ts'), import('./receiving/channel-readers.ts')]);
    const [{ loadChannels }, { createChannelReaders }] = parts;
    const loaded = loadChannels({ ...deps, workers, readers: createChannelReaders(reading) });
    try {
      if (isRunning) await loaded.start();
      return loaded;
    } catch (error) {
      await loaded.stop();
      throw error;
    }
  }
  /** After a failure the next call loads them again. */
  const load = (): Promise<LoadedChannels> =>
    (loading ??= loadNow().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  const findLoaded = async (): Promise<LoadedChannels | undefined> => loading?.catch(() => undefined);
  /** For a channel that was just added: no call awaits this, and no other change may follow. */
  async function loadUntilOpen(): Promise<void> {
    try {
      await load();
    } catch (error) {
      log({ level: 'error', event: 'channels_not_loaded', ...describeError(error) });
      if (isRunning) unwatch = machine.schedule(machine.now() + storeRetry, loadUntilOpen);
    }
  }
  return {
    load,
    async start() {
      isRunning = true;
      unwatch();
      if (loading) return (await loading).start();
      if ((await store.count('channels')) > 0) return void (await load());
      unwatch = store.watch('channels', () => {
        unwatch();
        void loadUntilOpen();
      });
    },
    async stop() {
      isRunning = false;
      unwatch();
      await (await findLoaded())?.stop();
      await Promise.all([workers.close(), reading.close()]);
    },
    async findExpiries() {
      const runtime = (await findLoaded())?.runtime;
      if (!runtime) return [];
      const first = new Map<string, CertificateExpiry & { kind: string }>();
      for (const { id, kind } of await store.find('channels', {})) {
        for (const ending of runtime.getExpiries(id)) {
          const name = `${kind} ${ending.setting}`;
          if (ending.until < (first.get(name)?.until ?? Infinity)) first.set(name, { ...ending, kind });
        }
      }
      return [...first.values()];
    },
    async idle() {
      await (await findLoaded())?.idle();
    },
  };
}
