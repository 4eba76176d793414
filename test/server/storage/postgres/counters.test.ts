/** The counters of a store in PostgreSQL, by the clock of the database. */
import { onTestFinished } from 'vitest';
import { readAddress } from '../../../../server/storage/postgres/address.ts';
import { openConnections } from '../../../../server/storage/postgres/connections.ts';
import { createPostgresCounters } from '../../../../server/storage/postgres/counters.ts';
import { createLocks } from '../../../../server/storage/postgres/locks.ts';
import { openSchema } from '../../../../server/storage/postgres/schema.ts';
import { describeCounters } from '../../../suites/counters.suite.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';

describeCounters('PostgreSQL', async () => {
  const schema = newSchema();
  const address = readAddress(addressIn(schema), undefined);
  const connections = openConnections(address.connection, address);
  onTestFinished(() => connections.close());
  await openSchema(connections, address, createLocks(schema));
  return {
    open: () => createPostgresCounters({ schema, connections }),
    // The database's clock cannot be moved, but what it has noted can.
    pass: async (ms) =>
      void (await askDatabase(`UPDATE ${schema}.counters SET until = until - $1 * interval '1 millisecond'`, [ms])),
  };
});
