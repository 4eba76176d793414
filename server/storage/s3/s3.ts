/** Blobs as objects in a bucket of an S3 service, which any number of processes may share. */
import { object, string } from '../../../src/contract/schema.ts';
import type { BucketToOpen } from '../../../src/protocols/s3/check-bucket.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { blobStoreKind } from '../kinds.ts';

const names = { setting: '--blobs', variable: 'LAUDIO_BLOBS_KEY' } as const;

export const s3BlobStore = blobStoreKind({
  options: object({
    address: string({ description: '//HOST[:PORT]/BUCKET[/PREFIX], with ?region, ?tls=off and ?style=host' }),
  }),
  main: 'address',
  isShared: true,
  open: ({ address }, { key, countAudioCall }) =>
    openBlobs({ address: `s3:${address}`, key, names, onCall: countAudioCall }),
  look: ({ address }, { key }) => openBlobs({ address: `s3:${address}`, key, names, isReadOnly: true }),
});

async function openBlobs(wish: BucketToOpen): Promise<BlobStore> {
  const [{ openCheckedBucket }, { createS3Blobs }] = await Promise.all([
    import('../../../src/protocols/s3/check-bucket.ts'),
    import('./s3-blobs.ts'),
  ]);
  return createS3Blobs(await openCheckedBucket(wish));
}
