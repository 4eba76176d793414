/** The members of a store in PostgreSQL, by the clock of the database. */
import { onTestFinished } from 'vitest';
import { readAddress } from '../../../../server/storage/postgres/address.ts';
import { openConnections } from '../../../../server/storage/postgres/connections.ts';
import { createLocks } from '../../../../server/storage/postgres/locks.ts';
import { PostgresMembers } from '../../../../server/storage/postgres/members.ts';
import { openSchema } from '../../../../server/storage/postgres/schema.ts';
import { systemClock } from '../../../../src/node/clock.ts';
import { describeMembers } from '../../../suites/members.suite.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';

describeMembers('PostgreSQL', () => {
  const schema = newSchema();
  const address = readAddress(addressIn(schema), undefined);
  const locks = createLocks(schema);
  const joined: PostgresMembers[] = [];
  return {
    async join() {
      const connections = openConnections(address.connection, address);
      onTestFinished(() => connections.close());
      await openSchema(connections, address, locks);
      const id = `member ${joined.length + 1}`;
      const member = await PostgresMembers.join({ schema, connections, locks, id, clock: systemClock });
      joined.push(member);
      return member;
    },
    async lose(member) {
      // All know what was before.
      for (const each of joined) await each.round();
      await askDatabase(`UPDATE ${schema}.members SET until = '-infinity' WHERE id = $1`, [member]);
      for (const each of joined) if (each.id !== member) await each.round();
    },
  };
});
