/** What is no whole backup of this version is refused, and everything is as it was. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as fc from '../../../support/properties.ts';
import { pack } from 'tar-stream';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { migrations } from '../../../../server/storage/migrations.ts';
import { dictated, startApi } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
import { archiveOf, backupOf, contentOf, everything, restoreTo } from '../../../support/maintenance.ts';

const directory = await mkdtemp(join(tmpdir(), 'laudio-test-'));
afterAll(() => rm(directory, { recursive: true, force: true }));
const api = await startApi({ dataDir: directory });
const speech = wav({ seconds: 0.2 });
await api.generate({ audio: { content_type: 'audio/wav', data: speech.toString('base64') } });
await api.generate({ text: dictated });
await api.exam();
const whole = await backupOf(api);
const content = await contentOf(whole);

const audioFiles = async (): Promise<string[]> => (await readdir(join(directory, 'audio'))).toSorted();
const before = { documents: await everything(api), audio: await audioFiles() };
afterEach(async () => {
  expect(await everything(api)).toBe(before.documents);
  expect(await audioFiles()).toEqual(before.audio);
});

const refusal = async (bytes: Buffer): Promise<string> => {
  const { status, error } = await restoreTo(api, bytes);
  expect([status, error.code], error.message).toEqual([400, 'VALIDATION_FAILED']);
  return error.message;
};

describe('refused, and nothing is changed:', () => {
  test('an archive that was cut off, wherever', async () => {
    // The two empty blocks at the very end say nothing.
    const lengths = fc.integer({ min: 0, max: whole.length - 1025 });
    await fc.assert(
      fc.asyncProperty(lengths, async (length) => void (await refusal(whole.subarray(0, length)))),
      { numRuns: 60, examples: [[0], [1], [511], [512], [513], [1024], [whole.length - 1025]] },
    );
  });

  test('an archive of which a bit was turned, wherever it says something', async () => {
    const places = fc.tuple(fc.integer({ min: 0, max: whole.length - 1025 }), fc.integer({ min: 0, max: 7 }));
    await fc.assert(
      fc.asyncProperty(places, async ([at, bit]) => {
        const changed = Buffer.from(whole);
        changed[at]! ^= 1 << bit;
        const { status, error } = await restoreTo(api, changed);
        // What fills a part up to a whole block is no part of it.
        if (status === 200) expect(await contentOf(changed)).toEqual(content);
        else expect(error.code).toBe('VALIDATION_FAILED');
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['text', Buffer.from('Test Patient. Findings: normal.')],
    ['JSON', Buffer.from('{"schema":1,"collections":{}}')],
    ['zeros', Buffer.alloc(10_240)],
    ['gzip', Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(2000, 7)])],
  ])('%s', async (_what, bytes) => {
    expect(await refusal(bytes)).toBe('This is no backup of Laudio.');
  });

  test('an archive of somebody else', async () => {
    expect(await refusal(await tarOf({ 'README.md': 'hello', 'a/b.txt': 'there' }))).toBe(
      'This is no backup of Laudio.',
    );
    expect(await refusal(await tarOf({ 'documents.ndjson': 'hello' }))).toMatch(/not documents that Laudio wrote/);
    expect(await refusal(await tarOf({ 'documents.ndjson': content.documents }))).toMatch(/its end is missing/);
  });

  test('a backup with something after its end', async () => {
    expect(await refusal(Buffer.concat([whole.subarray(0, whole.length - 1024), whole]))).toMatch(
      /goes on after its end/,
    );
  });

  test('a backup of a newer version', async () => {
    const documents = content.documents.replace(/"schema":\d+/, `"schema":${migrations.length + 2}`);
    expect(await refusal(await archiveOf({ ...content, documents }))).toMatch(/newer version/);
  });

  test.each(['../../evil', 'blb_../../../etc/passwd', '/etc/passwd', 'blb_01JNBK4V9Q0000000000000000'])(
    'audio that no document names: %s',
    async (blob) => {
      const audio = { ...content.audio, [blob]: speech };
      expect(await refusal(await archiveOf({ ...content, audio }))).toMatch(/does not belong/);
    },
  );

  test('audio that is missing without a word, or is another', async () => {
    const [blob] = Object.keys(content.audio);
    expect(await refusal(await archiveOf({ ...content, audio: {} }))).toMatch(/does not belong/);
    const audio = { [blob!]: Buffer.alloc(1000) };
    expect(await refusal(await archiveOf({ ...content, audio }))).toMatch(/does not belong/);
    const nothing = { ...content, audio: {}, missing_audio: ['blb_01JNBK4V9Q0000000000000000'] };
    expect(await refusal(await archiveOf(nothing))).toMatch(/does not belong/);
  });

  test.each([
    ['a document of an unknown collection', '{"collection":"patients","document":{"id":"x"}}'],
    ['a document without its fields', '{"collection":"items","document":{"id":"x"}}'],
    ['a document that stands there twice', content.documents.split('\n')[1]!],
    [
      'nesting without end',
      `{"collection":"settings","document":{"id":"x","value":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`,
    ],
    ['a prototype', '{"collection":"settings","document":{"id":"x","value":{"__proto__":{}}}}'],
  ])('%s', async (_what, line) => {
    expect(await refusal(await archiveOf({ ...content, documents: `${content.documents}${line}\n` }))).toMatch(
      /^Line \d+: /,
    );
  });

  test('a line that never ends, without its being kept', async () => {
    const documents = `${content.documents}${'x'.repeat(33 * 1024 * 1024)}`;
    expect(await refusal(await archiveOf({ ...content, documents }))).toMatch(/too long/);
  });

  test('audio larger than any recording', async () => {
    const documents = content.documents;
    const [blob] = Object.keys(content.audio);
    // Only its header says so; not a byte of it has to be sent.
    const archive = pack();
    archive.entry({ name: 'documents.ndjson' }, documents);
    const sink = archive.entry({ name: `audio/${blob}`, size: 10 ** 12 });
    sink.on('error', () => {});
    sink.write(Buffer.alloc(65_536));
    const chunks: Buffer[] = [];
    for await (const chunk of archive as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (Buffer.concat(chunks).length > documents.length + 60_000) break;
    }
    expect(await refusal(Buffer.concat(chunks))).toMatch(/damaged/);
  });

  test('a request that breaks off', async () => {
    async function* broken() {
      yield whole.subarray(0, 2000);
      throw new Error('gone');
    }
    const answer = await api.server
      .inject({
        method: 'POST',
        url: '/api/v1/admin/restore',
        headers: { authorization: `Bearer ${api.server.adminToken}`, 'content-type': 'application/x-tar' },
        payload: Readable.from(broken()),
      })
      .catch(() => undefined);
    expect(answer?.statusCode ?? 400).toBe(400);
  });
});

async function tarOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, text] of Object.entries(files)) archive.entry({ name }, text);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
