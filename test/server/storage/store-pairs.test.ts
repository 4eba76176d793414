/** Whichever stores an operator chooses, they work together; the one that needs a service does so in s3.test.ts. */
import { blobStores, documentStores } from '../../../server/storage/registry.ts';
import { describeStorePair } from '../../suites/store-pair.suite.ts';

for (const [store, documents] of Object.entries(documentStores)) {
  // Beside its database.
  if (store === 'postgres') continue;
  for (const [blobs, audio] of Object.entries(blobStores)) {
    if (blobs === 's3') continue;
    const lasting = { documents: 'care' in documents, audio: 'look' in audio };
    describeStorePair({ store: { use: store }, blobs: { use: blobs }, lasting });
  }
}
