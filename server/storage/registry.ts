/** Every kind of store that an operator can choose, by the name used for it. The shared suites run against each. */
import { fileBlobStore } from './files/files.ts';
import type { BlobStoreKinds, DocumentStoreKinds } from './kinds.ts';
import { lowdbDocumentStore } from './lowdb/lowdb.ts';
import { memoryBlobStore, memoryDocumentStore } from './memory/memory.ts';
import { postgresDocumentStore } from './postgres/postgres.ts';
import { s3BlobStore } from './s3/s3.ts';

export const documentStores = {
  lowdb: lowdbDocumentStore,
  memory: memoryDocumentStore,
  postgres: postgresDocumentStore,
} as const satisfies DocumentStoreKinds;

export const blobStores = {
  files: fileBlobStore,
  memory: memoryBlobStore,
  s3: s3BlobStore,
} as const satisfies BlobStoreKinds;
