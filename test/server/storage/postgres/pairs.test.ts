/** The store in PostgreSQL works with every store of audio. */
import { blobStores } from '../../../../server/storage/registry.ts';
import { describeStorePair } from '../../../suites/store-pair.suite.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';

for (const [blobs, audio] of Object.entries(blobStores)) {
  const schema = newSchema();
  describeStorePair({
    store: { use: addressIn(schema) },
    blobs: { use: blobs },
    lasting: { documents: true, audio: 'look' in audio },
    empty: async () => void (await askDatabase(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)),
  });
}
