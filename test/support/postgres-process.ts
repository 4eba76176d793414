/** Processes over one store in PostgreSQL, as far as the store knows them. */
import { readAddress } from '../../server/storage/postgres/address.ts';
import { openPostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import type { PostgresStore, PostgresStoreOptions } from '../../server/storage/postgres/postgres-store.ts';
import { systemClock } from '../../src/node/clock.ts';

type ProcessOptions = Pick<PostgresStoreOptions, 'onClockApart' | 'onUpgrade' | 'onOutdated'> & {
  /** How far the clock of its computer is ahead. */
  readonly minutesAhead?: number;
};

/** One more process; the caller closes its store. */
export const openProcess = (
  address: string,
  { minutesAhead = 0, ...heard }: ProcessOptions = {},
): Promise<PostgresStore> =>
  openPostgresStore({
    address: readAddress(address, undefined),
    clock: systemClock,
    now: () => systemClock.now() + minutesAhead * 60_000,
    ...heard,
  });
