/** `laudio serve --record` and `--replay` as a person has them. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import type { Ready } from '../support/process.ts';
import { startTlsProxy, trustingEnvironment } from '../support/tls-proxy.ts';

let cli: Cli;
let service: Ready;
beforeAll(async () => {
  cli = await createCli();
  ({ ready: service } = await cli.serveHere('--rate-limit', '0'));
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
  const { ready: recorder, server: recording } = await cli.serveHere('--record', file, '--upstream', service.url);
  const [, item] = await flow(recorder.url, 'SECRET-1');
  expect((await recording.end('SIGINT')).code).toBe(0);
  expect(await readFile(file, 'utf8')).not.toMatch(/SECRET-1|TESTE|Paciente/);
  const { ready: replay, server: replaying } = await cli.serveHere('--replay', file);
  expect(replay).toMatchObject({ event: 'ready', calls: 6 });
  expect((await flow(replay.url, 'SECRET-1'))[1]).toEqual(item);
  // With other values the same exam is there, under them.
  expect((await flow(replay.url, 'OTHER-2'))[1]).toMatchObject({ ...item, accession_number: 'OTHER-2' });
  const missing = await cli.call(['job', 'list', '--server', replay.url]);
  expect(missing.code).toBe(3);
  expect(missing.stderr).toContain('The recording has no such call.');
  expect((await replaying.end('SIGINT')).code).toBe(0);
});

test('a busy port neither leaves an empty archive nor replaces the last one', async () => {
  const taken = new URL(service.url).port;
  const record = (file: string, ...words: string[]) =>
    cli.call(['serve', '--port', taken, '--record', file, '--upstream', service.url, ...words]);
  expect(await record('none.har')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Port ${taken} is in use`) as string,
  });
  expect(existsSync(join(cli.directory, 'none.har'))).toBe(false);
  await writeFile(join(cli.directory, 'kept.har'), 'of yesterday');
  expect((await record('kept.har', '--force')).code).toBe(2);
  expect(await readFile(join(cli.directory, 'kept.har'), 'utf8')).toBe('of yesterday');
});

/** Logs in on the pages of a service, and gives the address at which the browser ends. No cookie that needs TLS is kept. */
async function visit(start: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(start);
  const go = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', ...init, headers: { ...init.headers, cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (!/;\s*secure/i.test(set) && !name.startsWith('__')) cookies.set(name, value);
    }
    return answer;
  };
  let answer = await go(start);
  for (let at = start; ;) {
    const location = answer.headers.get('location');
    if (location === null) {
      const page = await answer.text();
      const hidden = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name!,
        value!,
      ]);
      const own = { username: 'test-physician', password: 'test-physician', decision: 'approve' };
      const action = /<form[^>]*action="([^"]+)"/.exec(page)![1]!;
      answer = await go(new URL(action, at).href, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        body: new URLSearchParams([...hidden, ...Object.entries(own)]).toString(),
      });
      continue;
    }
    at = new URL(location, at).href;
    if (!at.startsWith(origin)) return new URL(at);
    answer = await go(at);
  }
}

test('a service with TLS is logged in to on its own pages, through the recorder', async () => {
  const proxy = await startTlsProxy();
  const secure = await createCli();
  onTestFinished(() => secure.close());
  const { ready: behind } = await secure.serveHere(
    '--public-url',
    proxy.url,
    '--trust-proxy',
    '127.0.0.1',
    '--test-client',
    '--rate-limit',
    '0',
  );
  proxy.forwardTo(behind.url);
  const file = join(secure.directory, 'tls.har');
  const recording = cli.start(['serve', '--port', '0', '--json', '--record', file, '--upstream', proxy.url], {
    env: trustingEnvironment,
  });
  const { url } = JSON.parse(await recording.firstLine()) as Ready;
  const metadata = (await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()) as {
    issuer: string;
    token_endpoint: string;
  };
  expect(metadata).toMatchObject({ issuer: url, token_endpoint: `${url}/api/oauth/token` });
  const asked = {
    response_type: 'code',
    client_id: 'test_tc_local',
    redirect_uri: 'http://127.0.0.1/callback',
    scope: 'jobs:read',
    state: 'canary-state',
    test_mode: 'manual',
  };
  const end = await visit(`${url}/api/oauth/authorize?${new URLSearchParams(asked).toString()}`);
  expect(Object.fromEntries(end.searchParams)).toEqual({ code: expect.any(String), state: 'canary-state', iss: url });
  const tokens = await fetch(metadata.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: end.searchParams.get('code')!,
      redirect_uri: asked.redirect_uri,
      client_id: 'test_tc_local',
      client_secret: 'test_tcs_local',
    }),
  });
  const { access_token: token } = (await tokens.json()) as { access_token: string };
  expect((await fetch(`${url}/api/v1/jobs`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  await recording.end('SIGINT');
  const text = await readFile(file, 'utf8');
  for (const secret of [token, end.searchParams.get('code')!, 'test_tcs_local', 'canary-state'])
    expect(text).not.toContain(secret);
  expect(text.split('\n').filter((line) => line.includes('startedDateTime'))).toHaveLength(4);
});

test('answers that the inspector saved are replayed as the contract describes them', async () => {
  await cli.json(['login']);
  await cli.json(['worklist', 'ingest', '-'], { input: JSON.stringify(exam('HAR-1')) });
  await cli.json(['worklist', 'list']);
  const file = join(cli.directory, 'inspected.har');
  await cli.json(['server', 'requests', '--har', file]);
  const { ready, server } = await cli.serveHere('--replay', file);
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
  [['--upstream', 'https://x.example'], '--upstream needs --record FILE'],
  [['--timing'], '--timing needs --replay FILE'],
  [['--record', 'x.har', '--upstream', 'http://x.example'], 'is not encrypted'],
  [['--record', 'no/such/x.har', '--upstream', 'https://x.example'], 'cannot be written (ENOENT)'],
])('serve %j is refused', async (words, said) => {
  const { code, stderr, stdout } = await cli.call(['serve', '--port', '0', ...words]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(said);
});
