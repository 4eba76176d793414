/** The channels of a server: what opens them loads with the first channel, or the first call about one. */
import type { ChannelDeps, LoadedChannels } from './load.ts';

export interface Channels {
  /** Opens the channels, where there are any. Call it again when every document may have changed. */
  start(): Promise<void>;
  stop(): Promise<void>;
  idle(): Promise<void>;
  load(): Promise<LoadedChannels>;
}

export function createChannels(deps: ChannelDeps): Channels {
  const { store } = deps;
  let loading: Promise<LoadedChannels> | undefined;
  let isRunning = false;
  let unwatch = (): void => {};
  const load = (): Promise<LoadedChannels> =>
    (loading ??= import('./load.ts').then(async ({ loadChannels }) => {
      const loaded = loadChannels(deps);
      if (isRunning) await loaded.runtime.start();
      return loaded;
    }));
  return {
    load,
    async start() {
      isRunning = true;
      unwatch();
      if (loading) return (await loading).runtime.start();
      if ((await store.count('channels')) > 0) return void (await load());
      unwatch = store.watch('channels', () => {
        unwatch();
        void load();
      });
    },
    async stop() {
      isRunning = false;
      unwatch();
      await (await loading)?.runtime.stop();
    },
    async idle() {
      await (await loading)?.runtime.idle();
    },
  };
}
