import { openLowdbStore } from '../../../support/lowdb-store.ts';
import type { LowdbStoreOptions } from '../../../support/lowdb-store.ts';
import type { OpenUnsteady } from '../../../suites/durable-reads.suite.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';

/** The embedded store on a disk on which each sync waits until it is told how that goes. */
export const openUnsteady =
  (options: Partial<LowdbStoreOptions> = {}): OpenUnsteady =>
  async (directory) => {
    let calm = true;
    let waiting: PromiseWithResolvers<void> | undefined;
    const over = (): typeof waiting => {
      const sync = waiting;
      waiting = undefined;
      return sync;
    };
    const fs = hookedFileSystem((call) => {
      if (calm || !/^handle\.(data)?sync$/.test(call)) return;
      waiting = Promise.withResolvers();
      return waiting.promise;
    });
    // Each attempt to write again comes a second after the last one.
    let now = 0;
    const clock = { ...manualClock(0), elapsed: () => (now += 1000) };
    const store = await openLowdbStore({ directory, fs, clock, ...options });
    calm = false;
    return {
      store,
      disk: {
        get isWaiting() {
          return waiting !== undefined;
        },
        pass: () => over()?.resolve(),
        fail: () => over()?.reject(systemError('EIO')),
        calm() {
          calm = true;
          over()?.resolve();
        },
        unsettle: () => void (calm = false),
      },
    };
  };
