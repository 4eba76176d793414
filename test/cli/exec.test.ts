/** `laudio exec`, and servers that end with their process: what the command finds, how it ends, and what is left. */
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Har } from '../../src/client/har.ts';
import { createCli, entry } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { withoutHeldLoops } from '../support/process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

const node = (script: string): string[] => ['--', process.execPath, '--input-type=module', '-e', script];
/** Runs laudio in a script, with its data as JSON. */
const ask = `
import { execFileSync } from 'node:child_process';
const ask = (...words) => JSON.parse(execFileSync(process.execPath, [${JSON.stringify(entry)}, ...words, '--json'], { encoding: 'utf8' }));
`;
const exam = (accession: string): string =>
  `{"accession_number":"${accession}","patient_id":"1","patient_name":"TESTE^PACIENTE","modality":"CT","exam_datetime":"2026-03-02T08:30:00Z","exam_description":"TC"}`;

describe('the command', () => {
  it('finds a server, a login and the operator in its environment, and nothing of it is left', async () => {
    const temporary = await temporaryDirectory();
    const { code, stdout, stderr } = await cli.run(
      [
        'exec',
        '--clock',
        'fixed:2026-03-02T09:00:00Z',
        ...node(`${ask}
          const { LAUDIO_SERVER: server, LAUDIO_TOKEN: token, LAUDIO_CLIENT_ID: id, LAUDIO_CLIENT_SECRET: secret } = process.env;
          const status = ask('server', 'status');
          const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
          const login = await fetch(server + '/api/oauth/token', { method: 'POST', body });
          console.log(JSON.stringify({ user: ask('whoami').user.username, login: login.status, status, token }));`),
      ],
      { env: { TMPDIR: temporary, LAUDIO_PROFILE: 'mine', LAUDIO_CLIENT_KEY_FILE: '/none' } },
    );
    expect([code, stderr]).toEqual([0, '']);
    const seen = JSON.parse(stdout) as { status: Record<string, unknown>; token: string };
    expect(seen).toMatchObject({
      user: 'test-physician',
      login: 200,
      status: { store: 'memory', started_at: '2026-03-02T09:00:00.000Z' },
    });
    expect(dirname(String(seen.status['data_dir']))).toBe(temporary);
    expect(await readdir(temporary)).toEqual([]);
    // Neither the user's directories nor what is printed know of it.
    expect((await readdir(cli.directory)).filter((name) => name !== '.cache')).toEqual([]);
    expect(stderr).not.toContain(seen.token);
  });

  it('is what doctor judges in it', async () => {
    const { code, stdout } = await cli.run([
      'exec',
      ...node(`${ask} console.log(JSON.stringify([process.env.LAUDIO_SERVER, ask('doctor')]))`),
    ]);
    const [server, found] = JSON.parse(stdout) as [string, unknown];
    expect(code).toBe(0);
    expect(JSON.stringify(found)).toContain(`"Server here"`);
    expect(JSON.stringify(found)).toMatch(new RegExp(`Server here[^}]*${server}`));
  });

  it('has its own options after its first word, with and without --', async () => {
    await writeFile(join(cli.directory, 'words.mjs'), 'console.log(JSON.stringify(process.argv.slice(2)))');
    const words = [process.execPath, join(cli.directory, 'words.mjs'), '--port', '1', '--json', '-x', '--', 'y'];
    for (const before of [[], ['--']]) {
      const { code, stdout } = await cli.run(['exec', '--rate-limit', '9', ...before, ...words]);
      expect({ code, words: JSON.parse(stdout) as unknown }).toEqual({ code: 0, words: words.slice(2) });
    }
  });

  it.each<[string, string[], number, string]>([
    ['its own exit code', node('process.exit(7)'), 7, ''],
    ['its own, where it emptied the server', node(`${ask} ask('server', 'reset', '--yes'); process.exit(3)`), 3, ''],
    ['the signal that ended it', node("process.kill(process.pid, 'SIGKILL')"), 137, ''],
    ['127 where it is missing', ['--', 'no-such-program'], 127, 'no-such-program: there is no such program'],
    ['126 where it cannot be run', ['--', '.'], 126, 'cannot be run'],
    ['2 where it is not named', [], 2, 'COMMAND'],
  ])('ends with %s', async (_name, words, code, said) => {
    const ended = await cli.call(['exec', ...words]);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('decides about %s', async (signal) => {
    const running = cli.start([
      'exec',
      ...node(
        `process.on('${signal}', () => process.exit(42)); console.log('listening'); setInterval(() => {}, 1000);`,
      ),
    ]);
    await running.heard('listening');
    expect(await running.end(signal)).toMatchObject({ code: 42 });
  });

  it('keeps the log of the server out of its standard error', async () => {
    const log = join(cli.directory, 'server.log');
    const words = ['server', 'fault', 'add', 'x', '--status', '503', '--all-clients', '--yes'];
    const script = `
      import { spawnSync } from 'node:child_process';
      console.error(spawnSync(process.execPath, [${JSON.stringify(entry)}, ...${JSON.stringify(words)}]).status);`;
    const ended = await cli.run(['exec', '--log', log, ...node(script)]);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '0\n' });
    expect(await readFile(log, 'utf8')).toContain('"event":"faults_added"');
  });

  it('has its standard streams', async () => {
    const ended = await cli.run(['exec', ...node('process.stdin.pipe(process.stdout); console.error("said")')], {
      input: 'given',
    });
    expect(ended).toEqual({ code: 0, stdout: 'given', stderr: 'said\n' });
  });
});

describe('a report', () => {
  const asks = node(`${ask}
    const api = (path, headers) =>
      fetch(process.env.LAUDIO_SERVER + path, { headers: { authorization: 'Bearer ' + process.env.LAUDIO_TOKEN, ...headers } });
    for (const status of [200, 503, 200, 404])
      await api(status === 404 ? '/api/v1/jobs/job_00000000000000000000000000' : '/api/v1/jobs', status === 503 ? { 'X-Laudio-Simulate': 'status=503' } : {});
    for (const number of Array(30).keys()) await api('/api/v1/templates?limit=' + (number + 1));
    process.exit(3);`);

  it('has every call and the end of the command, and nothing of what exec itself asked', async () => {
    const [har, xml] = [join(cli.directory, 'run.har'), join(cli.directory, 'run.xml')];
    const ended = await cli.run(['exec', '--report', har, '--report', xml, ...asks]);
    expect(ended).toEqual({ code: 3, stdout: '', stderr: '' });
    const { log } = JSON.parse(await readFile(har, 'utf8')) as Har;
    expect(log.entries).toHaveLength(34);
    expect(log.entries.map(({ response }) => response.status).slice(0, 4)).toEqual([200, 503, 200, 404]);
    expect(log.entries[1]).toMatchObject({
      _fault: 'X-Laudio-Simulate',
      response: { content: { text: expect.any(String) } },
    });
    const suite = await readFile(xml, 'utf8');
    expect(suite).toContain('<testsuites tests="4" failures="1" skipped="0">');
    expect(suite).toContain('<failure message="node ended with 3">');
    expect(suite).toMatch(/name="GET \/api\/v1\/jobs \(3 calls\)" time="[\d.]+"><\/testcase>/);
    expect(suite).toContain('name="GET /api/v1/jobs/{id} (1 call)"');
  });

  it.each(['run.txt', join('none', 'run.har')])('at %s is refused before the command runs', async (file) => {
    const ended = await cli.call(['exec', '--report', join(cli.directory, file), ...node("console.log('ran')")]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('jobs at once on one server', () => {
  it('see nothing of each other, and leave nothing', async () => {
    const { code, stdout, stderr } = await cli.run([
      'exec',
      ...node(`${ask}
        import { spawn } from 'node:child_process';
        import { text } from 'node:stream/consumers';
        const job = (name) => {
          const script = \`
            import { execFileSync } from 'node:child_process';
            const laudio = (input, ...words) => JSON.parse(execFileSync(process.execPath, [${JSON.stringify(entry)}, ...words, '--json'], { input, encoding: 'utf8' }));
            laudio('${exam('NAME')}'.replace('NAME', '\${name}'), 'worklist', 'ingest', '-');
            console.log(JSON.stringify(laudio('', 'worklist', 'list').map((item) => item.accession_number)));\`;
          const child = spawn(process.execPath, [${JSON.stringify(entry)}, 'exec', '--isolated', '--', process.execPath, '--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
          return text(child.stdout);
        };
        const seen = await Promise.all([job('ONE'), job('TWO')]);
        console.log(JSON.stringify({ seen: seen.map((text) => JSON.parse(text)), stored: ask('server', 'status').stored }));`),
    ]);
    expect([code, withoutHeldLoops(stderr)]).toEqual([0, '']);
    const { seen, stored } = JSON.parse(stdout) as { seen: string[][]; stored: Record<string, number> };
    expect(seen).toEqual([['ONE'], ['TWO']]);
    // The built-in test client, and that of the outer command.
    expect(stored).toMatchObject({ items: 0, clients: 2, users: 1 });
  });

  it('have separate faults', async () => {
    const { server } = await cli.serveHere('--rate-limit', '0');
    const ready = await cli.json<{ url: string; data_dir: string }>(['server', 'status']);
    const run = (...words: string[]) =>
      cli.run([
        'exec',
        ...words,
        ...node(`
          const call = () => fetch(process.env.LAUDIO_SERVER + '/api/v1/jobs', { headers: { authorization: 'Bearer ' + process.env.LAUDIO_TOKEN } });
          console.log(JSON.stringify([(await call()).status, (await call()).status]));`),
      ]);
    const faults = ['--isolated', '--faults', 'rules.json'];
    await writeFile(
      join(cli.directory, 'rules.json'),
      JSON.stringify([{ name: 'late', every: 2, token: 'expired' }, { profile: 'job-fails' }]),
    );
    const [struck, again, spared] = await Promise.all([run(...faults), run(...faults), run('--server', ready.url)]);
    for (const ended of [struck, again, spared]) expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect([struck.stdout, again.stdout, spared.stdout]).toEqual(['[200,401]\n', '[200,401]\n', '[200,200]\n']);
    expect(await cli.json(['server', 'fault', 'list'])).toEqual([]);
    await server.end('SIGTERM');
  });

  it('that were killed leave nothing once another begins', async () => {
    const { server } = await cli.serveHere('--rate-limit', '0');
    const script = `
      const body = JSON.stringify(${exam('LEFT')});
      const headers = { authorization: 'Bearer ' + process.env.LAUDIO_TOKEN, 'content-type': 'application/json' };
      await fetch(process.env.LAUDIO_SERVER + '/api/v1/worklists/ingest', { method: 'POST', headers, body });
      console.log(process.pid);
      setInterval(() => {}, 1000);`;
    await writeFile(join(cli.directory, 'rules.json'), JSON.stringify([{ name: 'late', job: 'stuck' }]));
    const start = () => cli.start(['exec', '--isolated', '--faults', 'rules.json', ...node(script)]);
    const [killed, other] = [start(), start()];
    const [orphan] = await Promise.all([killed.firstLine(), other.firstLine()]);
    killed.signal('SIGKILL');
    process.kill(Number(orphan), 'SIGKILL');
    await killed.ended;
    const left = async () => ({
      faults: (await cli.json<unknown[]>(['server', 'fault', 'list'])).length,
      stored: (await cli.json<{ stored: Record<string, number> }>(['server', 'status'])).stored,
    });
    expect(await left()).toMatchObject({ faults: 2, stored: { clients: 3, items: 2 } });
    expect(await cli.run(['exec', '--isolated', ...node('')])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await left()).toMatchObject({ faults: 1, stored: { clients: 2, items: 1 } });
    await other.end('SIGTERM');
    expect(await left()).toMatchObject({ faults: 0, stored: { clients: 1, items: 0, users: 1 } });
    await server.end('SIGTERM');
  });

  it('do not decide how the server is', async () => {
    const ended = await cli.call(['exec', '--isolated', '--rate-limit', '3', ...node('')]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--rate-limit is for a server that exec') });
  });

  it('need a server', async () => {
    const ended = await cli.run(['exec', '--isolated', ...node('')]);
    expect(ended).toMatchObject({ code: 8, stderr: expect.stringContaining('laudio serve') });
  });
});

describe('serve --ephemeral', () => {
  it('runs alongside others, invisible to commands that do not ask for it, and removes its directory', async () => {
    const servers = await Promise.all([cli.serve('--ephemeral'), cli.serve('--ephemeral')]);
    const [one, two] = servers.map(({ ready }) => ready);
    expect(one!.url).not.toBe(two!.url);
    expect(one).toMatchObject({ not_kept: ['documents', 'audio'] });
    expect((await cli.call(['server', 'status'])).code).toBe(8);
    expect(await cli.json(['server', 'status', '--data-dir', one!.data_dir])).toMatchObject({ url: one!.url });
    expect(await servers[0]!.server.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(existsSync(one!.data_dir)).toBe(false);
    // One that was killed leaves its directory to the next.
    await servers[1]!.server.end('SIGKILL');
    await cli.serve('--ephemeral');
    expect(existsSync(two!.data_dir)).toBe(false);
  });

  it.each([['--data-dir', 'here'], ['--store', 'lowdb'], ['--encrypt']])(
    'keeps nothing, not with %s either',
    async (...words) => {
      const ended = await cli.call(['serve', '--ephemeral', ...words]);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(words[0]!) });
    },
  );
});
