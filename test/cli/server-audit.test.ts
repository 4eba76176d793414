/** `laudio server audit --follow`: each entry once and in order, also beyond a restart of the server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/contract/audit.ts';
import { pageOf } from '../../docs/site/pages.ts';
import { fhirFaults } from '../support/fhir-r4.ts';
import { createCli, samples } from '../support/cli.ts';
import type { Cli, Running } from '../support/cli.ts';

let cli: Cli;
let server: Running;
beforeAll(async () => {
  cli = await createCli();
  ({ server } = await cli.serveHere('--rate-limit', '0'));
  await cli.json(['login']);
});
afterAll(() => cli.close());

const entries = (limit = 1000) => cli.json<AuditEntry[]>(['server', 'audit', '--limit', String(limit)]);

test('prints a line for each to a person, and those alone that it was asked for', async () => {
  await cli.json(['worklist', 'ingest', join(samples, 'worklist.json')]);
  const [one, other] = await cli.json<{ id: string }[]>(['worklist', 'list']);
  const { id } = one!;
  const following = cli.startHere(['server', 'audit', '--follow', '--record', id]);
  await following.heard('Following the audit trail');
  await cli.json(['worklist', 'set-status', other!.id, 'in_progress']);
  await cli.json(['worklist', 'set-status', id, 'in_progress']);
  await following.heard('worklists.setStatus');
  const { code, stdout } = await following.end('SIGINT');
  expect([code, stdout]).toEqual([
    130,
    expect.stringMatching(/^\d+ {2}[\d-]{10} [\d:]{5} {2}\S+ {2}worklists\.setStatus {2}\S+ .*\n$/),
  ]);
  expect(stdout).toContain(id);
});

test('begins with the newest, leaves out none and doubles none over a restart, and ends with Ctrl-C', async () => {
  const before = await entries(2);
  const following = cli.startHere(['server', 'audit', '--follow', '--limit', '2', '--json']);
  await following.heard('Following the audit trail');
  const [{ id }] = (await cli.json<{ id: string }[]>(['worklist', 'list', '--status', 'new'])) as [{ id: string }];
  await cli.json(['worklist', 'set-status', id, 'in_progress']);
  await following.heard('worklists.setStatus');
  await server.end('SIGTERM');
  await following.heard('The connection is lost; trying again.');
  // On another port, and with another token of the operator.
  ({ server } = await cli.serveHere('--rate-limit', '0'));
  await following.heard('Connected again.');
  await cli.json(['client', 'create', '--name', 'RIS', '--space', 'house']);
  await following.heard('clients.create');
  const all = await entries();
  await following.heard(`"number":${all[0]!.number},`);
  const { code, stdout, stderr } = await following.end('SIGINT');
  expect(code).toBe(130);
  expect(stderr).not.toContain('Error');
  const printed = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEntry);
  expect(printed).toEqual(all.filter(({ number }) => number >= before[1]!.number).toReversed());
});

/** Every form of a login that fails, `times` each. */
async function guess(url: string, times: number): Promise<void> {
  const post = (path: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(new URL(path, url), { method: 'POST', body: new URLSearchParams(body), headers, redirect: 'manual' });
  const own = { origin: url, 'sec-fetch-site': 'same-origin' };
  for (let at = 0; at < times; at++) {
    const client = { grant_type: 'client_credentials', client_id: 'test_tc_local', client_secret: 'wrong' };
    expect((await post('/api/oauth/token', client)).status).toBe(401);
    await post('/portal/enter', { code: 'AAAAA-AAAAA' }, own);
    await post('/device', { user_code: 'BBBB-BBBB' }, own);
  }
}

test('every refused login is in the trail and in the log, in groups with counts', async () => {
  const log = join(cli.directory, 'refused.log');
  const { ready, server: other } = await cli.serveHere('--data-dir', 'guessed', '--log', log, '--log-addresses');
  await guess(ready.url, 4);
  const audit = (...words: string[]) =>
    cli.call(['server', 'audit', '--data-dir', 'guessed', ...words, '--since', '1h']);
  const listed = JSON.parse((await audit('--json')).stdout) as (AuditEntry & { client: string | null })[];
  for (const action of ['client_login', 'operator_login', 'device_login']) {
    const found = listed.filter((entry) => entry.action === action && entry.outcome === 'refused');
    expect(found, action).toHaveLength(2);
    expect(
      found.reduce((sum, { count = 1 }) => sum + count, 0),
      action,
    ).toBe(4);
    for (const { address, request_id } of found)
      expect([address, request_id]).toEqual(['127.0.0.1', expect.stringMatching(/^req_/)]);
  }
  expect(listed.find(({ action }) => action === 'client_login')).toMatchObject({
    client: expect.stringMatching(/test/i),
    client_id: 'test_tc_local',
  });
  expect((await audit('verify')).code).toBe(2);
  expect((await cli.call(['server', 'audit', 'verify', '--data-dir', 'guessed'])).stdout).toContain('Sound\tyes');

  const table = parse((await audit('--format', 'csv')).stdout, { columns: true }) as Record<string, string>[];
  expect(table.map(({ number, count }) => [number, count])).toEqual(
    listed.map(({ number, count = '' }) => [String(number), String(count)]),
  );
  const lines = (await audit('--format', 'syslog')).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(listed.length);
  for (const line of lines)
    expect(line).toMatch(
      /^<10[89]>1 \d{4}-\d\d-\d\dT[\d:.]+Z [!-~]+ laudio - [!-~]{1,32} \[audit@32473( [a-z_]+="[^"]*")+\] \S/,
    );
  const events = (await audit('--format', 'atna')).stdout.trimEnd().split('\n');
  expect(events).toHaveLength(listed.length);
  for (const event of events) expect(fhirFaults(JSON.parse(event) as { resourceType: string })).toEqual([]);

  expect((await other.end('SIGTERM')).code).toBe(0);
  const refused = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('"login_refused"'));
  expect(refused).toHaveLength(12);
  // The filter that the guide shows.
  const filter = pageOf('docs/guide-monitoring.md').blocks.find(({ marks }) => marks === 'file=fail2ban.conf')!.text;
  const pattern = /failregex = (.*)/.exec(filter)![1]!.replace('<SUBNET>', String.raw`([\da-f.:/]+)`);
  for (const line of refused) expect(new RegExp(pattern).exec(line)?.[1]).toBe('127.0.0.1');
  const routes = (await readFile(log, 'utf8')).matchAll(/"route":"([^"]+)"/g);
  expect(new Set(Array.from(routes, ([, route]) => route))).toEqual(
    new Set([
      '/api/oauth/token',
      '/portal/enter',
      '/device',
      '/api/v1/admin/audit',
      '/api/v1/admin/audit/verify',
      '/api/v1/admin/users',
      '/api/v1/admin/clients',
    ]),
  );
});

test('a person is found by name, and one that there is not is an error', async () => {
  await cli.json(['user', 'create', 'helena', '--secret-stdin'], { input: 'correct horse battery\n' });
  for (const nobody of ['nobody', 'usr_01JNBK4V9Q0000000000000000']) {
    const { code, stderr } = await cli.call(['server', 'audit', '--user', nobody]);
    expect([code, stderr], nobody).toEqual([3, expect.stringMatching(/There is no (such )?user/)]);
  }
  expect((await cli.call(['server', 'audit', '--client', 'lc_nobody'])).code).toBe(3);
  // Somebody who did nothing yet.
  expect(await cli.json(['server', 'audit', '--user', 'HELENA'])).toEqual([]);
});

test.each([
  [['--follow', '--since', '1h'], 'leave out --since and --until'],
  [['verify', '--follow'], 'combine it only with --head'],
  [['--format', 'csv', '--json'], 'choose one'],
  [['--format', 'xml'], 'csv, syslog or atna'],
])('%j is refused', async (words, says) => {
  const { code, stderr } = await cli.call(['server', 'audit', ...words]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
});
