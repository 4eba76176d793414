/** The store in PostgreSQL keeps the promises of its port. */
import { afterAll, describe, inject } from 'vitest';
import { describeStore } from '../../../suites/store.suite.ts';
import { explored } from '../../../support/explored.ts';
import { openerOf } from '../../../support/open-stores.ts';
import type { OpenStores } from '../../../support/open-stores.ts';
import { startPgbouncer } from '../../../support/pgbouncer.ts';
import { addressIn, newSchema } from '../../../support/postgres-schemas.ts';

/** Each directory of a test stands for a schema. */
const schemas = new Map<string | undefined, string>();

const openAt =
  (addressOf: (schema: string) => string): OpenStores =>
  (options) => {
    const schema = schemas.get(options.directory) ?? newSchema();
    schemas.set(options.directory, schema);
    return openerOf(addressOf(schema), 'memory')(options);
  };

describeStore('postgres', openAt(addressIn), { persistent: true });

// As above, through a pooler that gives each transaction another connection.
if (explored.isOn) {
  const pooler = await startPgbouncer(inject('postgres'));
  afterAll(() => pooler[Symbol.asyncDispose]());
  describe('behind a pooler', () =>
    describeStore(
      'postgres',
      openAt((schema) => `${addressIn(schema, pooler)}&prepare=off`),
      { persistent: true },
    ));
}
