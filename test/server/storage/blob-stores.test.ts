/** Every store of blobs keeps the promises of its port; the one that needs a service does so in s3.test.ts. */
import { openFileBlobs } from '../../../server/storage/files/file-blobs.ts';
import { createMemoryBlobs } from '../../../server/storage/memory/memory-blobs.ts';
import type { blobStores } from '../../../server/storage/registry.ts';
import { describeBlobStore } from '../../suites/blobs.suite.ts';
import type { BlobStoreTraits } from '../../suites/blobs.suite.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

let directory: string;
const traits: Record<Exclude<keyof typeof blobStores, 's3'>, BlobStoreTraits> = {
  files: {
    open: async () => openFileBlobs((directory = await temporaryDirectory())),
    again: () => openFileBlobs(directory),
  },
  memory: { open: async () => createMemoryBlobs() },
};
for (const [name, trait] of Object.entries(traits)) describeBlobStore(name, trait);
