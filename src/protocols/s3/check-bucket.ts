/** Proves at a start that a bucket can be used, and says in one line what to do if it cannot. */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { waitingClock } from '../../node/clock.ts';
import { oneChunk } from '../../node/files/pieces.ts';
import { parseAccessKey, parseBucketAddress } from './address.ts';
import type { AddressNames, BucketAddress } from './address.ts';
import { openBucket } from './bucket.ts';
import type { Bucket } from './bucket.ts';
import type { S3ClientOptions } from './client.ts';
import { S3Error } from './errors.ts';

/** Begins the names of objects that nobody lists, and that are removed when they are a day old. */
export const asidePrefix = 'aside-';

const rights = {
  'list objects': 's3:ListBucket',
  'list unfinished uploads': 's3:ListBucketMultipartUploads',
  'remove objects': 's3:DeleteObject',
  'write objects': 's3:PutObject',
  'read objects': 's3:GetObject',
} as const;
type Step = keyof typeof rights;

export interface BucketToOpen {
  readonly address: string;
  /** `ID:SECRET`. */
  readonly key: string | undefined;
  readonly names: AddressNames;
  /** Whether nothing will be written. */
  readonly isReadOnly?: boolean;
  readonly onCall?: S3ClientOptions['onCall'];
}

/** Rejects with AppError CONFIGURATION if the bucket cannot be used, and STORAGE_UNAVAILABLE if that may end by itself. */
export async function openCheckedBucket({
  address: text,
  key,
  names,
  isReadOnly,
  onCall,
}: BucketToOpen): Promise<Bucket> {
  const address = parseBucketAddress(text, names);
  // A service checks signatures by the real time, whatever time a server simulates.
  const bucket = openBucket({ address, key: parseAccessKey(key, names, address.name), clock: waitingClock, onCall });
  const steps = createSteps(bucket);
  for (const [step, work] of isReadOnly ? steps.slice(0, 1) : steps) {
    try {
      await work();
    } catch (error) {
      await bucket.close();
      throw explainRefusal(error, step, address, names);
    }
  }
  return bucket;
}

/** Lists objects and uploads, writes, reads and removes an object, which does not stay. */
function createSteps(bucket: Bucket): readonly (readonly [Step, () => Promise<unknown>])[] {
  const name = `${asidePrefix}${randomUUID()}`;
  const written = Buffer.from(name);
  return [
    ['list objects', () => bucket.list(name)[Symbol.asyncIterator]().next()],
    ['list unfinished uploads', () => bucket.listUploads(name)[Symbol.asyncIterator]().next().catch(ignoreUnknownCall)],
    // Before anything is written that could not be removed.
    ['remove objects', () => bucket.remove(name)],
    ['write objects', () => bucket.put(name, oneChunk(written))],
    ['read objects', () => readBack(bucket, name, written)],
    ['remove objects', () => bucket.remove(name)],
  ];
}

/** A service that cannot list unfinished uploads removes them by its own rule. */
function ignoreUnknownCall(error: unknown): void {
  if (!(error instanceof S3Error && error.status === 501)) throw error;
}

async function readBack(bucket: Bucket, name: string, written: Buffer): Promise<void> {
  const found = await bucket.find(name);
  const chunks: Uint8Array[] = [];
  if (found) {
    const range = { start: 0, end: found.size - 1 };
    for await (const chunk of bucket.read(name, found, range, new AbortController().signal)) chunks.push(chunk);
  }
  if (!Buffer.concat(chunks).equals(written)) throw new S3Error({ status: 200, code: 'ANOTHER_OBJECT' });
}

const wrongKeys: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidSecurity',
  'InvalidToken',
  'XAdminUserNotFound',
]);

/** Codes of a connection on which one side speaks TLS and the other does not. */
const plainCodes = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/;

function explainRefusal(
  error: unknown,
  step: Step,
  { name, host, bucket, region }: BucketAddress,
  { setting, variable }: AddressNames,
): unknown {
  if (!(error instanceof S3Error)) return error;
  const { status, code } = error;
  // Service managers start the server again then; after a wrong setting they do not.
  const mayPass =
    status === undefined ? !plainCodes.test(code) : status >= 500 || status === 429 || code === 'RequestTimeTooSkewed';
  const refuse = (message: string, hint: string): AppError =>
    new AppError(mayPass ? 'STORAGE_UNAVAILABLE' : 'CONFIGURATION', { message, hint, cause: error });
  if (status === undefined) {
    const reason = error.reason?.replace(/^.*? could not be reached(?: by the proxy \S+)?: /, '') ?? `${code}.`;
    return refuse(
      `The S3 service ${host} could not be reached: ${reason}`,
      plainCodes.test(code)
        ? `If it speaks no TLS, add ?tls=off to the address of ${setting}.`
        : `Check the address of ${setting} and that the service is running.`,
    );
  }
  if (code === 'NoSuchBucket') {
    return refuse(`There is no bucket ${bucket} at ${host}.`, `Create it, or correct the address of ${setting}.`);
  }
  if (wrongKeys.has(code)) {
    return refuse(
      `The S3 service ${host} refused the key of ${variable} (${code}).`,
      `Set ${variable} to ID:SECRET of a key of that service.`,
    );
  }
  if (code === 'RequestTimeTooSkewed') {
    return refuse(
      `The clocks of this computer and of the S3 service ${host} differ by minutes.`,
      'Have both keep the right time.',
    );
  }
  if (code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect' || status === 301 || status === 307) {
    return refuse(
      `The bucket ${name} is in another region than ${region}.`,
      `Add ?region=${error.region ?? 'REGION'} to the address of ${setting}.`,
    );
  }
  if (status === 403) {
    return refuse(
      `The key of ${variable} has no right to ${step} in ${name} (${code}).`,
      `Give it ${Object.values(rights).join(', ')} and s3:AbortMultipartUpload there.`,
    );
  }
  return refuse(
    `${host} did not ${step} in ${bucket} as an S3 service does (${status} ${code}).`,
    `Check the address of ${setting}, and the log of that service.`,
  );
}
