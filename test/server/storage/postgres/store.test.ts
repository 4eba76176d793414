/** The store in PostgreSQL keeps the promises of its port. */
import { describeStore } from '../../../suites/store.suite.ts';
import { openerOf } from '../../../support/open-stores.ts';
import type { OpenStores } from '../../../support/open-stores.ts';
import { addressIn, newSchema } from '../../../support/postgres-schemas.ts';

/** Each directory of a test stands for a schema. */
const schemas = new Map<string | undefined, string>();

const open: OpenStores = (options) => {
  const schema = schemas.get(options.directory) ?? newSchema();
  schemas.set(options.directory, schema);
  return openerOf(addressIn(schema), 'memory')(options);
};

describeStore('postgres', open, { persistent: true });
