/** `laudio server fault` and `serve --faults`: faults as QA adds them, and what commands do under them. */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fault, FaultStrike } from '../../src/contract/fault.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { createServedCli, samples } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import type { Ready } from '../support/process.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());
const fault = (...words: string[]) => cli.json<Fault[]>(['server', 'fault', ...words]);
afterEach(() => fault('remove', '--all'));

describe('a fault', () => {
  test('is added by its fields, listed with its effect, and removed', async () => {
    const words = ['--method', 'GET', '--path', '/api/v1/jobs', '--client', 'test_tc_local', '--every', '2'];
    expect(
      await fault('add', 'busy', ...words, '--latency', '5ms', '--status', '503', '--retry-after', '0'),
    ).toMatchObject([
      { name: 'busy', method: 'GET', every: 2, effects: ['latency=5ms', 'status=503', 'retry_after=0'], seen: 0 },
    ]);
    for (const _ of [1, 2]) await cli.json(['job', 'list']);
    expect(await fault()).toMatchObject([{ name: 'busy', seen: 3, struck: 1 }]);
    const { stdout } = await cli.call(['server', 'fault', 'list']);
    expect(stdout).toBe(
      'busy\tGET /api/v1/jobs of test_tc_local\teach 2.\tlatency=5ms, status=503, retry_after=0\t3\t1\n',
    );
    expect((await cli.call(['server', 'requests'])).stdout).toMatch(/\t503\t.*\tSERVER_BUSY\t.*\tbusy\n/);
    expect(await fault('remove', 'busy')).toMatchObject([{ name: 'busy' }]);
    expect(await fault()).toEqual([]);
  });

  test('answers with a page and headers of one’s own', async () => {
    const page = join(cli.directory, 'page.html');
    await writeFile(page, '<html>Log in to the network</html>\r\n');
    const words = ['--path', '/api/v1/jobs', '--status', '200', '--content', `@${page}`];
    expect(await fault('add', 'hotspot', ...words, '--header', 'Server: hotspot', '--header', 'ETag:')).toMatchObject([
      { content: '<html>Log in to the network</html>\r\n', headers: { Server: 'hotspot', ETag: '' } },
    ]);
    expect(await cli.call(['job', 'list'])).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('not an answer of this API'),
    });
    await fault('remove', 'hotspot');
    expect(await cli.call(['server', 'fault', 'add', '--header', 'Server'])).toMatchObject({ code: 2 });
  });

  test('that strikes is in the log, one line of JSON each by --jq', async () => {
    const before = (await cli.json<FaultStrike[]>(['server', 'fault', 'log'])).length;
    await fault('add', '--job', 'fail:ENGINE_UNAVAILABLE');
    const job = await cli.json<{ id: string }>(['record', 'generate', '--text', '-', '--async'], {
      input: 'Test Patient. Findings: normal.',
    });
    expect(await cli.call(['job', 'wait', job.id])).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('The transcription engine is not available.'),
    });
    const { stdout } = await cli.call(['server', 'fault', 'log', '--jq', '.[]']);
    const lines = stdout.trim().split('\n').slice(before);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { of: 'job', path: '/api/v1/medical-records/generate', effects: ['job=fail:ENGINE_UNAVAILABLE'] },
    ]);
  });

  test.each([
    [['add'], 6, 'a fault needs an effect'],
    [['add', '--status', '503', '--path', '/api/v1/job'], 6, 'matches no call of this API'],
    [['add', '--latency', 'soon'], 6, 'latency must be a length of time'],
    [['add', '--token', 'lost'], 2, '--token takes expired or revoked.'],
    [['add', '--probability', 'often', '--status', '503'], 2, '--probability takes a number such as 0.1.'],
    [['add', 'flaky', '--status', '503'], 6, 'status cannot be combined with profile'],
    [['add', '--status', '503', '--all-clients'], 2, '--yes is needed.'],
    [['add', '--all'], 2, '--all needs remove.'],
    [['list', '--status', '503'], 2, 'list takes no rule options.'],
    [['remove'], 2, 'remove takes the name of a fault, or --all.'],
    [['remove', 'nothing'], 3, 'no fault of that name'],
    [['log', '--all'], 2, '--all needs remove.'],
    [['stop'], 2, 'A fault takes add, list, remove, log, not stop.'],
  ])('%j is refused', async (words, expected, says) => {
    const { code, stderr } = await cli.call(['server', 'fault', ...words]);
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(says) });
    expect(await fault()).toEqual([]);
  });

  test('of all clients says so', async () => {
    const { stderr } = await cli.call(['server', 'fault', 'add', '--all-clients', '--yes', '--quota', '1000']);
    expect(stderr).toContain('This affects real clients and real patients');
    expect((await cli.call(['server', 'fault'])).stdout).toContain('calls of all clients');
  });
});

describe('commands under faults', () => {
  test('a busy token endpoint is asked again', async () => {
    await fault('add', '--path', '/api/oauth/token', '--times', '1', '--status', '503', '--retry-after', '0');
    expect((await cli.call(['login', '--json'])).code).toBe(0);
  });

  test('an expired token is refreshed, a revoked one needs a login', async () => {
    await fault('add', '--token', 'expired');
    expect(await cli.json(['job', 'list'])).toBeInstanceOf(Array);
    await fault('remove', '--all');
    await fault('add', '--token', 'revoked', '--times', '1');
    expect((await cli.call(['job', 'list'])).code).toBe(4);
    await cli.json(['login']);
  });

  test('a replay of exams through a flaky network loses none and doubles none', async () => {
    await fault('add', 'flaky', '--seed', '3');
    await fault('add', 'cut-replay', '--path', '/api/v1/worklists/ingest', '--nth', '1', '--cut', 'after');
    await copyFile(join(samples, 'worklist.json'), join(cli.directory, 'day.json'));
    const { code, stderr } = await cli.call(['worklist', 'replay', 'day.json', '--batch', '6']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('23') });
    expect((await fault()).find(({ name }) => name === 'cut-replay')).toMatchObject({ struck: 1 });
    await fault('remove', '--all');
    const items = await cli.json<WorklistItem[]>(['worklist', 'list', '--limit', '200']);
    const numbers = items.map(({ accession_number: number }) => number);
    expect(numbers).toHaveLength(23);
    expect(new Set(numbers).size).toBe(23);
  });
});

describe('serve --faults', () => {
  const serveWith = async (name: string, content: string) => {
    await writeFile(join(cli.directory, name), content);
    return cli.call(['serve', '--port', '0', '--store', 'memory', '--data-dir', name + '-data', '--faults', name]);
  };

  test.each([
    ['{', 'faults.json is not valid JSON'],
    ['{}', 'contains no list of faults'],
    ['[{"status": 503}, {"latency": "soon"}]', 'faults.json: Fault 2 is refused: latency must be a length of time'],
    ['[{"status": 503, "colour": "red"}]', 'faults.json: The fault is refused: colour is not a field'],
  ])('refuses %s', async (content, says) => {
    const { code, stderr } = await serveWith('faults.json', content);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
  });

  test.each([
    ['rate-limited', ['rate-limited']],
    ['profile:flaky', ['flaky-slow', 'flaky-503', 'flaky-cut-before', 'flaky-cut-after']],
    ['mine.json', ['mine', 'job-fails']],
  ])('%s', async (source, names) => {
    await writeFile(
      join(cli.directory, 'mine.json'),
      '{"faults": [{"name": "mine", "status": 503}, {"profile": "job-fails"}]}',
    );
    const { ready, server } = await cli.serveHere(
      '--store',
      'memory',
      '--data-dir',
      `${names[0]}-data`,
      '--faults',
      source,
    );
    expect((ready as Ready & { faults: string[] }).faults).toEqual(names);
    await server.end('SIGTERM');
  });

  test('a person sees it at the start', async () => {
    const words = ['--port', '0', '--store', 'memory', '--data-dir', 'told-data', '--faults', 'slow'];
    const server = cli.startHere(['serve', ...words]);
    await server.heard('injected faults affect calls of test clients: slow-call, slow-body (laudio server fault)');
    await server.end('SIGTERM');
  });
});
