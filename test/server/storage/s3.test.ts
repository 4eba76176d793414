/** Audio in a bucket of a real S3 service. How servers misbehave is in test/protocols/s3.test.ts. */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createServer } from '../../../server/index.ts';
import { createS3Blobs } from '../../../server/storage/s3/s3-blobs.ts';
import { contract } from '../../../src/contract/index.ts';
import { oneChunk } from '../../../src/node/files/pieces.ts';
import { describeBlobStore } from '../../suites/blobs.suite.ts';
import { describeBackupTarget } from '../../suites/backup-target.suite.ts';
import { describeStorePair } from '../../suites/store-pair.suite.ts';
import { startApi } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { freePort } from '../../support/free-port.ts';
import { startSwift } from '../../support/s3/swift.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const mebibyte = 2 ** 20;

async function* noBytes(): AsyncGenerator<Uint8Array> {}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

describe.runIf(process.platform === 'linux')('with OpenStack Swift', async () => {
  const swift = await startSwift();
  let made = await swift.makeBucket();
  const shared = made;

  describeBlobStore('s3', {
    async open() {
      made = await swift.makeBucket();
      return createS3Blobs(made.bucket);
    },
    again: async () => createS3Blobs(made.reopen()),
  });

  describeStorePair({
    store: { use: 'lowdb' },
    blobs: { use: `s3:${shared.address}`, key: shared.key },
    lasting: { documents: true, audio: true },
    empty: shared.empty,
  });

  describe('an object of several parts', () => {
    const content = randomBytes(20 * mebibyte + 123);
    async function* chunks(end = content.length): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < end; at += 100_000) yield content.subarray(at, Math.min(at + 100_000, end));
    }
    const listUploads = async (): Promise<number> => (await collect(made.bucket.listUploads(''))).length;

    test('is read whole, and over the border of two parts', async () => {
      const { bucket } = (made = await swift.makeBucket());
      const blobs = createS3Blobs(bucket);
      await blobs.put('blb_A', chunks());
      const { size, read: readPieces } = (await blobs.open('blb_A')) ?? (await blobs.stage(chunks(0)));
      expect(size).toBe(content.length);
      const read = (start: number, end: number) => buffer(readPieces(start, end, 65_536));
      expect((await read(0, content.length - 1)).equals(content)).toBe(true);
      const border = 8 * mebibyte;
      expect(await read(border - 10, border + 10)).toEqual(content.subarray(border - 10, border + 11));
      await blobs.put('blb_B', chunks(8 * mebibyte));
      expect((await bucket.find('blb_B'))?.size).toBe(8 * mebibyte);
      expect(await listUploads()).toBe(0);
    });

    test('leaves nothing where its source fails', async () => {
      const { bucket } = (made = await swift.makeBucket());
      const failure = new Error('The source failed.');
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield* chunks(12 * mebibyte);
        throw failure;
      }
      await expect(bucket.put('blb_A', broken())).rejects.toBe(failure);
      expect(await bucket.find('blb_A')).toBeUndefined();
      expect(await listUploads()).toBe(0);
    });

    test('is collected where its process ended, and no younger one', async () => {
      const { bucket, client } = (made = await swift.makeBucket());
      await client.ask({ method: 'POST', object: 'blb_A', query: { uploads: '' }, expect: [200] });
      const blobs = createS3Blobs(bucket);
      const staged = await blobs.stage(chunks(10));
      await bucket.put('blb_B', chunks(10));
      await blobs.tidy?.(Date.now() - 3_600_000);
      expect(await listUploads()).toBe(1);
      expect(staged.size).toBe(10);
      await blobs.tidy?.(Date.now() + 3_600_000);
      expect(await listUploads()).toBe(0);
      expect((await collect(bucket.list(''))).map(({ name }) => name)).toEqual(['blb_B']);
    });
  });

  describeBackupTarget('a bucket', async () => {
    const { address, key, bucket } = await swift.makeBucket();
    const [path, options] = address.split('?');
    const inFolder = (name: string) => `backups/${name}`;
    return {
      choice: { to: `s3:${path}/backups?${options}`, key },
      names: async () => (await collect(bucket.list(inFolder('')))).map(({ name }) => name.slice(8)),
      async read(name) {
        const found = await bucket.find(inFolder(name));
        const range = { start: 0, end: (found?.size ?? 0) - 1 };
        return buffer(found ? bucket.read(inFolder(name), found, range, new AbortController().signal) : noBytes());
      },
    };
  });

  describe('a start', () => {
    const { host, key } = swift;
    const start = async (address: string, accessKey?: string, options = {}, code = 'CONFIGURATION') => {
      const refusal = await createServer({
        version: '0',
        dataDir: await temporaryDirectory(),
        blobs: { use: `s3://${address}`, key: accessKey },
        ...options,
      }).then(
        (server) => server.close(),
        (error: unknown) => error,
      );
      expect(refusal).toMatchObject({ code });
      const { message, hint } = refusal as { message: string; hint: string };
      expect(`${message} ${hint}`).not.toMatch(/test-only-secret|\n/);
      return `${message} ${hint}`.replaceAll(host, 'HOST');
    };

    test.each([
      [
        'no key',
        () => start(`${host}/x?tls=off`),
        'The bucket HOST/x needs a key. Set LAUDIO_BLOBS_KEY to ID:SECRET in the environment of the server.',
      ],
      [
        'a key without an ID',
        () => start(`${host}/x?tls=off`, 'test-only-secret'),
        /^LAUDIO_BLOBS_KEY is not of the form/,
      ],
      [
        'a key in the address',
        () => start(`test:test-only-secret@${host}/x?tls=off`, key),
        '--blobs holds a key, which others on this computer could read. Leave it out of the address, and set LAUDIO_BLOBS_KEY to ID:SECRET.',
      ],
      [
        'an address without a bucket',
        () => start(host, key),
        /^--blobs names no bucket. Say --blobs s3:\/\/HOST\/BUCKET/,
      ],
      [
        'an unknown option',
        () => start(`${host}/x?tsl=off`, key),
        /^That address has an option other than region, tls/,
      ],
      [
        'a bucket that is not there',
        () => start(`${host}/x-none?tls=off`, key),
        'There is no bucket x-none at HOST. Create it, or correct the address of --blobs.',
      ],
      [
        'a wrong secret',
        () => start(shared.address.slice(2), 'test:laudio:wrong'),
        'The S3 service HOST refused the key of LAUDIO_BLOBS_KEY (SignatureDoesNotMatch). Set LAUDIO_BLOBS_KEY to ID:SECRET of a key of that service.',
      ],
      [
        'a key without rights',
        () => start(shared.address.slice(2), 'test:reader:test-only-secret'),
        /^The key of LAUDIO_BLOBS_KEY has no right to list objects in HOST\/bucket-1 \(AccessDenied\)\. Give it s3:ListBucket, s3:ListBucketMultipartUploads, s3:DeleteObject/,
      ],
      [
        'a service that speaks no TLS',
        () => start(shared.address.slice(2).replace('?tls=off', ''), key),
        /^The S3 service HOST could not be reached: .* If it speaks no TLS, add \?tls=off to the address of --blobs\.$/,
      ],
      [
        'a service that is not there',
        async () => {
          const address = `127.0.0.1:${await freePort()}/x?tls=off`;
          return (await start(address, key, {}, 'STORAGE_UNAVAILABLE')).replace(/:\d+/, '');
        },
        'The S3 service 127.0.0.1 could not be reached: nothing is listening there. Check the address of --blobs and that the service is running.',
      ],
    ] as const)('with %s is refused in one line', async (_what, refuse, message) => {
      const said = await refuse();
      if (typeof message === 'string') expect(said).toBe(message);
      else expect(said).toMatch(message);
    });

    test('with audio that another key encrypted is refused, and with the right one goes on', async () => {
      const { address, bucket } = await swift.makeBucket();
      const plain = `blb_${'0'.repeat(26)}`;
      await createS3Blobs(bucket).put(plain, oneChunk(Buffer.from('CANARY')));
      const [dataKey, other] = [randomBytes(32), randomBytes(32)];
      const open = async (options: object) => {
        const server = await createServer({
          version: '0',
          dataDir: await temporaryDirectory(),
          store: { use: 'memory' },
          blobs: { use: `s3:${address}`, key },
          ...options,
        });
        await server.close();
        return server.encryptedBy;
      };
      expect(await open({ key: { encrypt: 'environment', dataKey } })).toBe('environment');
      expect(await open({ key: { dataKey } })).toBe('environment');
      // Those before are encrypted too.
      expect((await collect(bucket.list(''))).map(({ name }) => name)).toEqual([`${plain}.sealed`, 'sealing']);
      const refused = { store: { use: 'memory' } };
      expect(await start(address.slice(2), key, refused)).toMatch(
        /^The audio of this server is encrypted\. Set LAUDIO_DATA_KEY/,
      );
      expect(await start(address.slice(2), key, { ...refused, key: { dataKey: other } })).toMatch(/with another key/);
    });
  });

  test('a bucket that is gone is never missing audio: only sound is refused, until it is back', async () => {
    const { address, client, bucket } = await swift.makeBucket();
    const api = await startApi(
      { stores: { store: { use: 'memory' }, blobs: { use: `s3:${address}`, key: swift.key } } },
      onTestFinished,
    );
    const speech = wav({ seconds: 1 });
    const audio = { content_type: 'audio/wav' as const, data: speech.toString('base64') };
    const { id } = await api.generate({ audio });
    const url = contract.records.endpoints.audio.path.replace('{id}', id);
    const headers = { authorization: `Bearer ${api.token}` };
    const hear = async () => (await api.server.inject({ url, headers })).statusCode;
    expect(await hear()).toBe(200);
    for await (const { name } of bucket.list('')) await bucket.remove(name);
    expect(await hear()).toBe(404);
    await client.ask({ method: 'DELETE', expect: [204] });
    expect(await hear()).toBe(503);
    expect((await api.server.inject({ url: url.replace('/audio', ''), headers })).statusCode).toBe(200);
    const ready = await api.server.inject({ url: '/readyz' });
    expect([ready.statusCode, ready.json().degraded]).toEqual([200, ['blobs']]);
    const { metrics, status } = contract.system.endpoints;
    const { text } = await api.call(metrics);
    expect(text).toContain('laudio_degraded{part="blobs"} 1\n');
    expect(text).toMatch(/laudio_audio_calls_total\{outcome="refused"\} [1-9]/);
    expect((await api.call(status)).status).toBe(200);
    await client.ask({ method: 'PUT', expect: [200] });
    const next = await api.generate({ audio });
    expect((await api.server.inject({ url: url.replace(id, next.id), headers })).rawPayload).toEqual(speech);
  });
});
