/** `laudio server …`: the operator's care of the data, from the words typed to the files and exit codes. */
import { once } from 'node:events';
import { mkdir, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { headerLength } from '../../server/storage/lowdb/frame.ts';
import { contract } from '../../src/contract/index.ts';
import { backupType } from '../../src/contract/maintenance.ts';
import { systemClock } from '../../src/node/clock.ts';
import { announceServer } from '../../src/node/running-server.ts';
import { createCli, samples } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import type { Ready } from '../support/process.ts';
import { noSmallDisk, smallDisk } from '../support/small-disk.ts';

const passphrase = 'three words or more';
const day = join(samples, 'worklist.json');

let cli: Cli;
let ready: Ready;
beforeAll(async () => {
  cli = await createCli();
  ({ ready } = await cli.serveHere('--rate-limit', '0'));
  await cli.json(['login']);
  await cli.json(['worklist', 'ingest', day]);
  await cli.json(['record', 'generate', '--audio', join(samples, 'dictation.wav')]);
});
afterAll(() => cli.close());

const path = (name: string): string => join(cli.directory, name);
const items = async (): Promise<number> => (await cli.json<unknown[]>(['worklist', 'list'])).length;
const failure = async (words: readonly string[], input = '') => {
  const { code, stderr } = await cli.call([...words, '--json'], { input });
  return {
    code,
    error: (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: { code: string; message: string } }).error,
  };
};

const adminToken = async (): Promise<string> =>
  (JSON.parse(await readFile(join(ready.data_dir, 'server.json'), 'utf8')) as { admin_token: string }).admin_token;

type Answering = (response: ServerResponse, body: Buffer) => void;

/** Finds in place of the server one that answers as it does, but for one path. */
async function announceStandIn(
  other: Cli,
  [path, instead]: readonly [path: string, instead: Answering],
): Promise<void> {
  const server = createServer(async ({ url, method, headers }, response) => {
    const answer = await fetch(ready.url + url, {
      method: method!,
      headers: { authorization: headers.authorization! },
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (url === path) return instead(response, body);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const dataDirectory = join(other.directory, 'data');
  await mkdir(dataDirectory, { recursive: true });
  await announceServer(
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      pid: process.pid,
      data_dir: dataDirectory,
      admin_token: await adminToken(),
      started_at: '2026-03-02T11:30:00.000Z',
    },
    { stateDirectory: join(other.directory, 'state'), clock: systemClock, onTrouble: () => expect.unreachable() },
  );
}

describe('backup', () => {
  it('is a file for its owner alone, and leaves nothing else', async () => {
    const before = await readdir(cli.directory);
    const { code, stdout, stderr } = await cli.call(['server', 'backup', 'own.tar']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^Saved as own\.tar: \d+ documents, 1 audio file\.\n$/);
    expect((await stat(path('own.tar'))).mode & 0o777).toBe(0o600);
    expect((await readdir(cli.directory)).toSorted()).toEqual([...before, 'own.tar'].toSorted());
  });

  it('goes to standard output, byte by byte', async () => {
    const { code, stdout, stderr } = await cli.call(['server', 'backup', '-']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('{"laudio":"backup"');
  });

  it('replaces an earlier one only when it is complete', async () => {
    await writeFile(path('earlier.tar'), 'the backup of yesterday');
    const { code } = await failure(['server', 'backup', 'earlier.tar', '--server', 'http://127.0.0.1:1']);
    expect(code).toBe(5);
    expect(await readFile(path('earlier.tar'), 'utf8')).toBe('the backup of yesterday');
  });

  it.each(['nowhere/all.tar', '.'])('where it cannot be written (%s): exit 2, and nothing is left', async (file) => {
    const before = await readdir(cli.directory);
    expect((await failure(['server', 'backup', file])).code).toBe(2);
    expect(await readdir(cli.directory)).toEqual(before);
  });

  it.skipIf(noSmallDisk() !== undefined)('to a disk that is full: exit 2, and nothing is left', async () => {
    const { directory } = await smallDisk(400 * 1024);
    const { code, error } = await failure(['server', 'backup', join(directory, 'all.tar')]);
    expect({ code, message: error.message }).toEqual({
      code: 2,
      message: expect.stringMatching(/too little room: .* are free/),
    });
    expect(await readdir(directory)).toEqual([]);
  });

  it('interrupted while it comes in leaves no half of a file', async () => {
    const other = await createCli();
    const firstHalf: Answering = (response, body) =>
      void response.writeHead(200, { 'content-type': backupType }).write(body.subarray(0, body.length / 2));
    await announceStandIn(other, [contract.maintenance.endpoints.backup.path, firstHalf]);
    const running = other.start(['server', 'backup', 'half.tar']);
    const saved = async () => (await readdir(other.directory)).filter((name) => name.includes('half.tar'));
    const bytes = async () =>
      (await Promise.all((await saved()).map((name) => stat(join(other.directory, name)))))[0]?.size;
    await expect.poll(bytes).toBeGreaterThan(0);
    expect(await saved()).not.toContain('half.tar');
    expect((await running.end('SIGTERM')).code).toBe(143);
    expect(await saved()).toEqual([]);
    await other.close();
  });

  it('goes on without a recording that is damaged, names it, and ends with 9', async () => {
    const other = await createCli();
    const { ready } = await other.serveHere('--rate-limit', '0');
    await other.json(['login']);
    await other.call(['record', 'generate', '--audio', join(samples, 'dictation.wav')]);
    const folder = join(ready.data_dir, 'audio');
    const [blob] = await readdir(folder);
    await truncate(join(folder, blob!), 100);
    const { code, stdout, stderr } = await other.call(['server', 'backup', 'all.tar', '--json']);
    expect({ code, told: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 9,
      told: { saved: 'all.tar', audio_files: 0, missing_audio: 0, damaged_audio: 1 },
    });
    expect(stderr).toContain(blob);
    const toStdout = await other.call(['server', 'backup', '-']);
    expect(toStdout.code).toBe(9);
    expect((await other.call(['server', 'check'])).code).toBe(9);
    const [{ id }] = await other.json<[{ id: string }]>(['record', 'list']);
    const audio = await other.call(['record', 'audio', id, '--output', 'out.wav']);
    expect(audio.code).toBe(8);
    expect(audio.stderr).toContain('damaged');
    expect(await readdir(other.directory)).not.toContain('out.wav');
    await other.close();
  });

  it('encrypted with a passphrase reveals nothing, and is restored only with it', async () => {
    const words = ['server', 'backup', 'sealed.tar', '--passphrase-stdin'];
    expect((await cli.call(words, { input: `${passphrase}\n` })).code).toBe(0);
    const sealed = await readFile(path('sealed.tar'), 'latin1');
    expect(sealed).not.toMatch(/TESTE|documents\.ndjson|RIFF/);
    const restore = ['server', 'restore', 'sealed.tar', '--yes'];
    expect(await failure([...restore, '--passphrase-stdin'], 'three other words\n')).toMatchObject({
      code: 2,
      error: { message: 'The passphrase is wrong.' },
    });
    expect((await failure(restore)).error.message).toMatch(/--passphrase-stdin or LAUDIO_BACKUP_PASSPHRASE is needed/);
    const { code } = await cli.call(restore, { env: { LAUDIO_BACKUP_PASSPHRASE: passphrase } });
    expect(code).toBe(0);
    await truncate(path('sealed.tar'), sealed.length - 100);
    expect(await failure([...restore, '--passphrase-stdin'], `${passphrase}\n`)).toMatchObject({ code: 6 });
    expect(await items()).toBe(23);
  });

  it('takes no passphrase that anybody guesses', async () => {
    const { code, error } = await failure(['server', 'backup', 'weak.tar', '--passphrase-stdin'], 'secret\n');
    expect({ code, message: error.message }).toEqual({ code: 2, message: expect.stringMatching(/at least 12/) });
    expect(await readdir(cli.directory)).not.toContain('weak.tar');
  });
});

describe('restore', () => {
  beforeAll(() => cli.json(['server', 'backup', 'all.tar']));

  it('asks first, and without a terminal names the flag', async () => {
    const { code, error } = await failure(['server', 'restore', 'all.tar']);
    expect({ code, message: error.message }).toEqual({ code: 2, message: '--yes is needed.' });
  });

  it('restores what a reset removed, the login included', async () => {
    expect(await cli.json(['server', 'reset', '--yes'])).toMatchObject({ documents: { items: 23, records: 1 } });
    expect(await items()).toBe(0);
    expect(await cli.json(['server', 'restore', 'all.tar', '--yes'])).toMatchObject({ audio_files: 1 });
    expect(await items()).toBe(23);
  });

  it('takes standard input', async () => {
    const input = await readFile(path('all.tar'));
    expect((await cli.call(['server', 'restore', '-', '--yes'], { input })).code).toBe(0);
  });

  it.each([
    ['a file that is none', () => join(samples, 'dictation.wav'), 6, /no backup of Laudio/],
    ['a file that is not there', () => 'nothing.tar', 2, /does not exist/],
    ['a directory', () => '.', 2, /is a directory/],
  ])('refuses %s', async (_what, file, exitCode, message) => {
    const { code, error } = await failure(['server', 'restore', file(), '--yes']);
    expect({ code, message: error.message }).toEqual({ code: exitCode, message: expect.stringMatching(message) });
    expect(await items()).toBe(23);
  });

  it('refuses one that was cut off', async () => {
    const whole = await readFile(path('all.tar'));
    await writeFile(path('cut.tar'), whole.subarray(0, whole.length / 2));
    expect(await failure(['server', 'restore', 'cut.tar', '--yes'])).toMatchObject({
      code: 6,
      error: { message: 'This backup is damaged: it is cut off or changed.' },
    });
    expect(await items()).toBe(23);
  });
});

describe('export and seed', () => {
  it('take the documents of one server to another', async () => {
    const { code, stdout } = await cli.call(['server', 'export']);
    expect(code).toBe(0);
    const other = await createCli();
    await other.serveHere('--rate-limit', '0');
    const seeded = await other.call(['server', 'seed', '-'], { input: stdout });
    expect(seeded).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Stored 23 items, /) });
    const again = await other.call(['server', 'export', '--collection', 'items']);
    expect(again.stdout.split('\n').slice(1)).toEqual(
      (await cli.call(['server', 'export', '--collection', 'items'])).stdout.split('\n').slice(1),
    );
    await other.close();
  });

  it('name the line that is not right', async () => {
    const { stdout } = await cli.call(['server', 'export', '--collection', 'items']);
    const lines = stdout.split('\n');
    lines[3] = lines[3]!.replace('"modality":"', '"modality":"Q');
    const { code, error } = await failure(['server', 'seed', '-'], lines.join('\n'));
    expect({ code, message: error.message }).toEqual({
      code: 6,
      message: expect.stringMatching(/^Line 4: items: modality/),
    });
  });
});

describe('status, check and repair', () => {
  it('name the running server and its directory', async () => {
    const { code, stdout } = await cli.call(['server', 'status']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Address\t${ready.url}\n`);
    expect(stdout).toContain(`Data\t${ready.data_dir}\n`);
    expect(stdout).not.toContain(await adminToken());
    expect((await cli.call(['server', 'check'])).code).toBe(0);
    expect((await failure(['server', 'repair', '--yes'])).code).toBe(2);
  });

  it('say at once that changes are refused, and why', async () => {
    const other = await createCli();
    let asked = 0;
    const full: Answering = (response) => {
      asked++;
      const error = { code: 'STORAGE_UNAVAILABLE', message: 'There is no room.', details: { hint: 'Make some.' } };
      response
        .writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
        .end(
          JSON.stringify({ success: false, error, meta: { request_id: 'req_1', timestamp: '2026-03-02T11:30:00Z' } }),
        );
    };
    await announceStandIn(other, [contract.system.endpoints.ready.path, full]);
    const { code, stdout, stderr } = await other.call(['server', 'status']);
    expect({ code, stderr, asked }).toEqual({ code: 0, stderr: 'There is no room. Make some.\n', asked: 1 });
    expect(stdout).toContain('Storage\trefuses changes\n');
    await other.close();
  });

  it('show the state found on the disk, like doctor', async () => {
    const other = await createCli();
    const faulty: Answering = (response, body) => {
      const answer = JSON.parse(body.toString()) as { data: object };
      const scrub = { completed_at: '2026-03-02T11:30:00.000Z', faults: 2 };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...answer, data: { ...answer.data, scrub } }));
    };
    await announceStandIn(other, [contract.system.endpoints.status.path, faulty]);
    expect((await other.call(['server', 'status'])).stdout).toMatch(/^Files read through\t.*: 2 faults on the disk/m);
    const { code, stdout } = await other.call(['doctor']);
    expect({ code, told: stdout.includes('2 faults on the disk of its data') }).toEqual({ code: 9, told: true });
    await other.close();
  });

  it('find damage and repair what can be repaired', async () => {
    const other = await createCli();
    const { server } = await other.serveHere('--rate-limit', '0');
    await other.json(['login']);
    await other.json(['worklist', 'ingest', day]);
    await server.end('SIGTERM');
    const data = join(other.directory, 'data');
    // The second copy of everything, which a process that is killed does not leave.
    for (const name of await readdir(data)) if (name.startsWith('snapshot-')) await rm(join(data, name));
    const journal = (await readdir(data)).findLast((name) => name.startsWith('journal-') && name.endsWith('.laudio'))!;
    const bytes = await readFile(join(data, journal));
    bytes.fill(0xff, headerLength + 300, headerLength + 320);
    await writeFile(join(data, journal), bytes);
    const check = await other.call(['server', 'check', '--json']);
    expect(check.code).toBe(9);
    expect(JSON.parse(check.stdout)).toMatchObject({ sound: false, problems: [{ file: journal, harmless: false }] });
    const refused = await other.call(['serve', '--port', '0', '--json']);
    expect(refused.code).toBe(9);
    expect(refused.stderr).toContain(`The file ${journal} in the data directory is damaged`);
    const repair = await other.call(['server', 'repair', '--yes', '--json']);
    expect(repair.code).toBe(9);
    const report = JSON.parse(repair.stdout) as { repaired: boolean; lost: unknown[]; quarantined: string[] };
    expect(report).toMatchObject({ repaired: true });
    expect(report.lost).not.toEqual([]);
    expect(report.quarantined).not.toEqual([]);
    expect((await other.call(['server', 'check'])).code).toBe(0);
    await other.serveHere('--rate-limit', '0');
    await other.close();
  });
});

describe('an encrypted server', () => {
  it('gives no backup without a passphrase', async () => {
    const other = await createCli({ LAUDIO_PASSPHRASE: 'the words of the directory' });
    await other.serveHere('--rate-limit', '0', '--encrypt');
    expect(await other.json(['server', 'status'])).toMatchObject({ encrypted: true });
    const { code, stderr } = await other.call(['server', 'backup', 'all.tar']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--passphrase-stdin or LAUDIO_BACKUP_PASSPHRASE is needed/);
    expect(await readdir(other.directory)).not.toContain('all.tar');
    const given = { env: { LAUDIO_BACKUP_PASSPHRASE: passphrase } };
    expect((await other.call(['server', 'backup', 'all.tar'], given)).code).toBe(0);
    expect(await readFile(join(other.directory, 'all.tar'), 'latin1')).not.toContain('documents.ndjson');
    expect((await other.call(['server', 'restore', 'all.tar', '--yes'], given)).code).toBe(0);
    await other.close();
  });
});

describe('retention', () => {
  it.each(['90', '90 d', '0d', '-1d', 'long'])('refuses %j', async (length) => {
    const { code, error } = await failure(['serve', '--port', '0', '--keep-completed', length, '--data-dir', 'kept']);
    expect({ code, message: error.message }).toEqual({
      code: 2,
      message: '--keep-completed must be a length of time such as 30min, 12h, 90d or 4w.',
    });
  });

  it('is a flag or a setting, and the status shows it', async () => {
    const other = await createCli({ LAUDIO_KEEP_AUDIO: '30d' });
    await other.serveHere('--keep-completed', '12w');
    const { stdout } = await other.call(['server', 'status']);
    expect(stdout).toMatch(/^Keep completed\t84 d$/m);
    expect(stdout).toMatch(/^Keep audio\t30 d$/m);
    expect(stdout).toMatch(/^Completed gone\tafter 91 d, the last 7 d in the trash$/m);
    expect(stdout).toMatch(/^Audio gone\tafter 37 d, /m);
    await other.close();
  });
});
