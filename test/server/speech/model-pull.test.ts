/** A model comes whole or not at all, from any server, archive or folder, whatever happens meanwhile. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createProxy } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from '../../support/properties.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { listModels, lockModel, removeModel, workPaths } from '../../../server/speech/local/library.ts';
import { verifyModel } from '../../../server/speech/local/model-files.ts';
import { readModel } from '../../../server/speech/local/models.ts';
import { download } from '../../../server/speech/local/pull/download.ts';
import { preparePull } from '../../../server/speech/local/pull/pull.ts';
import type { PullDeps, PullOptions } from '../../../server/speech/local/pull/pull.ts';
import { Agent } from 'undici';
import { AppError } from '../../../src/contract/errors.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { cutBehind, haveRead, startArchiveServer, status, well, whole } from '../../support/archive-server.ts';
import type { ArchiveServer, Behaviour } from '../../support/archive-server.ts';
import { archiveOf, bzip2, changed, enlarged, packToneModel, sha256 } from '../../support/model-archive.ts';
import type { PackedModel } from '../../support/model-archive.ts';
import { installToneModel } from '../../support/tone-model.ts';

let tone: PackedModel;
let server: ArchiveServer;
let models: string;
beforeAll(async () => {
  tone = await packToneModel();
  server = await startArchiveServer(tone.bytes);
});
beforeEach(async () => {
  Object.assign(server, { body: tone.bytes, etag: '"1"' });
  server.next.length = 0;
  server.asked.length = 0;
  const root = await mkdtemp(join(tmpdir(), 'laudio-models-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  models = join(root, 'models');
});
afterAll(() => server.close());

/** Waits between tries take no time; silence lasts until `silence` ends it. */
function hastyClock(): Clock & { silence(): void } {
  const silent = new Set<() => void>();
  return {
    ...manualClock(0),
    schedule(at, task) {
      if (at === 30_000) {
        silent.add(task);
        return () => void silent.delete(task);
      }
      const soon = setImmediate(task);
      return () => clearImmediate(soon);
    },
    silence: () => silent.forEach((task) => task()),
  };
}

const deps = (own: Partial<PullDeps> = {}): PullDeps => ({
  clock: hastyClock(),
  signal: new AbortController().signal,
  env: {},
  onProgress: () => {},
  ...own,
});

/** Pulls the tone model from the server. */
async function pull(own: Partial<PullDeps> = {}, options: Partial<PullOptions> = {}) {
  const prepared = await preparePull({ models, id: 'tone', from: server.url, offers: tone.offer(), ...options });
  const onProgress: PullDeps['onProgress'] = (step, done, of) => {
    own.onProgress?.(step, done, of);
    if (step === 'fetching') haveRead(done);
  };
  return prepared.run(deps({ ...own, onProgress }));
}

async function installed(): Promise<string | undefined> {
  const model = await readModel(models, 'tone');
  return model && String(await verifyModel(model));
}
const leftovers = (): Promise<string[]> => readdir(join(models, '.pulls')).catch(() => []);
const ranges = (): (string | undefined)[] => server.asked.map(({ headers }) => headers.range);
const partSize = async (): Promise<number> => (await stat(workPaths(models, 'tone').part)).size;

const code = (expected: string, words?: string) =>
  expect.objectContaining({ code: expected, ...(words && { message: expect.stringContaining(words) as unknown }) });

describe('a pull', () => {
  it('installs the files with their manifest, private, and leaves nothing else', async () => {
    const steps = new Set<string>();
    await pull({ onProgress: (step) => void steps.add(step) });
    expect(await installed()).toBe('whole');
    expect(await leftovers()).toEqual([]);
    expect((await readdir(join(models, 'tone'))).toSorted()).toEqual([
      'model.json',
      'model.onnx',
      'tokens.txt',
      'verified.json',
    ]);
    expect((await stat(join(models, 'tone'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(models, 'tone', 'model.onnx'))).mode & 0o777).toBe(0o600);
    expect([...steps]).toEqual(['fetching', 'unpacking', 'checking']);
    expect(server.asked).toMatchObject([{ path: '/tone.tar.bz2', headers: { 'accept-encoding': 'identity' } }]);
  });

  it('says before what it would fetch, and knows a model that is there', async () => {
    const options = { models, id: 'tone', from: `${server.url}/mirror/`, offers: tone.offer() };
    const { facts, run } = await preparePull(options);
    expect(facts).toMatchObject({
      installed: false,
      licence: 'MIT',
      bytes: tone.bytes.length,
      host: new URL(server.url).host,
    });
    expect(server.asked).toEqual([]);
    await run(deps());
    expect(server.asked[0]!.path).toBe('/mirror/tone.tar.bz2');
    expect((await preparePull(options)).facts.installed).toBe(true);
    await writeFile(join(models, 'tone', 'model.onnx'), 'damaged');
    const again = await preparePull(options);
    expect(again.facts.installed).toBe(false);
    await again.run(deps());
    expect(await installed()).toBe('whole');
  });

  it('takes the checksums of the files from an archive that is the right one', async () => {
    await pull({}, { offers: tone.offer({ known: false }) });
    expect((await readModel(models, 'tone'))!.manifest).toEqual(tone.manifest);
  });

  it.each(['../tone', '.pulls', 'a/b', '', 'Ton'])('takes no id %j that names other files', async (id) => {
    await expect(preparePull({ models, id })).rejects.toEqual(code('USAGE'));
    await expect(removeModel(models, id, manualClock(0))).rejects.toEqual(code('USAGE'));
  });

  it('of a model that nobody offers needs a checksum from a server, and none from the disk', async () => {
    const options = { models, id: 'tone', offers: {}, from: `${server.url}/own.tar.bz2` };
    await expect(preparePull({ ...options, from: undefined })).rejects.toEqual(code('NOT_FOUND'));
    await expect(preparePull(options)).rejects.toEqual(code('USAGE', 'not in the catalogue'));
    await (await preparePull({ ...options, sha256: tone.sha256 })).run(deps());
    expect(await installed()).toBe('whole');
  });

  it('begins only where the disk has room', async () => {
    await expect(pull({ freeBytes: async () => 1e6 })).rejects.toEqual(code('STORAGE_UNAVAILABLE', 'has 1 MB free'));
    expect(server.asked).toEqual([]);
  });

  it('waits for no other pull of the model', async () => {
    const unlock = await lockModel(models, 'tone', manualClock(0));
    await expect(pull()).rejects.toEqual(code('REQUEST_IN_PROGRESS'));
    await expect(removeModel(models, 'tone', manualClock(0))).rejects.toEqual(code('REQUEST_IN_PROGRESS'));
    await unlock();
    await pull();
    expect(await installed()).toBe('whole');
  });

  it('cleans up what a killed one left', async () => {
    const { unpacked, former } = workPaths(models, 'tone');
    for (const folder of [unpacked, former]) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'model.onnx'), 'half');
    }
    await pull();
    expect(await installed()).toBe('whole');
    expect(await leftovers()).toEqual([]);
  });
});

describe('a server that', () => {
  it('cuts the connection is asked for the rest of the same file', async () => {
    server.next.push(well('"1"', 1000), well('"1"', 500));
    await pull();
    expect(ranges()).toEqual([undefined, 'bytes=1000-', 'bytes=1500-']);
    expect(server.asked[1]!.headers['if-range']).toBe('"1"');
    expect(await installed()).toBe('whole');
  });

  it('always cuts is left, and the next call goes on', async () => {
    server.next.push(...Array.from({ length: 6 }, () => well('"1"', 100)));
    await expect(pull()).rejects.toMatchObject({
      code: 'NETWORK',
      hint: expect.stringContaining('is kept') as unknown,
    });
    expect(await partSize()).toBe(600);
    await pull();
    expect(ranges().at(-1)).toBe('bytes=600-');
    expect(await installed()).toBe('whole');
  });

  it('knows no ranges gives all of it again', async () => {
    server.next.push(cutBehind(1000), whole);
    await pull();
    expect(await installed()).toBe('whole');
  });

  it('has another version in between gives all of that', async () => {
    server.body = Buffer.alloc(tone.bytes.length, 1);
    server.next.push(well('"old"', 1000));
    server.next.push((answer, _, from, request) => {
      server.body = tone.bytes;
      well('"1"')(answer, tone.bytes, from, request);
    });
    await pull();
    expect(ranges()).toEqual([undefined, 'bytes=1000-']);
    expect(await installed()).toBe('whole');
  });

  it('has another version, and does not say so, is asked for all of it once more', async () => {
    server.etag = undefined;
    server.body = Buffer.alloc(tone.bytes.length, 1);
    server.next.push(well(undefined, 1000));
    server.next.push((answer, _, from, request) => {
      server.body = tone.bytes;
      well(undefined)(answer, tone.bytes, from, request);
    });
    await pull();
    expect(ranges()).toEqual([undefined, 'bytes=1000-', undefined]);
    expect(await installed()).toBe('whole');
  });

  it.each<readonly [string, Behaviour]>([
    ['less', (answer, body) => void answer.writeHead(200, { 'content-length': 1000 }).end(body.subarray(0, 1000))],
    ['more', (answer, body) => void answer.writeHead(200, { 'content-length': body.length + 9 }).write(body)],
    ['more, without saying', (answer, body) => void answer.writeHead(200).end(Buffer.concat([body, body]))],
    ['a page instead', (answer) => void answer.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in')],
    ['another file of that length', (answer, body) => void answer.writeHead(200).end(Buffer.alloc(body.length, 1))],
  ])('gives %s is not believed, and nothing stays', async (_, behaviour) => {
    server.next.push(...Array.from({ length: 6 }, () => behaviour));
    await expect(pull()).rejects.toMatchObject({ code: expect.stringMatching(/BAD_ANSWER|NETWORK/) as unknown });
    expect(await installed()).toBeUndefined();
    server.next.length = 0;
    await pull();
    expect(await installed()).toBe('whole');
  });

  it('lies about the range it gives is asked for all', async () => {
    server.next.push(well('"1"', 1000), (answer, body) => {
      answer.writeHead(206, { 'content-range': `bytes 500-${body.length - 1}/${body.length}` }).end(body.subarray(500));
    });
    await pull();
    expect(ranges()).toEqual([undefined, 'bytes=1000-', undefined]);
    expect(await installed()).toBe('whole');
  });

  it('falls silent is asked for the rest', async () => {
    const clock = hastyClock();
    server.next.push((answer, body) => {
      answer.writeHead(200, { 'content-length': body.length, etag: '"1"' }).write(body.subarray(0, 2000));
    });
    await pull({
      clock,
      onProgress: (step, done) => void (step === 'fetching' && done === 2000 && setImmediate(clock.silence)),
    });
    expect(ranges()).toEqual([undefined, 'bytes=2000-']);
    expect(await installed()).toBe('whole');
  });

  it('is busy is asked again', async () => {
    server.next.push(status(503, { 'retry-after': '7' }), status(429));
    await pull();
    expect(await installed()).toBe('whole');
  });

  it.each([
    [404, 'NOT_FOUND'],
    [403, 'FORBIDDEN'],
    [400, 'BAD_ANSWER'],
  ])('that answers %d is reported at once', async (given, expected) => {
    server.next.push(status(given));
    await expect(pull()).rejects.toEqual(code(expected));
    expect(server.asked).toHaveLength(1);
  });

  it('that is down is reported at once', async () => {
    const gone = await startArchiveServer(tone.bytes);
    await gone.close();
    await expect(pull({}, { from: gone.url })).rejects.toEqual(code('NETWORK', 'nothing is listening'));
  });

  it('that redirects is followed, and credentials are not sent to the new host', async () => {
    const other = await startArchiveServer(tone.bytes);
    onTestFinished(() => other.close());
    server.next.push(status(302, { location: `${other.url}/signed.tar.bz2?token=s3cret` }));
    const from = server.url.replace('http://', 'http://me:p4ss@');
    await pull({}, { from });
    expect(server.asked[0]!.headers.authorization).toBe(`Basic ${Buffer.from('me:p4ss').toString('base64')}`);
    expect(other.asked).toMatchObject([{ path: '/signed.tar.bz2?token=s3cret' }]);
    expect(other.asked[0]!.headers.authorization).toBeUndefined();
  });

  it('sends round in a circle, or nowhere, is left', async () => {
    server.next.push(...Array.from({ length: 11 }, () => status(302, { location: '/again' })));
    await expect(pull()).rejects.toEqual(code('BAD_ANSWER', 'redirects too often'));
    server.next.length = 0;
    server.next.push(status(302, { location: 'file:///etc/passwd' }));
    await expect(pull()).rejects.toEqual(code('BAD_ANSWER'));
  });

  it('has a secret in its address is never quoted with it', async () => {
    const from = `${server.url.replace('http://', 'http://me:p4ss@')}/x.tar.bz2?token=s3cret`;
    for (const behaviour of [status(404), status(403), whole]) {
      server.body = Buffer.from('no archive');
      server.next.push(behaviour);
      const error = (await pull({}, { from }).catch((thrown: unknown) => thrown)) as AppError;
      expect(JSON.stringify([error.message, error.hint, error.details])).not.toMatch(/p4ss|s3cret/);
    }
    server.body = tone.bytes;
    server.next.push(...Array.from({ length: 6 }, () => well('"1"', 10)));
    await pull({}, { from }).catch(() => {});
    expect(await partSize()).toBe(60);
    const kept = await Promise.all((await leftovers()).map((name) => readFile(join(models, '.pulls', name), 'latin1')));
    expect(kept.join('')).not.toMatch(/p4ss|s3cret/);
  });

  it('is reached through a proxy where one is set', async () => {
    const through: string[] = [];
    const proxy = createProxy((request, answer) => {
      through.push(request.url!);
      well('"1"')(answer, tone.bytes, 0, request);
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const { port } = proxy.address() as AddressInfo;
    await pull({ env: { HTTP_PROXY: `http://127.0.0.1:${port}` } }, { from: 'http://models.hospital.invalid/' });
    expect(through).toEqual(['http://models.hospital.invalid/tone.tar.bz2']);
    expect(await installed()).toBe('whole');
  });

  it('does whatever it likes gives the model, or a clear error and nothing', async () => {
    const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
      fc.nat(5000).map((bytes) => well('"1"', bytes)),
      fc.nat(5000).map((bytes) => well(undefined, bytes)),
      fc.nat(5000).map(
        (bytes): Behaviour =>
          (answer, body, from, request) =>
            well('"2"', bytes)(answer, Buffer.alloc(body.length, 3), from, request),
      ),
      fc.constantFrom(whole, status(503), status(416), status(206)),
      fc.nat(6000).map(
        (start): Behaviour =>
          (answer, body) =>
            void answer
              .writeHead(206, { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` })
              .end(body.subarray(start)),
      ),
    );
    const folder = await mkdtemp(join(tmpdir(), 'laudio-download-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const { clock, signal } = deps();
    const path = join(folder, 'part');
    const fetched = async (): Promise<string | undefined> => {
      const wanted = { url: new URL(server.url), path, bytes: tone.bytes.length, sha256: tone.sha256 };
      try {
        await download(wanted, { dispatcher, clock, signal, onProgress: haveRead });
        return sha256(await readFile(path));
      } catch (error) {
        if (error instanceof AppError) return undefined;
        throw error;
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(behaviour, { maxLength: 5 }), async (behaviours) => {
        server.next.length = 0;
        server.next.push(...behaviours);
        expect([undefined, tone.sha256]).toContain(await fetched());
        server.next.length = 0;
        expect(await fetched()).toBe(tone.sha256);
        await rm(path);
      }),
      { numRuns: 15 },
    );
  });
});

it('a pull that is interrupted keeps what came, and the next goes on', async () => {
  const person = new AbortController();
  server.next.push((answer, body) => {
    answer.writeHead(200, { 'content-length': body.length, etag: '"1"' }).write(body.subarray(0, 2000));
  });
  const pulling = pull({
    signal: person.signal,
    onProgress: (step, done) => void (step === 'fetching' && done === 2000 && person.abort()),
  });
  await expect(pulling).rejects.toEqual(code('INTERRUPTED'));
  expect(await partSize()).toBe(2000);
  await pull();
  expect(ranges()).toEqual([undefined, 'bytes=2000-']);
  expect(await installed()).toBe('whole');
});

describe('an archive', () => {
  const fromDisk = async (bytes: Buffer, offers = tone.offer({ archive: bytes })) => {
    await mkdir(models, { recursive: true });
    const path = join(models, '..', 'archive.tar.bz2');
    await writeFile(path, bytes);
    return pull({}, { from: path, offers });
  };
  const link = { name: 'some-folder/tokens.txt', linkname: '/etc/passwd' } as const;

  it('on the disk is taken as it is, alone or in a folder', async () => {
    await fromDisk(tone.bytes);
    expect(await installed()).toBe('whole');
    await removeModel(models, 'tone', manualClock(0));
    await writeFile(join(models, '..', 'tone.tar.bz2'), tone.bytes);
    await pull({}, { from: join(models, '..') });
    expect(await installed()).toBe('whole');
    expect(server.asked).toEqual([]);
  });

  it('of a model of one’s own has its manifest within', async () => {
    await fromDisk(tone.bytes, {});
    expect(await installed()).toBe('whole');
  });

  it.each<readonly [string, () => Promise<Buffer> | Buffer, string]>([
    ['that leaves its folder', () => archiveOf([...tone.files, [{ name: '../../outside.txt' }, 'x']]), 'paths outside'],
    ['with an absolute path', () => archiveOf([...tone.files, [{ name: '/tmp/tokens.txt' }, 'x']]), 'paths outside'],
    ['with a path of Windows', () => archiveOf([...tone.files, [{ name: 'C:\\tokens.txt' }, 'x']]), 'paths outside'],
    ['with a symbolic link', () => archiveOf([...tone.files, [{ ...link, type: 'symlink' }]]), 'links'],
    ['with a hard link', () => archiveOf([...tone.files, [{ ...link, type: 'link' }]]), 'links'],
    [
      'with a device',
      () => archiveOf([...tone.files, [{ name: 'some-folder/null', type: 'character-device' }]]),
      'links',
    ],
    ['with a file twice', () => archiveOf([...tone.files, ...tone.files]), 'twice'],
    ['with a file that is too large', () => archiveOf(enlarged(tone.files)), 'too large'],
    [
      'that unpacks to far more',
      () => archiveOf([[{ name: 'zeros' }, Buffer.alloc(5 * 2 ** 20)], ...tone.files]),
      'far more',
    ],
    ['that is cut off', () => tone.bytes.subarray(0, -100), ''],
    ['that is no bzip2 file', () => Buffer.from('PK\u0003\u0004 and so on'), 'bzip2'],
    ['that is empty', () => Buffer.alloc(0), ''],
    ['that is no tar archive', () => bzip2(Buffer.alloc(4096, 'text ')), 'unpacked'],
    [
      'without a file of the model',
      () => archiveOf(tone.files.filter(([{ name }]) => !name.endsWith('tokens.txt'))),
      'tokens.txt is missing',
    ],
    ['with another file of the model', () => archiveOf(changed(tone.files)), 'differs from the manifest'],
  ])('%s is refused, and nothing of it stays', async (_, make, words) => {
    const bytes = await make();
    await expect(fromDisk(bytes)).rejects.toEqual(code('DATA_DAMAGED', words));
    expect(await installed()).toBeUndefined();
    expect(await leftovers()).toEqual([]);
    expect((await readdir(join(models, '..'))).toSorted()).toEqual(['archive.tar.bz2', 'models']);
  });

  it('of another model is not even unpacked', async () => {
    await expect(fromDisk(bzip2(tone.bytes), tone.offer())).rejects.toEqual(code('DATA_DAMAGED', 'length'));
    const turned = Buffer.from(tone.bytes);
    turned[500]! ^= 1;
    await expect(fromDisk(turned, tone.offer())).rejects.toEqual(code('DATA_DAMAGED', 'SHA-256'));
  });
});

describe('a folder', () => {
  it('with a model is copied, and compared with its manifest', async () => {
    const folder = await installToneModel(join(models, '..', 'stick'));
    await pull({}, { from: folder, offers: {} });
    expect(await installed()).toBe('whole');
    await removeModel(models, 'tone', manualClock(0));
    await writeFile(join(folder, 'tokens.txt'), 'other');
    await expect(pull({}, { from: folder, offers: {} })).rejects.toEqual(code('DATA_DAMAGED', 'tokens.txt'));
    await rm(join(folder, 'tokens.txt'));
    await expect(pull({}, { from: folder, offers: {} })).rejects.toEqual(code('DATA_DAMAGED', 'missing'));
    expect(await installed()).toBeUndefined();
  });

  it('without one, with another, or a missing one, is reported', async () => {
    const folder = await installToneModel(join(models, '..', 'stick'), { id: 'other' });
    await expect(preparePull({ models, id: 'tone', from: folder })).rejects.toEqual(code('DATA_DAMAGED', 'model.json'));
    await expect(preparePull({ models, id: 'tone', from: join(folder, 'no') })).rejects.toEqual(code('USAGE', 'exist'));
    await expect(preparePull({ models, id: 'tone', from: 'ftp://host/' })).rejects.toEqual(code('USAGE', 'https'));
  });
});

it('models are listed with what is offered, and removed whole', async () => {
  const stateOf = async (id: string) => (await listModels(models)).find((each) => each.id === id)?.state;
  expect(await stateOf('nemotron-3.5-streaming-1120')).toBe('available');
  expect(await stateOf('tone')).toBeUndefined();
  await installToneModel(models);
  expect(await stateOf('tone')).toBe('installed');
  await writeFile(join(models, 'tone', 'tokens.txt'), 'cut');
  expect(await stateOf('tone')).toBe('damaged');
  await removeModel(models, 'tone', manualClock(0));
  expect(await stateOf('tone')).toBeUndefined();
  expect(await leftovers()).toEqual([]);
  await expect(removeModel(models, 'tone', manualClock(0))).rejects.toEqual(code('NOT_FOUND'));
  expect(sha256(tone.bytes)).toBe(tone.sha256);
});
