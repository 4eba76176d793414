/** Keeps simulated data apart from the data of real patients. */
import { AppError } from '../../src/contract/errors.ts';
import { isTestClient } from '../../src/contract/oauth.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { isMovable } from '../../src/domain/clock.ts';
import type { Log } from '../runtime/log.ts';
import { scan } from '../storage/scan.ts';
import type { Store } from '../storage/store.ts';

/** Marks a store whose data was made with a simulated clock or a seed. */
const settingId = 'simulation';

export interface Simulation {
  readonly clock: Clock;
  readonly seed?: string | undefined;
  /** Whether other computers can reach the server. */
  readonly isShared: boolean;
  readonly log: Log;
}

/** Rejects with AppError CONFIGURATION if the stored data must not be used that way; nothing changes then. */
export async function checkSimulatedData(store: Store, { clock, seed, isShared, log }: Simulation): Promise<void> {
  const isMarked = (await store.get('settings', settingId)) !== undefined;
  if (!isMovable(clock) && seed === undefined) {
    if (!isMarked) return;
    if (isShared) {
      throw new AppError('CONFIGURATION', {
        message: 'This data was made with --clock or --seed: its times are simulated, and its ids are predictable.',
        hint: 'Choose another data directory with --data-dir for a server that other computers can reach.',
      });
    }
    log({ level: 'warn', event: 'data_of_a_simulated_time' });
    return;
  }
  if (isMarked) return;
  for await (const { id } of scan(store, 'clients')) {
    if (isTestClient(id)) continue;
    throw new AppError('CONFIGURATION', {
      message: 'This data belongs to real clients; a simulated time could make it expire and remove it.',
      hint: 'Choose another data directory with --data-dir, or use --store memory, which keeps nothing.',
    });
  }
  await store.transact(async (tx) => tx.put('settings', { id: settingId, value: true }));
}
