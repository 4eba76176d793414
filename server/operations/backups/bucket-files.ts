/** Backups as objects of a bucket. */
import type { Clock } from '../../../src/domain/clock.ts';
import { waitingClock } from '../../../src/node/clock.ts';
import type { AccessKey, BucketAddress } from '../../../src/protocols/s3/address.ts';
import { openBucket } from '../../../src/protocols/s3/bucket.ts';
import { S3Error } from '../../../src/protocols/s3/errors.ts';
import type { RemoteFiles } from './remote-target.ts';

/** Backups may be large, and an object has at most 10,000 parts: 640 GB. */
const partBytes = 64 * 2 ** 20;
/** Uploads of that age have ended: their process may be another one. */
const abandonedMs = 24 * 3600 * 1000;

interface BucketChoice {
  readonly address: BucketAddress;
  readonly key: AccessKey;
}

export function createBucketFiles({ address, key }: BucketChoice, clock: Clock): RemoteFiles {
  const bucket = openBucket({ address, key, clock: waitingClock });
  return {
    place: `s3://${address.name}`,
    put: (name, content, signal) => bucket.put(name, content, { partBytes, signal }),
    async *get(name, signal) {
      const found = await bucket.find(name);
      if (!found) throw new S3Error({ status: 404, code: 'NoSuchKey' });
      yield* bucket.read(name, found, { start: 0, end: found.size - 1 }, signal);
    },
    async list(signal) {
      const names: string[] = [];
      for await (const { name } of bucket.list('laudio-', signal)) names.push(name);
      return names;
    },
    remove: bucket.remove,
    async removeParts(prefix, signal) {
      for await (const upload of bucket.listUploads(prefix, signal)) {
        if (upload.begunAt < clock.now() - abandonedMs) await bucket.abortUpload(upload, signal);
      }
    },
    close: bucket.close,
  };
}
