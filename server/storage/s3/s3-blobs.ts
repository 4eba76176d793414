/** Blobs as objects, each named as its blob is. Staged content is an object too, and removed when it is closed, or a day old. */
import { randomUUID } from 'node:crypto';
import { cutPieces } from '../../../src/node/files/pieces.ts';
import type { Bucket, StoredObject } from '../../../src/protocols/s3/bucket.ts';
import { asidePrefix } from '../../../src/protocols/s3/check-bucket.ts';
import { S3Error } from '../../../src/protocols/s3/errors.ts';
import type { BlobStore, OpenBlob } from '../blobs/blob-store.ts';

const blobPrefix = 'blb_';

export function createS3Blobs(bucket: Bucket): BlobStore {
  async function stage(content: AsyncIterable<Uint8Array>): Promise<OpenBlob> {
    const name = `${asidePrefix}${randomUUID()}`;
    await bucket.put(name, content);
    const found = await bucket.find(name);
    if (!found) throw new S3Error({ status: 404, code: 'NoSuchKey' });
    return openObject(bucket, name, found, () => bucket.remove(name));
  }

  return {
    name: 's3',
    put: (name, content) => bucket.put(name, content),
    async open(name) {
      const found = await bucket.find(name);
      return found && openObject(bucket, name, found);
    },
    remove: bucket.remove,
    async *list(prefix) {
      for await (const { name } of bucket.list(prefix)) if (!name.startsWith(asidePrefix)) yield name;
    },
    stage,
    async probe(bytes) {
      // Frequent, and paid for by call: writes only after a write was refused.
      if (bytes === 0) return void (await bucket.list(asidePrefix)[Symbol.asyncIterator]().next());
      const staged = await stage(createZeros(bytes));
      await staged.close();
    },
    async usage() {
      const total = { files: 0, bytes: 0 };
      for await (const { size } of bucket.list(blobPrefix)) {
        total.files += 1;
        total.bytes += size;
      }
      return total;
    },
    async tidy(before) {
      for await (const { name, changedAt } of bucket.list(asidePrefix)) {
        if (changedAt < before) await bucket.remove(name);
      }
      for (const prefix of [blobPrefix, asidePrefix]) {
        for await (const upload of bucket.listUploads(prefix)) {
          if (upload.begunAt < before) await bucket.abortUpload(upload);
        }
      }
    },
    close: bucket.close,
  };
}

function openObject(
  bucket: Bucket,
  name: string,
  found: StoredObject,
  forget: () => Promise<void> = async () => {},
): OpenBlob {
  const ending = new AbortController();
  let closed: Promise<void> | undefined;
  return {
    size: found.size,
    version: found.version,
    read: (start, end, step) =>
      cutInSteps(bucket.read(name, found, { start, end: Math.min(end, found.size - 1) }, ending.signal), step),
    close() {
      ending.abort();
      return (closed ??= forget());
    },
  };
}

/** The last piece may be shorter. */
async function* cutInSteps(source: AsyncIterable<Uint8Array>, step: number): AsyncGenerator<Buffer> {
  for await (const { bytes } of cutPieces(source, () => step)) if (bytes.length > 0) yield bytes;
}

async function* createZeros(bytes: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(65_536);
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
}
