/** A real S3 service: OpenStack Swift, as Debian has it. It ends with the test file, also with a killed one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { python } from './swift-packages.ts';
import { openBucket } from '../../../src/protocols/s3/bucket.ts';
import { createS3Client } from '../../../src/protocols/s3/client.ts';
import { parseAccessKey, parseBucketAddress } from '../../../src/protocols/s3/address.ts';
import { waitingClock } from '../../../src/node/clock.ts';

const names = { setting: '--blobs', variable: 'LAUDIO_BLOBS_KEY' };

export interface TestBucket {
  /** Behind `s3:`, as the store of audio takes it. */
  readonly address: string;
  readonly key: string;
  readonly client: ReturnType<typeof createS3Client>;
  readonly bucket: ReturnType<typeof openBucket>;
  /** Removes all objects. */
  empty(): Promise<void>;
  /** The same bucket for another reader. */
  reopen(): ReturnType<typeof openBucket>;
}

export interface S3Service {
  readonly host: string;
  readonly key: string;
  /** A bucket that only this call knows. */
  makeBucket(): Promise<TestBucket>;
  stop(): Promise<void>;
}

/** Starts the service for the tests of a file. */
export async function startSwift(): Promise<S3Service> {
  const script = fileURLToPath(new URL('swift-server.py', import.meta.url));
  const directory = await mkdtemp(join(tmpdir(), 'laudio-test-'));
  const child = spawn(python, [script, directory], { stdio: ['pipe', 'pipe', 'pipe'] });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = once(child, 'exit');
  const [port] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => {
      throw new Error(`Swift did not start: ${Buffer.concat(errors).toString()}`);
    }),
  ])) as [string];
  const stop = async (): Promise<void> => {
    child.stdin.end();
    child.kill();
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  afterAll(stop);
  const host = `127.0.0.1:${port}`;
  const key = 'test:laudio:test-only-secret';
  let buckets = 0;
  return {
    host,
    key,
    stop,
    async makeBucket() {
      const address = `//${host}/bucket-${++buckets}?tls=off`;
      const parsed = parseBucketAddress(`s3:${address}`, names);
      const options = { address: parsed, key: parseAccessKey(key, names, parsed.name), clock: waitingClock };
      const client = createS3Client(options);
      await client.ask({ method: 'PUT', expect: [200] });
      const bucket = openBucket(options);
      async function empty(): Promise<void> {
        for await (const { name } of bucket.list('')) await bucket.remove(name);
      }
      return { address, key, client, bucket, empty, reopen: () => openBucket(options) };
    },
  };
}
