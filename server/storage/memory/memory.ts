/** The stores in memory, for trials and for tests. */
import { object } from '../../../src/contract/schema.ts';
import { blobStoreKind, documentStoreKind } from '../kinds.ts';

export const memoryDocumentStore = documentStoreKind({
  options: object({}),
  blobs: 'memory',
  async open(_options, { clock, log, memory }) {
    const { createMemoryStore } = await import('./memory-documents.ts');
    return {
      store: createMemoryStore({ clock, log, memory }),
      usage: async () => ({ bytes: 0, last_snapshot_at: null }),
    };
  },
});

export const memoryBlobStore = blobStoreKind({
  options: object({}),
  async open() {
    const { createMemoryBlobs } = await import('./memory-blobs.ts');
    return createMemoryBlobs();
  },
});
