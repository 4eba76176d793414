/** A pipeline that nobody logs in: `LAUDIO_CLIENT_ID` with a secret or a key, and `laudio token`. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../cli/run.ts';
import type { Client } from '../../src/contract/admin.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import type { Ready } from '../support/process.ts';

type Made = Client & { secret: string };

let cli: Cli;
let ready: Ready;
let ris: Made;
let keyed: Made;
let person: Made;
const at = (name: string) => join(cli.directory, name);

beforeAll(async () => {
  cli = await createCli();
  ({ ready } = await cli.serveHere('--rate-limit', '0'));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await writeFile(at('ris.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(at('ris.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  ris = await cli.json(['client', 'create', '--name', 'RIS', '--type', 'server']);
  keyed = await cli.json(['client', 'create', '--name', 'PACS', '--type', 'server', '--public-key', 'ris.pub']);
  person = await cli.json(['client', 'create', '--name', 'App']);
  await cli.json(['client', 'create', '--name', 'Twice', '--type', 'server', '--scope', 'jobs:read worklists:write']);
  cli.written.length = 0;
});
afterAll(() => cli.close());

// Neither secrets nor keys are ever told.
afterEach(() => {
  const all = cli.written.join('');
  for (const canary of [ris.secret, person.secret, 'PRIVATE KEY']) expect(all).not.toContain(canary);
});

const bySecret = (): NodeJS.ProcessEnv => ({ LAUDIO_CLIENT_ID: ris.id, LAUDIO_CLIENT_SECRET: ris.secret });
const byKey = (): NodeJS.ProcessEnv => ({ LAUDIO_CLIENT_ID: keyed.id, LAUDIO_CLIENT_KEY_FILE: at('ris.key') });

describe('every command works as the client of the environment', () => {
  it.each<[string, () => NodeJS.ProcessEnv, () => Made]>([
    ['its secret', bySecret, () => ris],
    ['its key', byKey, () => keyed],
  ])('by %s', async (_name, env, client) => {
    const item = {
      accession_number: `M-${client().id}`,
      patient_id: '1',
      patient_name: 'SILVA^ANA',
      modality: 'CT',
      exam_datetime: '2026-03-02T08:30:00Z',
      exam_description: 'TC',
    };
    const sent = await cli.call(['worklist', 'ingest', '-', '--json'], { env: env(), input: JSON.stringify(item) });
    expect(sent, sent.stderr).toMatchObject({ code: 0 });
    const listed = await cli.call(['worklist', 'list'], { env: env() });
    expect(listed.stdout).toContain(item.accession_number);
    expect(await cli.json(['whoami'], { env: env() })).toMatchObject({
      client_id: client().id,
      user: null,
      profile: null,
    });
    expect((await cli.call(['whoami'], { env: env() })).stdout).toContain(
      'nobody: the application acts on its own behalf',
    );
  });

  it('before a login, and after LAUDIO_TOKEN', async () => {
    await cli.json(['login']);
    expect(await cli.json(['whoami'], { env: bySecret() })).toMatchObject({ client_id: ris.id });
    const token = { LAUDIO_TOKEN: 'nobody', LAUDIO_SERVER: ready.url };
    expect((await cli.call(['whoami'], { env: { ...bySecret(), ...token } })).code).toBe(4);
    expect((await cli.call(['logout'])).code).toBe(0);
  });
});

describe('impossible combinations are refused, with what to do', () => {
  it.each<[string, () => NodeJS.ProcessEnv, number, string]>([
    ['an id alone', () => ({ LAUDIO_CLIENT_ID: ris.id }), 2, 'neither LAUDIO_CLIENT_SECRET nor LAUDIO_CLIENT_KEY_FILE'],
    ['a secret and a key', () => ({ ...byKey(), LAUDIO_CLIENT_SECRET: 'x' }), 2, 'are both set'],
    ['a wrong secret', () => ({ ...bySecret(), LAUDIO_CLIENT_SECRET: 'canary' }), 4, 'Check LAUDIO_CLIENT_ID'],
    [
      'a client for people',
      () => ({ LAUDIO_CLIENT_ID: person.id, LAUDIO_CLIENT_SECRET: person.secret }),
      4,
      '--type server',
    ],
    ['a key file that is not there', () => ({ ...byKey(), LAUDIO_CLIENT_KEY_FILE: at('none') }), 2, 'ENOENT'],
    ['a public key', () => ({ ...byKey(), LAUDIO_CLIENT_KEY_FILE: at('ris.pub') }), 2, 'holds no private key'],
    [
      'a server that is not there',
      () => ({ ...bySecret(), LAUDIO_SERVER: 'http://127.0.0.1:9', LAUDIO_RETRIES: '0' }),
      8,
      '',
    ],
  ])('%s', async (_name, env, code, words) => {
    const ended = await cli.call(['whoami'], { env: env() });
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(words);
    expect(ended.stderr).not.toContain('canary');
  });

  it('a project’s file does not say where the secret goes', async () => {
    await writeFile(at('laudio.config.json'), JSON.stringify({ server: 'http://127.0.0.1:9' }));
    // The local server it is, and not that of the file.
    expect(await cli.json(['whoami'], { env: bySecret() })).toMatchObject({ server: ready.url });
    await writeFile(at('laudio.config.json'), '{}');
  });

  it('a private key is not registered', async () => {
    const ended = await cli.call(['client', 'create', '--name', 'x', '--type', 'server', '--public-key', 'ris.key']);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('openssl pkey') });
  });
});

describe('laudio token', () => {
  it('gives a pipe the token alone, which the next command takes', async () => {
    const { code, stdout, stderr } = await cli.call(['token'], { env: bySecret() });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^[\w.-]+\n$/);
    const env = { LAUDIO_TOKEN: stdout.trim(), LAUDIO_SERVER: ready.url };
    expect(await cli.json(['whoami'], { env })).toMatchObject({ client_id: ris.id });
  });

  it.each([['token'], ['token', '--json'], ['token', '--jq', '.access_token']])(
    'refuses a terminal: laudio %s %s',
    async (...words) => {
      let [stdout, stderr] = ['', ''];
      const sink = (keep: (text: string) => void, isTTY: boolean) =>
        Object.assign(new Writable({ write: (chunk: Buffer, _, done) => (keep(String(chunk)), done()) }), {
          isTTY,
          columns: 80,
        });
      const terminal = {
        stdin: new PassThrough(),
        stdout: sink((text) => (stdout += text), true),
        stderr: sink((text) => (stderr += text), false),
        env: { ...cli.env, ...bySecret() },
      };
      expect(await run(words, terminal)).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toContain('--show');
      expect(await run([...words, '--show'], terminal)).toBe(0);
      expect(stdout).toMatch(/eyJ/);
    },
  );

  it('says with --json until when it is good, and may have fewer scopes', async () => {
    const told = await cli.json<Record<string, string>>(['token', '--scope', 'jobs:read'], { env: byKey() });
    expect(told).toMatchObject({ token_type: 'Bearer', scope: 'jobs:read', server: ready.url });
    const left = Date.parse(told['expires_at']!) - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(await cli.call(['token', '--scope', 'templates:write'], { env: byKey() })).toMatchObject({ code: 4 });
  });

  it('of a login is the one that the login holds', async () => {
    await cli.json(['login']);
    const told = await cli.json<Record<string, string>>(['token']);
    expect(Object.keys(told)).toEqual(['access_token', 'token_type', 'scope', 'expires_at', 'server']);
    expect(await cli.call(['token', '--scope', 'jobs:read'])).toMatchObject({ code: 2 });
    expect((await cli.call(['logout'])).code).toBe(0);
  });
});

describe('an operator', () => {
  it('changes secrets over with a time in which both work', async () => {
    const made = await cli.json<Made>(['client', 'create', '--name', 'R', '--type', 'server']);
    const rotated = await cli.json<Made>(['client', 'rotate-secret', made.id, '--keep-old', '24h']);
    for (const { secret } of [made, rotated]) {
      const env = { LAUDIO_CLIENT_ID: made.id, LAUDIO_CLIENT_SECRET: secret };
      expect((await cli.call(['whoami'], { env })).code).toBe(0);
    }
    expect(await cli.call(['client', 'rotate-secret', made.id, '--keep-old', 'soon'])).toMatchObject({ code: 2 });
    cli.written.length = 0;
  });

  it('sees, changes and removes a client', async () => {
    const made = await cli.json<Made>(['client', 'create', '--name', 'R', '--type', 'server']);
    expect(await cli.call(['client', 'update', made.id])).toMatchObject({ code: 2 });
    await cli.json(['client', 'update', made.id, '--scope', 'jobs:read', '--public-key', 'ris.pub']);
    expect(await cli.json(['client', 'show', made.id])).toMatchObject({ scopes: ['jobs:read'], kind: 'server' });
    const env = { ...byKey(), LAUDIO_CLIENT_ID: made.id };
    expect(await cli.json(['whoami'], { env })).toMatchObject({ scope: 'jobs:read' });
    expect(await cli.call(['client', 'delete', made.id])).toMatchObject({ code: 2 });
    await cli.json(['client', 'delete', made.id, '--yes']);
    expect((await cli.call(['whoami'], { env })).code).toBe(4);
    cli.written.length = 0;
  });
});
