/** A store of audio that fails, as S3 does in an outage: audio that cannot be read then is not taken for damaged. */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBlobs } from '../../../../server/storage/blobs/blobs.ts';
import type { BlobStore } from '../../../../server/storage/blobs/blob-store.ts';
import { checkStores } from '../../../../server/storage/check.ts';
import type { NamedAudio } from '../../../../server/storage/blobs/named-audio.ts';
import { createMemoryBlobs } from '../../../../server/storage/memory/memory-blobs.ts';
import { openSnapshots } from '../../../../server/storage/snapshots.ts';
import { createSealing } from '../../../../server/storage/sealing/sealing.ts';
import { verifyTrail } from '../../../../server/operations/audit/verify-trail.ts';
import { S3Error } from '../../../../src/protocols/s3/errors.ts';
import { contract } from '../../../../src/contract/index.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { startApi, startOfTests } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
import { createCluster } from '../../../support/cluster.ts';
import { controlledEngine } from '../../../support/controlled-engine.ts';
import { openTestTrail } from '../../operations/audit/trails.ts';

const id = 'blb_01JNA0000000000000000000AA';
const content = randomBytes(300_000);
async function* sound(): AsyncGenerator<Uint8Array> {
  yield content;
}
const refused = { code: 'STORAGE_UNAVAILABLE' };

const unreachable = (): Error => new S3Error({ code: 'ECONNREFUSED' });

/** Blobs whose reading breaks off behind `bytes`, once that is set. */
function createFailingBlobs(real: BlobStore = createMemoryBlobs(), fail = unreachable) {
  const outage: { bytes: number | undefined } = { bytes: undefined };
  const store: BlobStore = {
    ...real,
    async open(name) {
      const blob = await real.open(name);
      return (
        blob && {
          ...blob,
          async *read(start, end, step) {
            for await (const piece of blob.read(start, end, step)) {
              if (outage.bytes !== undefined && start >= outage.bytes) throw fail();
              yield piece;
              start += piece.length;
            }
          },
        }
      );
    },
  };
  return { store, outage };
}

describe.each([
  ['plain', undefined],
  ['sealed', createSealing(randomBytes(32))],
] as const)('%s audio that cannot be read', (_name, sealing) => {
  test('is unavailable, and whole once the store is back', async () => {
    const logged: object[] = [];
    const { store, outage } = createFailingBlobs();
    const blobs = await openBlobs(store, { sealing, log: (line) => void logged.push(line) });
    const { sha256 } = await blobs.write(id, sound(), Infinity);
    for (outage.bytes of [0, 100_000]) await expect(blobs.read(id, { sha256 })).rejects.toMatchObject(refused);
    const known = async () => buffer((await blobs.read(id, { sha256 }))!.stream);
    outage.bytes = undefined;
    expect(await known()).toEqual(content);
    // Its hash is remembered now.
    outage.bytes = 100_000;
    await expect(known()).rejects.toMatchObject(refused);
    expect(logged).toEqual([]);
  });

  test('is no problem that a check reports', async () => {
    const { store, outage } = createFailingBlobs();
    const blobs = await openBlobs(store, { sealing });
    const { sha256 } = await blobs.write(id, sound(), Infinity);
    const named: NamedAudio = new Map([[id, { holds: 'audio', sha256 }]]);
    const check = () =>
      checkStores({
        check: async () => ({
          files: [],
          acknowledged: null,
          problems: [],
          found: { sequence: 0, documents: {} },
          audio: named,
        }),
        namedAudio: async () => named,
        blobs: store,
        sealing,
      });
    expect(await check()).toMatchObject({ sound: true });
    outage.bytes = 100_000;
    await expect(check()).rejects.toMatchObject(refused);
    await blobs.remove(id);
    named.clear();
    outage.bytes = undefined;
    await (await openSnapshots(store, sealing)).save('before', sound(), Date.now());
    outage.bytes = 0;
    await expect(check()).rejects.toMatchObject(refused);
  });

  test('is no break of the audit trail', async () => {
    const { store, outage } = createFailingBlobs();
    const blobs = await openBlobs(store, { sealing });
    const trail = await openTestTrail({ blobs });
    await trail.enter(1, 45);
    await trail.move();
    outage.bytes = 0;
    await expect(verifyTrail(trail)).rejects.toMatchObject(refused);
    outage.bytes = undefined;
    expect(await verifyTrail(trail)).toMatchObject({ sound: true });
  });
});

const { records, jobs, maintenance, patients } = contract;
const audio = { content_type: 'audio/wav' as const, data: wav({ seconds: 5 }).toString('base64') };

/** The status, or that the answer broke off. */
async function ask({ server }: Api, url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await server.inject({ url, headers, payloadAsStream: true });
  return answer
    .stream()
    .resume()
    .toArray()
    .then(
      () => String(answer.statusCode),
      () => 'broken off',
    );
}

/** The answers to the operator's calls for archives. */
const askArchives = (api: Api, exam: string): Promise<string[]> =>
  Promise.all(
    [maintenance.endpoints.backup.path, patients.endpoints.export.path.replace('{id}', exam)].map((url) =>
      ask(api, url, { authorization: `Bearer ${api.server.adminToken}` }),
    ),
  );

test('no archive takes the audio of a disk that has failed for damaged files', async () => {
  const clock = manualClock(Date.parse(startOfTests));
  const cluster = createCluster(clock);
  const broken = () => Object.assign(new Error('EIO: planted'), { code: 'EIO', syscall: 'read' });
  const { store, outage } = createFailingBlobs(cluster.openBlobs(), broken);
  const openBlobStore = (): BlobStore => ({
    ...store,
    async *list(beginning) {
      if (outage.bytes !== undefined) throw broken();
      yield* store.list(beginning);
    },
  });
  const api = await startApi({ clock, cluster: { ...cluster, openBlobs: openBlobStore } }, onTestFinished);
  const worklist_item_id = await api.exam();
  await api.generate({ audio, worklist_item_id });
  outage.bytes = 0;
  for (const answer of await askArchives(api, worklist_item_id)) expect(answer).toMatch(/503|broken off/);
  outage.bytes = undefined;
  expect(await askArchives(api, worklist_item_id)).toEqual(['200', '200']);
});

test('jobs wait for audio that cannot be read, players are told so, and no archive leaves it out', async () => {
  const clock = manualClock(Date.parse(startOfTests));
  const cluster = createCluster(clock);
  const { store, outage } = createFailingBlobs(cluster.openBlobs());
  const engine = controlledEngine();
  const api = await startApi(
    {
      clock,
      cluster: { ...cluster, openBlobs: () => store },
      engine: {
        ...engine,
        async transcribe(input, signal) {
          for await (const _bytes of await input.read());
          return engine.transcribe(input, signal);
        },
      },
    },
    onTestFinished,
  );
  const worklist_item_id = await api.exam();
  const { id: record } = await api.generate({ audio, worklist_item_id });
  const play = () =>
    ask(api, records.endpoints.audio.path.replace('{id}', record), { authorization: `Bearer ${api.token}` });
  outage.bytes = 0;
  const { id: job } = await api.enqueue({ audio });
  await engine.called(1);
  const read = async () => (await api.call(jobs.endpoints.get, { params: { id: job } })).data;
  await expect.poll(read).toMatchObject({ status: 'queued', attempts: 1 });
  expect(await play()).toBe('503');
  for (const answer of await askArchives(api, worklist_item_id)) expect(answer).toMatch(/503|broken off/);
  outage.bytes = undefined;
  clock.advance(60_000);
  expect(await api.ended(job)).toMatchObject({ status: 'completed', attempts: 2 });
  expect(await play()).toBe('200');
  expect(await askArchives(api, worklist_item_id)).toEqual(['200', '200']);
});
