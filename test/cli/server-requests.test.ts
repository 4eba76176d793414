/** `laudio server requests`: what reached the server, followed, one by one, as curl, as HAR, and made again. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InspectedCall, InspectedMessages } from '../../src/contract/inspector.ts';
import { createCli, samples } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import type { Ready } from '../support/process.ts';

let cli: Cli;
let ready: Ready;
beforeAll(async () => {
  cli = await createCli();
  ({ ready } = await cli.serveHere('--rate-limit', '0'));
  await cli.json(['login']);
  await cli.json(['worklist', 'ingest', join(samples, 'worklist.json')]);
});
afterAll(() => cli.close());

const ingested = async (): Promise<InspectedCall> =>
  (await cli.json<InspectedCall[]>(['server', 'requests'])).find(({ path }) => path.endsWith('/ingest'))!;

test('--follow prints each call as it comes, and ends with Ctrl-C', async () => {
  const following = cli.startHere(['server', 'requests', '--follow', '--refused', '--json']);
  await following.heard('Following the calls');
  await fetch(`${ready.url}/api/v1/worklists/items`);
  await following.heard('UNAUTHORIZED');
  const { code, stdout } = await following.end('SIGINT');
  expect(code).toBe(130);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([{ status: 401, client_id: null }]);
});

test('shows one call with its messages, and as curl, without a word of the patient', async () => {
  const { number } = await ingested();
  const { code, stdout } = await cli.call(['server', 'requests', String(number)]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Decision\tallowed/);
  expect(stdout).toContain('"patient_name": "‹text,');
  const curl = await cli.call(['server', 'requests', String(number), '--curl']);
  expect(curl.stdout).toMatch(
    /^curl --request POST http:\/\/127\.0\.0\.1:\d+\/api\/v1\/worklists\/ingest \\\n {2}--header "Authorization: Bearer \$LAUDIO_TOKEN"/,
  );
  expect(stdout + curl.stdout).not.toMatch(/TESTE|SL-2026/);
});

test('--replay makes the call again', async () => {
  const { number } = await ingested();
  const again = await cli.json<InspectedMessages>(['server', 'requests', String(number), '--replay']);
  expect(again).toMatchObject({ status: 200, decision: 'allowed', client_id: 'test_tc_local' });
  expect(again.number).toBeGreaterThan(number);
});

test('--har writes a HTTP Archive', async () => {
  const file = join(cli.directory, 'calls.har');
  expect(await cli.json(['server', 'requests', '--har', file])).toMatchObject({ saved: file });
  const { log } = JSON.parse(await readFile(file, 'utf8')) as {
    log: { version: string; entries: { request: { url: string; method: string } }[] };
  };
  expect(log.version).toBe('1.2');
  expect(log.entries.map(({ request: { method, url } }) => `${method} ${new URL(url).pathname}`)).toContain(
    'POST /api/v1/worklists/ingest',
  );
  expect(JSON.stringify(log)).not.toMatch(/TESTE|SL-2026/);
});

test.each([
  [['--curl'], 2, 'needs the number'],
  [['--replay'], 2, 'needs the number'],
  [['1', '--follow'], 2, 'takes no call number'],
  [['first'], 2, 'the number of a call'],
  [['999999'], 3, 'no longer has'],
  [['--limit', '0'], 2, '--limit takes a number from 1'],
  [['--limit', '1', '--all'], 2, '--all and --limit exclude each other'],
])('%j is refused', async (words, expected, says) => {
  const { code, stderr } = await cli.call(['server', 'requests', ...words]);
  expect(code).toBe(expected);
  expect(stderr).toContain(says);
});
