/** The store of the servers of tests that choose none: in memory; or in PostgreSQL (`npm run test:explore -- --store postgres`). */
import type { ServerOptions } from '../../server/index.ts';
import { addressIn, newSchema } from './postgres-schemas.ts';

const { LAUDIO_TEST_STORE: chosen } = process.env;

export const isPostgresChosen = chosen === 'postgres';

export const chooseDefaultStore = (): Required<Pick<ServerOptions, 'store' | 'blobs'>> => ({
  store: { use: isPostgresChosen ? addressIn(newSchema()) : 'memory' },
  blobs: { use: 'memory' },
});
