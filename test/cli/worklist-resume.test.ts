/** `worklist replay` after a break: by a kill, the network, the server, or a person. */
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { createCli } from '../support/cli.ts';
import type { Cli, Running } from '../support/cli.ts';
import { failed } from '../support/http-server.ts';
import { examAt, linesOf, startIngestServer } from '../support/worklist-files.ts';
import type { IngestServer } from '../support/worklist-files.ts';

let cli: Cli;
let server: IngestServer | undefined;
beforeAll(async () => {
  cli = await createCli();
});
afterEach(() => server?.close());
afterAll(() => cli.close());

const path = (name: string) => join(cli.directory, name);
const put = (name: string, content: string) => writeFile(path(name), content);
const journals = async () => (await readdir(cli.directory)).filter((name) => name.endsWith('.laudio-replay'));
const journalLines = (name: string) =>
  readFile(path(`${name}.laudio-replay`), 'utf8').then(
    (text) => text.split('\n').length - 1,
    () => 0,
  );

/** Resolves when the journal has so many lines, or the replay is over. */
async function recorded(name: string, lines: number, running: Running): Promise<void> {
  let isOver = false;
  void running.ended.then(() => (isOver = true));
  while (!isOver && (await journalLines(name)) < lines) await new Promise((resolve) => setImmediate(resolve));
}

const accessions = (ingests: IngestServer) =>
  ingests
    .batches()
    .flat()
    .map((item) => item['accession_number']);

describe('killed', () => {
  it('at any moment and resumed, every exam is there once, and the outcomes of all runs add up', async () => {
    await cli.serveHere('--rate-limit', '0');
    await cli.json(['login']);
    const count = 600;
    const lines = Array.from({ length: count }, (_, at) => examAt(at, at % 50 === 7 ? { modality: 'XX' } : {}));
    await put('killed.ndjson', lines.map((item) => `${JSON.stringify(item)}\n`).join(''));
    const words = ['worklist', 'replay', 'killed.ndjson', '--batch', '10', '--resume', '--json'];
    // A moment after the first entry, after a few batches, and near the end.
    for (const lines of [1, 6, 25, 50]) {
      const replay = cli.start(words);
      await recorded('killed.ndjson', lines, replay);
      await replay.end('SIGKILL');
    }
    const { code, stdout, stderr } = await cli.call(words);
    expect(code, stderr).toBe(9);
    const summary = JSON.parse(stdout) as Record<string, unknown>;
    expect(summary).toMatchObject({ processed: count, inserted: 588, updated: 0, deduped: 0, refused: 12 });
    expect(summary['resumed_after']).toBeGreaterThanOrEqual(490);
    expect(await journals()).toEqual([]);
    const stored = await cli.json<WorklistItem[]>(['worklist', 'list', '--limit', '1000']);
    const wanted = lines.filter(({ modality }) => modality === 'CT').map((item) => item['accession_number']);
    expect(stored.map((item) => item.accession_number).toSorted()).toEqual(wanted.toSorted());
  });
});

describe('interrupted', () => {
  it('by Ctrl-C it says what was done and what to type; that goes on with the same keys', async () => {
    const held = Promise.withResolvers<void>();
    server = await startIngestServer(async (_, count) => {
      if (count <= 2) return undefined;
      held.resolve();
      return count === 3 ? new Promise<never>(() => {}) : undefined;
    });
    await put("o'clock.ndjson", linesOf(6));
    const replay = cli.start(['worklist', 'replay', "o'clock.ndjson", '--batch', '2', '--rate', '2/s'], server);
    await held.promise;
    const { code, stderr } = await replay.end('SIGINT');
    expect(code).toBe(130);
    expect(stderr).toContain('Until then: 4 inserted');
    expect(stderr).toContain("laudio worklist replay 'o'\\''clock.ndjson' --resume --rate 2/s");
    expect((await stat(path("o'clock.ndjson.laudio-replay"))).mode & 0o777).toBe(0o600);
    const again = await cli.call(['worklist', 'replay', "o'clock.ndjson", '--resume', '--json'], server);
    expect(JSON.parse(again.stdout)).toMatchObject({ processed: 6, inserted: 6, resumed_after: 4 });
    expect(server.keys()).toHaveLength(4);
    expect(server.keys()[3]).toBe(server.keys()[2]);
    expect(server.batches()[3]).toEqual(server.batches()[2]);
    expect(await journals()).toEqual([]);
  });
});

describe('a server that fails', () => {
  const env = { LAUDIO_RETRIES: '1' };

  it.each([
    ['429', failed(429, 'RATE_LIMIT_EXCEEDED', { retry_after: 1 }, { 'retry-after': '1' }), 'accepts no more requests'],
    ['503', failed(503, 'SERVER_BUSY', {}, { 'retry-after': '1' }), 'Continuing in 1 s'],
    ['a cut connection', { cut: true } as const, 'Retrying in 1 s (1 of 1)'],
    ['502 of a proxy', { status: 502, body: 'Bad gateway' }, 'Retrying in 1 s (1 of 1)'],
    [
      '409 while the first request runs',
      failed(409, 'REQUEST_IN_PROGRESS', {}, { 'retry-after': '1' }),
      'Continuing in 1 s',
    ],
  ])('for a moment, by %s, is asked again with the same key', async (_, reply, said) => {
    server = await startIngestServer((_asked, count) => (count === 2 ? reply : undefined));
    await put('moment.ndjson', linesOf(4));
    const { code, stderr } = await cli.call(['worklist', 'replay', 'moment.ndjson', '--batch', '2', '--fail-fast'], {
      env: { ...server.env, ...env },
    });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(said);
    expect(stderr).toContain('4 inserted');
    const keys = server.keys();
    expect([keys[0] !== keys[1], keys[1] === keys[2], keys.length]).toEqual([true, true, 3]);
  });

  it('for good ends it with 8 and how to go on; then it goes on', async () => {
    let isGone = false;
    server = await startIngestServer((_, count) => {
      if (count === 2) isGone = true;
      return isGone ? { cut: true } : undefined;
    });
    await put('gone.ndjson', linesOf(6));
    const words = ['worklist', 'replay', 'gone.ndjson', '--batch', '2', '--fail-fast', '--report', 'gone.json'];
    const { code, stderr } = await cli.call(words, { env: { ...server.env, ...env } });
    expect(code).toBe(8);
    expect(stderr).toContain('Until then: 2 inserted');
    expect(stderr).toContain('Resume with: laudio worklist replay gone.ndjson --resume --fail-fast --report gone.json');
    expect(JSON.parse(await readFile(path('gone.json'), 'utf8'))).toMatchObject({
      items: [{ position: 'line 1' }, { position: 'line 2' }],
      summary: { inserted: 2, complete: false },
    });
    isGone = false;
    const again = await cli.call([...words, '--resume', '--json'], { env: { ...server.env, ...env } });
    expect(JSON.parse(again.stdout)).toMatchObject({ inserted: 6, resumed_after: 2 });
    expect(JSON.parse(await readFile(path('gone.json'), 'utf8'))).toMatchObject({
      summary: { inserted: 6, complete: true },
    });
  });

  it('of an ingest, which has no journal, says to send it again', async () => {
    server = await startIngestServer((_, count) => (count === 2 ? failed(500, 'INTERNAL_ERROR') : undefined));
    await put('plain.ndjson', linesOf(4));
    const { code, stderr } = await cli.call(['worklist', 'ingest', 'plain.ndjson', '--batch', '2', '--fail-fast'], {
      env: { ...server.env, LAUDIO_RETRIES: '0' },
    });
    expect(code).toBe(8);
    expect(stderr).toContain('Send it again: accepted entries are recognised.');
    expect(await journals()).toEqual([]);
  });

  it('and a login that has ended leave the journal for later', async () => {
    server = await startIngestServer((_, count) => (count === 2 ? failed(401, 'UNAUTHORIZED') : undefined));
    await put('login.ndjson', linesOf(4));
    const words = ['worklist', 'replay', 'login.ndjson', '--batch', '2', '--fail-fast'];
    const { code, stderr } = await cli.call(words, server);
    expect(code).toBe(4);
    expect(stderr).toContain('--resume');
    expect((await cli.call([...words, '--resume'], server)).code).toBe(0);
    expect(accessions(server).toSorted()).toEqual(['WF-0', 'WF-1', 'WF-2', 'WF-2', 'WF-3', 'WF-3'].toSorted());
  });
});

describe('a batch at which the server fails each time', () => {
  const words = ['worklist', 'replay', 'set.ndjson', '--batch', '2'];
  const env = { LAUDIO_RETRIES: '1' };
  const isPoisoned = (asked: { readonly body: string }): boolean => asked.body.includes('WF-2');

  it('is set aside, with those of its exams, and sent by --resume in their order', async () => {
    let isMended = false;
    server = await startIngestServer((asked) =>
      !isMended && isPoisoned(asked) ? failed(500, 'INTERNAL_ERROR') : undefined,
    );
    const items = [0, 1, 2, 3, 4, 5, 3, 7, 8, 9].map((at) => examAt(at));
    await put('set.ndjson', items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    const run = await cli.call([...words, '--json'], { env: { ...server.env, ...env } });
    expect(run.code).toBe(9);
    expect(JSON.parse(run.stdout)).toMatchObject({ processed: 10, inserted: 6, refused: 4, set_aside: 4 });
    expect(run.stderr).toContain('4 of 10 items were set aside');
    expect(run.stderr).toContain('laudio worklist replay set.ndjson --resume');
    isMended = true;
    const before = server.batches().length;
    const again = await cli.call([...words, '--resume', '--json'], { env: { ...server.env, ...env } });
    expect(again.code, again.stderr).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ processed: 10, refused: 0, resumed_after: 6 });
    const sent = server
      .batches()
      .slice(before)
      .map((batch) => batch.map((item) => item['accession_number']));
    expect(sent).toEqual([
      ['WF-2', 'WF-3'],
      ['WF-3', 'WF-7'],
    ]);
    expect(await journals()).not.toContain('set.ndjson.laudio-replay');
  });

  it('and the next ones too, ends the run', async () => {
    server = await startIngestServer(() => failed(500, 'INTERNAL_ERROR'));
    await put('set.ndjson', linesOf(40));
    const { code, stderr } = await cli.call(words, { env: { ...server.env, LAUDIO_RETRIES: '0' } });
    expect([code, stderr]).toEqual([
      8,
      expect.stringContaining('Resume with: laudio worklist replay set.ndjson --resume'),
    ]);
    expect(server.asked.length).toBeLessThan(10);
  });
});

describe('--resume', () => {
  /** A replay of `name` that stopped after its first batch of two. */
  async function stopped(name: string, ...words: string[]): Promise<IngestServer> {
    const made = await startIngestServer((_, count) => (count === 2 ? failed(403, 'FORBIDDEN') : undefined));
    server = made;
    await put(name, linesOf(6));
    await cli.call(['worklist', 'replay', name, '--batch', '2', '--fail-fast', ...words], made);
    expect(made.asked).toHaveLength(2);
    return made;
  }

  it.each([
    ['a file that became longer', (name: string) => appendFile(path(name), linesOf(1)), [], 'was changed'],
    [
      'a file that was changed at the same length',
      (name: string) => put(name, linesOf(6).replace('CT', 'MR')),
      [],
      'was changed',
    ],
    ['another size of batches', async () => {}, ['--batch', '3'], 'another --batch'],
    ['another shift', async () => {}, ['--shift', '1'], 'another --shift'],
    ['another source system', async () => {}, ['--source-system', 'RIS'], 'another --source-system'],
  ])('refuses %s, and sends nothing', async (what, change, words, said) => {
    const name = `${what.replaceAll(' ', '-')}.ndjson`;
    const made = await stopped(name);
    await change(name);
    const { code, stderr } = await cli.call(['worklist', 'replay', name, '--resume', ...words], made);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
    expect(stderr).toMatch(/(without|leave out) --resume/);
    expect(made.asked).toHaveLength(2);
    // It starts again without.
    expect((await cli.call(['worklist', 'replay', name], made)).stderr).toContain('starts again');
    expect(await journals()).not.toContain(`${name}.laudio-replay`);
  });

  it('moves to the same day as the run before, whatever day it is', async () => {
    const made = await stopped('shifted.ndjson', '--shift', 'now');
    expect((await cli.call(['worklist', 'replay', 'shifted.ndjson', '--resume', '--shift', 'now'], made)).code).toBe(0);
    expect(
      new Set(
        made
          .batches()
          .flat()
          .map((item) => item['exam_datetime']),
      ).size,
    ).toBe(1);
  });

  it('begins at the beginning where nothing was begun', async () => {
    server = await startIngestServer();
    await put('fresh.ndjson', linesOf(2));
    const { code, stderr } = await cli.call(['worklist', 'replay', 'fresh.ndjson', '--resume'], server);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('nothing to resume') });
  });
});

it('two replays of one file at once: the second is refused, the first goes on', async () => {
  const held = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  server = await startIngestServer(async () => {
    held.resolve();
    await going.promise;
    return undefined;
  });
  await put('twice.ndjson', linesOf(2));
  const first = cli.start(['worklist', 'replay', 'twice.ndjson'], server);
  await held.promise;
  expect(await cli.call(['worklist', 'replay', 'twice.ndjson', '--resume'], server)).toMatchObject({
    code: 11,
    stderr: expect.stringContaining('twice.ndjson is being replayed by another process.'),
  });
  going.resolve();
  expect((await first.ended).code).toBe(0);
  expect(server.asked).toHaveLength(1);
});
