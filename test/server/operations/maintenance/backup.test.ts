/** Backup and restore of a server that goes on working, through the API. */
import { mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as fc from '../../../support/properties.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtInTestClient, createServer } from '../../../../server/index.ts';
import { openBackup } from '../../../../server/storage/sealing/sealed-backup.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { contract } from '../../../../src/contract/index.ts';
import { dictated, examFields, startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
import { controlledEngine } from '../../../support/controlled-engine.ts';
import { archiveOf, backupOf, contentOf, everything, exportOf, restoreTo } from '../../../support/maintenance.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { fact } from '../audit/trails.ts';

const { records, worklists, oauth, jobs } = contract;
/** Longer than what streams hold back. */
const speech = wav({ seconds: 60 });
const spoken = { audio: { content_type: 'audio/wav' as const, data: speech.toString('base64') } };

const start = (options: Parameters<typeof startApi>[0] = {}): Promise<Api> => startApi(options, onTestFinished);
const statusOf = async (api: Api, token: string): Promise<number> =>
  (await api.call(oauth.endpoints.validate, { token })).status;

/** A server on a disk, with an exam, a spoken and a written document. */
async function filled(): Promise<{ api: Api; directory: string; spoken: string; files(): Promise<string[]> }> {
  const directory = await temporaryDirectory();
  const api = await start({ dataDir: directory });
  const worklist_item_id = await api.exam();
  const { id } = await api.generate({ ...spoken, worklist_item_id });
  await api.generate({ text: dictated });
  const files = async () => (await readdir(join(directory, 'audio'))).toSorted();
  return { api, directory, spoken: id, files };
}

describe('a backup', () => {
  test('holds every document and all audio, and nothing of it stays behind', async () => {
    const { api, files } = await filled();
    const before = await files();
    const { documents, audio, missing_audio } = await contentOf(await backupOf(api));
    expect(Object.values(audio)).toEqual([speech]);
    expect(missing_audio).toEqual([]);
    const collections = documents
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line).collection as string);
    expect(new Set(collections)).toEqual(
      new Set([
        'items',
        'history',
        'records',
        'versions',
        'audit',
        'audit_head',
        'clients',
        'users',
        'grants',
        'codes',
        'refresh_tokens',
        'settings',
      ]),
    );
    expect(await files()).toEqual(before);
  });

  test('brings everything back on a fresh server, logins included', async () => {
    const { api, spoken: id } = await filled();
    const bytes = await backupOf(api);
    const other = await start({ dataDir: await temporaryDirectory() });
    const restored = await restoreTo(other, bytes);
    expect(restored).toMatchObject({
      status: 200,
      data: { audio_files: 1, missing_audio: 0, version: '0.0.0-test', documents: { items: 1, records: 2 } },
    });
    expect(await everything(other)).toBe(await everything(api));
    // The token that the first server gave, and not the one that the second gave before.
    expect(await statusOf(other, api.token)).toBe(200);
    expect(await statusOf(other, other.token)).toBe(401);
    const audio = await other.call(records.endpoints.audio, { params: { id }, token: api.token });
    expect(audio.headers['content-length']).toBe(String(speech.length));
    expect(await other.exam({}, { token: api.token })).toMatch(/^wli_/);
  });

  test('of an encrypted server comes encrypted alone, and nothing of it is readable', async () => {
    const passphrase = 'the words of this backup';
    const key = { encrypt: 'passphrase', passphrase: async () => 'a long passphrase' } as const;
    const api = await start({ dataDir: await temporaryDirectory(), key });
    await api.generate({ ...spoken, worklist_item_id: await api.exam() });
    const { path } = contract.maintenance.endpoints.backup;
    const headers = { authorization: `Bearer ${api.server.adminToken}` };
    const plain = await api.server.inject({ url: path, headers });
    expect([plain.statusCode, plain.json().error.code]).toEqual([403, 'FORBIDDEN']);
    expect(plain.json().error.details.hint).toContain('laudio server backup');
    const sealedUnder = (payload: object) => api.server.inject({ method: 'POST', url: path, headers, payload });
    expect((await sealedUnder({ passphrase: 'too short' })).statusCode).toBe(400);
    const answer = await sealedUnder({ passphrase });
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.toString('latin1')).not.toMatch(/TESTE|documents\.ndjson|RIFF[^]{4}WAVE/);
    const opened: Uint8Array[] = [];
    for await (const piece of openBackup(Readable.from([answer.rawPayload]), passphrase)) opened.push(piece);
    expect(Object.values((await contentOf(Buffer.concat(opened))).audio)).toEqual([speech]);
  });

  test('that is abandoned after its first line releases its memory', async () => {
    const { api, files } = await filled();
    const { path } = contract.maintenance.endpoints.backup;
    const headers = { authorization: `Bearer ${api.server.adminToken}` };
    const payload = { passphrase: 'the words of this backup' };
    const answer = await api.server.inject({ method: 'POST', url: path, headers, payload, payloadAsStream: true });
    for await (const _ of answer.stream()) break;
    // The documents of a backup lie beside the audio as long as it is read.
    await expect.poll(files).toHaveLength(1);
  });

  test('is of one moment, whatever happens meanwhile: each batch is in it as a whole or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 4, maxLength: 12 }), async (sizes) => {
        const api = await startApi({ dataDir: await temporaryDirectory() }, onTestFinished);
        const batches = sizes.map((size, batch) =>
          Array.from({ length: size }, () => examFields({ location: `batch ${batch}` })),
        );
        const backups: Promise<Buffer>[] = [];
        const sent = batches.map(async (batch, at) => {
          for (let turn = 0; turn < at; turn++) await new Promise((resolve) => setImmediate(resolve));
          if (at % 3 === 1) backups.push(backupOf(api));
          await api.ingest(batch);
        });
        await Promise.all(sent);
        for (const backup of await Promise.all(backups)) {
          const { documents } = await contentOf(backup);
          sizes.forEach((size, batch) => {
            const found = documents.split(`"location":"batch ${batch}"`).length - 1;
            expect([0, size]).toContain(found);
          });
        }
        await api.close();
      }),
      { numRuns: 4 },
    );
  });

  test('has the audio of a document that is deleted while it is made', async () => {
    const { api, spoken: id, files } = await filled();
    const { path } = contract.maintenance.endpoints.backup;
    const headers = { authorization: `Bearer ${api.server.adminToken}` };
    const answer = await api.server.inject({ url: path, headers, payloadAsStream: true });
    // Its moment is over, and nothing of the audio has been sent.
    succeeded(await api.call(records.endpoints.delete, { params: { id } }));
    const chunks: Buffer[] = [];
    for await (const chunk of answer.stream()) chunks.push(chunk as Buffer);
    expect(Object.values((await contentOf(Buffer.concat(chunks))).audio)).toEqual([speech]);
    // Collected once it is old enough to be nobody's upload.
    expect(await files()).toHaveLength(1);
    await expect
      .poll(() => {
        api.clock.advance(15 * 60 * 1000);
        return files();
      })
      .toEqual([]);
  });

  test('releases its memory when it is not read to its end', async () => {
    const { api, spoken: id, files } = await filled();
    const { path } = contract.maintenance.endpoints.backup;
    const headers = { authorization: `Bearer ${api.server.adminToken}` };
    const answer = await api.server.inject({ url: path, headers, payloadAsStream: true });
    answer.stream().destroy();
    answer.raw.res.destroy();
    await expect.poll(files).toHaveLength(1);
    succeeded(await api.call(records.endpoints.delete, { params: { id } }));
    await expect.poll(files).toEqual([]);
  });

  test('reports missing audio; restored, the document is there without it', async () => {
    const { api, directory, spoken: id } = await filled();
    const [blob] = Object.keys((await contentOf(await backupOf(api))).audio);
    await rm(join(directory, 'audio', blob!));
    const bytes = await backupOf(api);
    expect(await contentOf(bytes)).toMatchObject({ audio: {}, missing_audio: [blob] });
    expect((await restoreTo(api, bytes)).data).toMatchObject({ audio_files: 0, missing_audio: 1 });
    expect((await api.call(records.endpoints.get, { params: { id } })).status).toBe(200);
  });

  test.each([
    ['changed', (path: string) => writeFile(path, Buffer.alloc(speech.length))],
    ['cut off', (path: string) => truncate(path, 1000)],
    [
      'replaced by a directory',
      async (path: string) => {
        await rm(path);
        await mkdir(path);
      },
    ],
  ])('leaves out audio that was %s on the disk, and names it; all else is in it', async (_what, damage) => {
    const { api, directory } = await filled();
    const [blob] = Object.keys((await contentOf(await backupOf(api))).audio);
    const { id: other } = await api.generate(spoken);
    await damage(join(directory, 'audio', blob!));
    const bytes = await backupOf(api);
    expect(await contentOf(bytes)).toMatchObject({ missing_audio: [], damaged_audio: [blob] });
    expect(Object.values((await contentOf(bytes)).audio)).toEqual([speech]);
    expect(api.logged).toContainEqual(
      expect.objectContaining({ event: 'backup_incomplete', missing_audio: [], damaged_audio: [blob] }),
    );
    const fresh = await start({ dataDir: await temporaryDirectory() });
    expect((await restoreTo(fresh, bytes)).data).toMatchObject({ audio_files: 1, missing_audio: 1 });
    const { status } = await fresh.call(records.endpoints.audio, { params: { id: other }, token: api.token });
    expect(status).toBe(200);
  });

  test('breaks off where no audio can be read any more', async () => {
    const { api, directory } = await filled();
    await rename(join(directory, 'audio'), join(directory, 'elsewhere'));
    await expect(backupOf(api).then(contentOf)).rejects.toThrow();
    expect(api.logged).toContainEqual(expect.objectContaining({ event: 'backup_failed' }));
  });

  test('made in parallel leave no copy of the documents, in whatever order they end', async () => {
    const { api, files } = await filled();
    const before = await files();
    const { path } = contract.maintenance.endpoints.backup;
    const headers = { authorization: `Bearer ${api.server.adminToken}` };
    const begun = () => api.server.inject({ url: path, headers, payloadAsStream: true });
    const [first, second, third] = await Promise.all([begun(), begun(), begun()]);
    expect(await files()).toEqual(before);
    for await (const _chunk of third.stream());
    second.stream().destroy();
    second.raw.res.destroy();
    for await (const _chunk of first.stream());
    await expect.poll(files).toEqual(before);
  });
});

describe('a restore on a running server', () => {
  test('takes everything back to the moment of the backup, audio included', async () => {
    const { api, spoken: id, files } = await filled();
    const [before, audio] = [await everything(api), await files()];
    const bytes = await backupOf(api);
    succeeded(await api.call(records.endpoints.delete, { params: { id } }));
    await api.generate(spoken);
    await api.exam();
    expect((await restoreTo(api, bytes)).status).toBe(200);
    expect(await everything(api)).toBe(before);
    expect(await files()).toEqual(audio);
    // Once more, over itself.
    expect((await restoreTo(api, bytes)).status).toBe(200);
    expect(await everything(api)).toBe(before);
    expect(await files()).toEqual(audio);
  });

  test('enters the facts that several members had not numbered yet', async () => {
    const { api } = await filled();
    const content = await contentOf(await backupOf(api));
    const facts = { id: 'auf_01JNA0000000000000000000AA', facts: [fact(1)] };
    const documents = `${content.documents}${JSON.stringify({ collection: 'audit_facts', document: facts })}\n`;
    expect((await restoreTo(api, await archiveOf({ ...content, documents }))).status).toBe(200);
    const { list, verify } = contract.audit.endpoints;
    const { items } = succeeded(await api.call(list, { query: { limit: 200 } }));
    expect(items.filter(({ ids }) => ids.includes('rec_1'))).toHaveLength(1);
    expect(succeeded(await api.call(verify, { query: {} })).sound).toBe(true);
  });

  test('survives a restart', async () => {
    const { api, directory } = await filled();
    const bytes = await backupOf(api);
    await api.exam();
    await restoreTo(api, bytes);
    const before = await everything(api);
    await api.close();
    const again = await start({ dataDir: directory });
    for (const line of before.split('\n').filter((each) => /"(items|records|versions)"/.test(each))) {
      expect(await everything(again)).toContain(line);
    }
  });

  test('ends logins of later and brings back earlier ones, remembered tokens too', async () => {
    const api = await start();
    const bytes = await backupOf(api);
    const later = await api.tokens();
    expect(await statusOf(api, later.access_token)).toBe(200);
    await restoreTo(api, bytes);
    expect(await statusOf(api, later.access_token)).toBe(401);
    expect(await statusOf(api, api.token)).toBe(200);
  });

  test('knows people by their names of then', async () => {
    const api = await start();
    const bytes = await backupOf(api);
    const renamed = (await contentOf(bytes)).documents.replaceAll('Dra. Teste', 'Dr. Demo');
    expect((await api.call(oauth.endpoints.validate)).text).toContain('Dra. Teste');
    await restoreTo(api, await archiveOf({ documents: renamed, audio: {}, missing_audio: [] }));
    expect((await api.call(oauth.endpoints.validate)).text).toContain('Dr. Demo');
  });

  test('ends the event streams, so that readers list again', async () => {
    const api = await start();
    const bytes = await backupOf(api);
    const { path } = worklists.endpoints.events;
    const headers = { authorization: `Bearer ${api.token}` };
    const stream = await api.server.inject({ url: path, headers, payloadAsStream: true });
    const heard: string[] = [];
    const over = (async () => {
      for await (const chunk of stream.stream()) heard.push(String(chunk));
    })();
    await expect.poll(() => heard.length).toBe(1);
    await restoreTo(api, bytes);
    await over;
    const lastSeen = /id: (.*)/.exec(heard.join(''))![1]!;
    const again = await api.server.inject({
      url: path,
      headers: { ...headers, 'last-event-id': lastSeen },
      payloadAsStream: true,
    });
    for await (const chunk of again.stream()) {
      expect(String(chunk)).toContain('event: reset');
      break;
    }
    again.raw.res.destroy();
  });

  test('restarts the jobs of that time', async () => {
    const engine = controlledEngine();
    const api = await start({ engine });
    engine.hold();
    const { id } = await api.enqueue(spoken);
    await engine.called(1);
    const bytes = await backupOf(api);
    succeeded(await api.call(jobs.endpoints.cancel, { params: { id } }));
    await restoreTo(api, bytes);
    expect(['queued', 'in_progress']).toContain(
      succeeded(await api.call(jobs.endpoints.get, { params: { id } })).status,
    );
    engine.release();
    expect(await api.ended(id)).toMatchObject({ status: 'completed' });
  });

  test('leaves out the built-in test client where the server does', async () => {
    const bytes = await backupOf(await start());
    const server = await createServer({ version: '0.0.0-test', store: { use: 'memory' }, testClient: false });
    onTestFinished(() => server.close());
    expect((await restoreTo({ server }, bytes)).status).toBe(200);
    expect(await exportOf({ server })).not.toContain(`"id":"${builtInTestClient.client_id}"`);
  });

  test('changes nothing where the store cannot take it, and what was under way goes on', async () => {
    const engine = controlledEngine();
    const api = await start({
      engine,
      store: (real) => ({
        ...real,
        async replace(documents) {
          for await (const _document of documents);
          throw new AppError('STORAGE_UNAVAILABLE');
        },
      }),
    });
    engine.hold();
    const { id } = await api.enqueue(spoken);
    await engine.called(1);
    const bytes = await backupOf(api);
    expect(await restoreTo(api, bytes)).toMatchObject({ status: 503, error: { code: 'STORAGE_UNAVAILABLE' } });
    expect(await statusOf(api, api.token)).toBe(200);
    engine.release();
    expect(await api.ended(id)).toMatchObject({ status: 'completed' });
  });

  test('is one at a time', async () => {
    const api = await start();
    const bytes = await backupOf(api);
    const answers = await Promise.all([restoreTo(api, bytes), restoreTo(api, bytes)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503]);
  });
});
