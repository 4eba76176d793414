/** That the doctor calls nothing well that isn't: each condition, its exit code, and what it says. */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkClock } from '../../cli/serving/doctor/connection.ts';
import { systemClock } from '../../src/node/clock.ts';
import { authority as createAuthority } from '../support/certificates.ts';
import { createCli } from '../support/cli.ts';
import type { CallOptions, Cli } from '../support/cli.ts';
import { startHttpServer } from '../support/http-server.ts';
import type { Reply } from '../support/http-server.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

interface Row {
  readonly check: string;
  readonly state: string;
  readonly message: string;
  readonly exit_code: number;
}

async function examined(options: CallOptions = {}, ...words: string[]) {
  const { code, stdout } = await cli.call(['doctor', '--json', ...words], options);
  const rows = JSON.parse(stdout) as Row[];
  const find = (check: string): Row | undefined => rows.find((row) => row.check === check);
  return { code, rows, find };
}

describe('doctor', () => {
  it('says that a server hangs, and goes on', async () => {
    const directory = join(cli.directory, 'hangs');
    const { server } = await cli.serve('--data-dir', directory);
    server.signal('SIGSTOP');
    const { code, rows } = await examined({}, '--timeout', '1', '--data-dir', directory);
    server.signal('SIGCONT');
    await server.end('SIGTERM');
    expect(code).toBe(8);
    expect(rows).toContainEqual(
      expect.objectContaining({
        check: 'Server here',
        state: 'bad',
        exit_code: 8,
        message: expect.stringContaining('does not answer within 1 s'),
      }),
    );
  });

  it('says that the directory of a server has gone, and forgets neither', async () => {
    const directory = join(cli.directory, 'moved');
    const { server, ready } = await cli.serveHere('--data-dir', directory);
    await rename(directory, `${directory}-away`);
    const { code, rows } = await examined();
    expect(code).toBe(8);
    const message = `${ready.url} runs without its data directory: ${directory} is gone`;
    expect(rows).toContainEqual(expect.objectContaining({ check: 'Server here', state: 'bad', message }));
    const status = await cli.call(['server', 'status', '--data-dir', directory, '--retries', '0']);
    expect(status).toMatchObject({ code: 8, stderr: expect.stringContaining('laudio server export --all') });
    const saved = await cli.call(['server', 'export', 'rescued.ndjson', '--all', '--data-dir', directory]);
    expect(saved).toMatchObject({ code: 0 });
    await rename(`${directory}-away`, directory);
    expect((await examined()).find('Server here')).toMatchObject({ state: 'ok' });
    await server.end('SIGTERM');
  });

  it('checks the stored data: damage, a lost key, a missing passphrase', async () => {
    const directory = join(cli.directory, 'stored');
    const LAUDIO_PASSPHRASE = 'a long passphrase of tests';
    const server = cli.start(['serve', '--port', '0', '--json', '--encrypt', '--data-dir', directory], {
      env: { LAUDIO_PASSPHRASE },
    });
    await server.firstLine();
    await server.end('SIGTERM');
    const look = async (env: NodeJS.ProcessEnv = { LAUDIO_PASSPHRASE }) => {
      const { code, find } = await examined({ env }, '--data-dir', directory);
      return { code, ...find('Data')! };
    };
    expect(await look()).toMatchObject({ code: 0, state: 'ok', message: expect.stringContaining('all readable') });
    expect(await look({})).toMatchObject({ code: 0, state: 'note' });
    expect(await look({ LAUDIO_PASSPHRASE: 'another passphrase' })).toMatchObject({ code: 2, state: 'bad' });
    await rename(join(directory, 'encryption.json'), join(directory, 'away'));
    expect(await look()).toMatchObject({ code: 9, state: 'bad', hint: expect.stringContaining('encryption.json') });
    await rename(join(directory, 'away'), join(directory, 'encryption.json'));
    for (const name of (await readdir(directory)).filter((each) => each.endsWith('.laudio'))) {
      const bytes = await readFile(join(directory, name));
      await writeFile(join(directory, name), bytes.fill(0xff, 8192 + 20, 8192 + 60));
    }
    expect(await look()).toMatchObject({ code: 9, state: 'bad', exit_code: 9 });
  });

  it('judges the directory of --data-dir alone', async () => {
    const { server } = await cli.serveHere('--data-dir', join(cli.directory, 'one'));
    const { code, rows } = await examined({}, '--data-dir', join(cli.directory, 'none'));
    expect(code).toBe(3);
    expect(rows.find(({ check, state }) => check === 'Directories' && state === 'bad')).toMatchObject({ exit_code: 3 });
    expect(rows.find(({ check }) => check === 'Server here')!.message).toMatch(/^none runs on .+none$/);
    expect(rows.find(({ check }) => check === 'Connection')!.message).toBe('there is no server to call');
    await server.end('SIGTERM');
  });

  const json = (body: object, headers = {}): Reply => ({ body, headers });
  it.each<[string, Reply, string, string, RegExp]>([
    ['a proxy without a server', { status: 502, body: '<html>' }, 'Connection', 'bad', /answers with 502, and not as/],
    ['another program', { body: 'Welcome' }, 'Connection', 'bad', /answers, and not as Laudio/],
    [
      'a server that refuses changes',
      { status: 503, body: { error: { code: 'STORAGE_UNAVAILABLE', message: 'The disk is full.' } } },
      'Connection',
      'bad',
      /takes no changes: The disk is full/,
    ],
    ['an older server', json({ status: 'ok', version: '0.0.1' }), 'Connection', 'note', /it is version 0\.0\.1, and/],
    [
      'a clock that is behind',
      json({ status: 'ok', version: '0.1.0' }, { date: 'Mon, 02 Mar 2026 11:30:00 GMT' }),
      'Clock',
      'note',
      /s (behind|ahead); here it is .+ time zone UTC/,
    ],
  ])('recognises %s', async (_what, reply, check, state, message) => {
    const server = await startHttpServer(() => reply);
    const { rows } = await examined({ env: { LAUDIO_SERVER: server.url, LAUDIO_RETRIES: '0' } });
    await server.close();
    expect(rows.find((row) => row.check === check)).toMatchObject({ state, message: expect.stringMatching(message) });
  });

  it('compares the clock with that of the database of a server here', async () => {
    const look = {
      context: { clock: systemClock },
      reached: async () => undefined,
      servers: async () => [{ announced: { server: { url: 'http://here' } }, status: { clock_lead_s: -120 } }],
    };
    expect(await checkClock(look as never)).toMatchObject([
      { state: 'note', message: expect.stringMatching(/^120 s behind the database of http:\/\/here; here it is/) },
    ]);
  });

  it('counts the days of the certificate of its server', async () => {
    const authority = await createAuthority();
    const { certificate: _, cert, pem } = await authority.sign({ until: 10.5 });
    const server = createServer({ cert, key: pem }, (_request, response) =>
      response.end('{"status":"ok","version":"0.1.0"}'),
    );
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { rows } = await examined({ env: { LAUDIO_SERVER: url, NODE_EXTRA_CA_CERTS: authority.certificate } });
    server.close();
    expect(rows.find(({ check }) => check === 'Certificates')).toMatchObject({
      state: 'note',
      message: expect.stringMatching(/ends in 10 days/),
    });
  });

  it('names the file in which tokens are stored by choice', async () => {
    await cli.serveHere();
    await cli.json(['login', '--allow-insecure-storage']);
    const { rows } = await examined();
    expect(rows.find(({ check }) => check === 'Tokens')).toMatchObject({
      state: 'note',
      message: expect.stringMatching(/^unencrypted, in the file .+default\.json$/),
    });
  });

  it('writes whole sentences', async () => {
    const { stdout } = await cli.call(['doctor'], { env: { LAUDIO_SERVER: 'http://127.0.0.1:9' } });
    expect(stdout).not.toMatch(/\.\./);
  });
});
