/** `laudio contract check` as a pipeline has it: exit codes, the JSON document, JUnit, and a token from standard input. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContractReport } from '../../server/index.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import type { Ready } from '../support/process.ts';
import { startStub } from '../support/recording.ts';

let cli: Cli;
let ready: Ready;
beforeAll(async () => {
  cli = await createCli();
  ({ ready } = await cli.serveHere('--rate-limit', '0'));
  await cli.json(['login']);
});
afterAll(() => cli.close());

test('the embedded server passes, read only and with --write', async () => {
  const report = await cli.json<ContractReport>(['contract', 'check']);
  expect(report).toMatchObject({ server: ready.url, test_mode: true, deviations: [], left: [] });
  const junit = join(cli.directory, 'contract.xml');
  const { code, stdout, stderr } = await cli.call(['contract', 'check', '--write', '--junit', junit]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/Left there: exam wli_\w+, cancelled\./);
  expect(await readFile(junit, 'utf8')).toMatch(/^<\?xml [^]*<testsuites tests="16" failures="0" skipped="0">/);
});

test('a service that deviates is 9, with each deviation; the token comes from standard input', async () => {
  const { access_token: token } = await cli.json<{ access_token: string }>(['token']);
  // A service in front of the server that forgets a field, and has another address than it says.
  const upstream = await startStub((request, response) => {
    void fetch(ready.url + request.url!, {
      method: request.method!,
      headers: { authorization: request.headers.authorization ?? '', accept: '*/*' },
      redirect: 'manual',
      ...(request.method === 'POST' && { body: '' }),
    }).then(async (answer) => {
      const text = (await answer.text()).replace('"test_mode":true,', '');
      const {
        'content-length': _length,
        connection: _connection,
        'transfer-encoding': _coding,
        ...headers
      } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, headers).end(text);
    });
  });
  const junit = join(cli.directory, 'deviations.xml');
  const words = ['contract', 'check', '--upstream', upstream, '--token-stdin', '--junit', junit];
  const { code, stdout, stderr } = await cli.call([...words, '--json'], { input: `${token}\n` });
  expect(code).toBe(9);
  expect(stderr).toContain('deviates from the contract in');
  const { deviations } = JSON.parse(stdout) as ContractReport;
  expect(deviations[0]).toEqual({
    endpoint: 'GET /api/oauth/validate',
    check: 'whose token it is',
    expected: 'as the contract describes',
    found: 'data.test_mode is required',
    section: '4.1, 5',
    request_id: expect.stringMatching(/^req_/),
  });
  expect(await readFile(junit, 'utf8')).toContain(
    '<failure message="GET /api/oauth/validate: data.test_mode is required">',
  );
  expect(stdout + stderr).not.toContain(token);
});

test.each([
  ['nobody listens', ['--upstream', 'http://127.0.0.1:9', '--token-stdin'], 8, 'nothing is listening'],
  [
    'there is no login there',
    ['--upstream', 'https://other.example'],
    4,
    'You are not logged in at https://other.example',
  ],
  ['the token is refused', ['--upstream', 'READY', '--token-stdin'], 4, 'The service rejects the token.'],
  ['it says no number', ['--slow', '0'], 2, '--slow takes'],
] as const)('where %s', async (_when, words, expected, said) => {
  const given = words.map((word) => (word === 'READY' ? ready.url : word));
  const { code, stderr } = await cli.call(['contract', 'check', ...given, '--retries', '0'], { input: 'none\n' });
  expect(stderr).toContain(said);
  expect(code).toBe(expected);
});
