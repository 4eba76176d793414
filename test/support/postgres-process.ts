/** Processes over one store in PostgreSQL, as far as the store knows them. */
import { readAddress } from '../../server/storage/postgres/address.ts';
import { openPostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import type { PostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import { systemClock } from '../../src/node/clock.ts';

/** One more process; the caller closes its store. */
export const openProcess = (address: string): Promise<PostgresStore> =>
  openPostgresStore({ address: readAddress(address, undefined), clock: systemClock });
