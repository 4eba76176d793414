/** `laudio server audit --follow`: each entry once and in order, also beyond a restart of the server. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/contract/audit.ts';
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

test.each([
  [['--follow', '--since', '1h'], 'leave out --since and --until'],
  [['verify', '--follow'], 'combine it only with --head'],
])('%j is refused', async (words, says) => {
  const { code, stderr } = await cli.call(['server', 'audit', ...words]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
});
