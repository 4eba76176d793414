/** Two members over one PostgreSQL notify a Subscription, and one after the other is killed. */
import { test } from 'vitest';
import { rounds, seed } from '../../../crash/chance.ts';
import { killNotifiers } from '../../../crash/killed-notifiers.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';

const kills = rounds(2);

test(`${kills} kills while two members notify (seed ${seed})`, { timeout: 60_000 + kills * 10_000 }, async () => {
  const schema = newSchema();
  // Others put it out after 15 seconds.
  const onKilled = (member: string) =>
    askDatabase(`UPDATE ${schema}.members SET until = '-infinity' WHERE id = $1`, [member]);
  await killNotifiers(addressIn(schema), { kills, members: 2, onKilled });
});
