/** `laudio serve --record` and `--replay` as a person has them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import type { Ready } from '../support/process.ts';

let cli: Cli;
let service: Ready;
beforeAll(async () => {
  cli = await createCli();
  ({ ready: service } = await cli.serve('--rate-limit', '0'));
});
afterAll(() => cli.close());

const secret = { env: { LAUDIO_CLIENT_SECRET: 'test_tcs_local' } };
const exam = (accession: string) => ({
  accession_number: accession,
  patient_id: '4711',
  patient_name: 'TESTE^PACIENTE',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00-03:00',
  exam_description: 'Chest',
});

async function flow(server: string, accession: string) {
  await cli.json(['login', '--server', server, '--client-id', 'test_tc_local'], secret);
  const sent = await cli.json<{ items: object[] }>(['worklist', 'ingest', '-'], {
    input: JSON.stringify(exam(accession)),
  });
  const [made] = await cli.json<{ id: string }[]>(['worklist', 'list', '--q', accession]);
  return [sent.items, made];
}

test('a flow is recorded and replayed by the same commands', async () => {
  const file = join(cli.directory, 'out.har');
  const { ready: recorder, server: recording } = await cli.serve('--record', file, '--upstream', service.url);
  const [, item] = await flow(recorder.url, 'SECRET-1');
  expect((await recording.end('SIGINT')).code).toBe(0);
  expect(await readFile(file, 'utf8')).not.toMatch(/SECRET-1|TESTE|Paciente/);
  const { ready: replay, server: replaying } = await cli.serve('--replay', file);
  expect(replay).toMatchObject({ event: 'ready', calls: 6 });
  expect((await flow(replay.url, 'SECRET-1'))[1]).toEqual(item);
  // With other values the same exam is there, under them.
  expect((await flow(replay.url, 'OTHER-2'))[1]).toMatchObject({ ...item, accession_number: 'OTHER-2' });
  const missing = await cli.call(['job', 'list', '--server', replay.url]);
  expect(missing.code).toBe(3);
  expect(missing.stderr).toContain('The recording has no such call.');
  expect((await replaying.end('SIGINT')).code).toBe(0);
});

test('what the inspector saved is replayed as answers of the contract', async () => {
  await cli.json(['login']);
  await cli.json(['worklist', 'ingest', '-'], { input: JSON.stringify(exam('HAR-1')) });
  await cli.json(['worklist', 'list']);
  const file = join(cli.directory, 'inspected.har');
  await cli.json(['server', 'requests', '--har', file]);
  const { ready, server } = await cli.serve('--replay', file);
  await cli.json(['login', '--server', ready.url, '--client-id', 'test_tc_local'], secret);
  const { items } = await cli.json<{ items: object[] }>(['worklist', 'ingest', '-'], {
    input: JSON.stringify(exam('HAR-2')),
  });
  expect(items).toMatchObject([{ status: 'inserted' }]);
  expect(await cli.json<object[]>(['worklist', 'list'])).toMatchObject([{ modality: 'CT' }, {}]);
  await server.end('SIGINT');
});

test.each([
  [['--record', 'x.har'], '--record needs --upstream URL'],
  [['--record', 'x.har', '--replay', 'x.har'], 'exclude each other'],
  [['--record', 'x.har', '--upstream', 'https://x.example', '--data-dir', '.'], '--data-dir does not go with --record'],
  [['--record', 'x.har', '--upstream', 'https://x.example', '--rate-limit', '0'], '--rate-limit does not go with'],
  [['--replay', 'x.har', '--upstream', 'https://x.example'], '--upstream does not go with --replay'],
  [['--replay', 'missing.har'], 'missing.har cannot be read (ENOENT)'],
  [['--upstream', 'https://x.example'], '--upstream goes with --record FILE'],
  [['--timing'], '--timing goes with --replay FILE'],
  [['--record', 'x.har', '--upstream', 'http://x.example'], 'is not encrypted'],
  [['--record', 'no/such/x.har', '--upstream', 'https://x.example'], 'cannot be written (ENOENT)'],
])('serve %j is refused', async (words, said) => {
  const { code, stderr, stdout } = await cli.call(['serve', '--port', '0', ...words]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(said);
});
