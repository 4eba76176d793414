/** The members of a store in PostgreSQL, by the clock of the database. */
import { onTestFinished } from 'vitest';
import { readAddress } from '../../../../server/storage/postgres/address.ts';
import type { PostgresMembers } from '../../../../server/storage/postgres/members.ts';
import { openPostgresStore } from '../../../../server/storage/postgres/postgres-store.ts';
import { systemClock } from '../../../../src/node/clock.ts';
import { describeMembers } from '../../../suites/members.suite.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';

describeMembers('PostgreSQL', () => {
  const schema = newSchema();
  const address = readAddress(addressIn(schema), undefined);
  const joined: PostgresMembers[] = [];
  return {
    async join() {
      const { store, members } = await openPostgresStore({ address, clock: systemClock });
      onTestFinished(() => store.close());
      joined.push(members);
      return members;
    },
    async lose(member) {
      const others = joined.filter(({ id }) => id !== member);
      // All know what was before.
      for (const each of joined) await each.round();
      await askDatabase(`UPDATE ${schema}.members SET until = '-infinity' WHERE id = $1`, [member]);
      for (const each of others) await each.round();
    },
  };
});
