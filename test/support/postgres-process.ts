/** Processes over one store in PostgreSQL, as far as the store knows them. */
import { readAddress } from '../../server/storage/postgres/address.ts';
import { openPostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import type { PostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import { systemClock } from '../../src/node/clock.ts';

/** One more process; the caller closes its store. `minutesAhead`: how far the clock of its computer is ahead. */
export const openProcess = (
  address: string,
  minutesAhead = 0,
  onClockApart?: (lead: number) => void,
): Promise<PostgresStore> =>
  openPostgresStore({
    address: readAddress(address, undefined),
    clock: systemClock,
    now: () => systemClock.now() + minutesAhead * 60_000,
    ...(onClockApart && { onClockApart }),
  });
