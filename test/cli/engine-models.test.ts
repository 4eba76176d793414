/** Speech models on the command line: had, listed, tried, set, measured and removed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startArchiveServer } from '../support/archive-server.ts';
import { createCli, entry } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { packToneModel } from '../support/model-archive.ts';
import type { PackedModel } from '../support/model-archive.ts';
import { organs, tones, wavOf } from '../support/sound.ts';
import { installToneModel } from '../support/tone-model.ts';

let cli: Cli;
let tone: PackedModel;
let stick: string;
beforeAll(async () => {
  cli = await createCli();
  tone = await packToneModel();
  stick = await installToneModel(join(cli.directory, 'stick'));
  await cli.json(['engine', 'pull', 'tone', '--from', stick, '--yes']);
});
afterAll(() => cli.close());

interface Listed {
  in_use: { recogniser: string; because: string; writer: string };
  recognisers: { use: string; used: boolean }[];
  models: { id: string; state: string; used: boolean; licence: string; archive_bytes: number | null }[];
}

test('engine list shows installed, available and used models', async () => {
  const { in_use: inUse, recognisers, models } = await cli.json<Listed>(['engine', 'list']);
  expect(inUse).toEqual({ recogniser: 'local:tone', because: 'installed', writer: 'rules' });
  expect(recognisers).toContainEqual(expect.objectContaining({ use: 'none', used: false }));
  expect(models).toContainEqual(
    expect.objectContaining({ id: 'tone', state: 'installed', used: true, licence: 'MIT' }),
  );
  expect(models).toContainEqual(
    expect.objectContaining({ id: 'nemotron-3.5-streaming-1120', state: 'available', archive_bytes: 475_276_334 }),
  );
  const set = await cli.json<Listed>(['engine', 'list'], { env: { LAUDIO_RECOGNISER: 'none' } });
  expect(set.in_use).toMatchObject({ recogniser: 'none', because: 'set' });
  expect(set.models).toContainEqual(expect.objectContaining({ id: 'tone', used: false }));
  const { stdout } = await cli.call(['engine', 'list']);
  expect(stdout).toMatch(
    /^local:tone\trecogniser\tused\t4 kB\tat pauses\tpt-BR en-US es-ES\tMIT\tin use: it is installed/m,
  );
});

test('engine pull asks first, resumes a killed download, and installs verified files', async () => {
  const other = await createCli();
  onTestFinished(() => other.close());
  const server = await startArchiveServer(tone.bytes);
  onTestFinished(() => server.close());
  const words = ['engine', 'pull', 'tone', '--from', `${server.url}/tone.tar.bz2`, '--sha256', tone.sha256];
  const unasked = await other.call(words);
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as unknown });
  expect(server.asked).toEqual([]);
  const half = Promise.withResolvers<void>();
  server.next.push((answer, body) => {
    answer
      .writeHead(200, { 'content-length': body.length, etag: '"1"' })
      .write(body.subarray(0, 2000), () => half.resolve());
  });
  const killed = other.start([...words, '--yes']);
  await half.promise;
  const part = join(other.directory, 'data', 'models', '.pulls', 'tone.part');
  await expect
    .poll(
      () =>
        readFile(part).then(
          ({ length }) => length,
          () => 0,
        ),
      { interval: 5 },
    )
    .toBe(2000);
  await killed.end('SIGKILL');
  expect((await other.json<Listed>(['engine', 'list'])).models.map(({ id }) => id)).not.toContain('tone');
  server.etag = '"1"';
  expect(await other.json(['engine', 'pull', ...words.slice(2), '--yes'])).toMatchObject({
    installed: true,
    licence: 'MIT',
  });
  expect(server.asked.at(-1)!.headers.range).toBe('bytes=2000-');
  const again = await other.call([...words, '--yes']);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('already') as unknown });
});

describe.runIf(process.platform === 'linux')('engine pull at a terminal', () => {
  /** Pulls a model of which the server gives a part, and the rest once `seen` is shown; `keys` are pressed then. */
  async function atTerminal({ columns, seen, keys }: { columns: number; seen: string; keys?: string }) {
    const other = await createCli();
    onTestFinished(() => other.close());
    const server = await startArchiveServer(tone.bytes);
    onTestFinished(() => server.close());
    const { CI: _, ...withoutCi } = other.env;
    const isSeen = Promise.withResolvers<void>();
    server.next.push((answer, body) => {
      answer.writeHead(200, { 'content-length': body.length, etag: '"1"' }).write(body.subarray(0, 2000));
      void isSeen.promise.then(() => keys === undefined && answer.end(body.subarray(2000)));
    });
    const words = `engine pull tone --from ${server.url}/tone.tar.bz2 --sha256 ${tone.sha256} --yes`;
    const terminal = spawn(
      '/usr/bin/script',
      ['-qec', `stty cols ${columns}; exec '${process.execPath}' '${entry}' ${words}`, '/dev/null'],
      { env: { ...withoutCi, TERM: 'xterm', PATH: '/usr/bin:/bin', SHELL: '/bin/sh' }, cwd: other.directory },
    );
    const ended = once(terminal, 'close') as Promise<[number]>;
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (!shown.includes(seen)) return;
      isSeen.resolve();
      if (keys !== undefined && terminal.stdin.writable) terminal.stdin.end(keys);
    });
    const [code] = await ended;
    return { code, shown, other };
  }

  test('shows how far it is, within its width, and leaves no progress behind', async () => {
    const { code, shown } = await atTerminal({ columns: 60, seen: 'Fetching 2 kB of' });
    expect(code).toBe(0);
    expect(shown).toMatch(/Fetching 2 kB of \d+ kB \(\d+ %\)/);
    expect(shown).toContain('Installed tone.');
    expect(shown).toContain('\u001b[?25h');
    expect(shown.split('\u001b[?25h').at(-1)).not.toContain('Fetching');
  });

  test('shows on Ctrl-C how much is kept, and resumes from there', async () => {
    const { code, shown, other } = await atTerminal({ columns: 80, seen: 'Fetching 2 kB of', keys: '\u0003' });
    expect(code).toBe(130);
    expect(shown).toContain('The partial download is kept');
    const part = await readFile(join(other.directory, 'data', 'models', '.pulls', 'tone.part'));
    expect(part).toEqual(tone.bytes.subarray(0, 2000));
  });
});

test('engine test of a model on this computer succeeds, and lists its abilities', async () => {
  const tried = await cli.json<{ works: boolean; recogniser: { trials: { what: string; result: string }[] } }>([
    'engine',
    'test',
    '--recogniser',
    'local:tone',
  ]);
  expect(tried.works).toBe(true);
  expect(tried.recogniser.trials.map(({ what, result }) => `${what} ${result}`)).toEqual([
    'model works',
    'speech partly',
    'live works',
  ]);
  const absent = await cli.call(['engine', 'test', '--recogniser', 'local:absent']);
  expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('absent is not installed') as unknown });
});

test('engine test explains how to fix a damaged model', async () => {
  await cli.json([
    'engine',
    'pull',
    'hurt',
    '--from',
    await installToneModel(join(cli.directory, 'stick'), { id: 'hurt' }),
    '--yes',
  ]);
  await writeFile(join(cli.directory, 'data', 'models', 'hurt', 'tokens.txt'), 'other');
  const { code, stdout, stderr } = await cli.call(['engine', 'test', '--recogniser', 'local:hurt', '--json']);
  expect(code).toBe(8);
  expect(JSON.parse(stdout)).toMatchObject({ works: false });
  expect(stderr).toContain('tokens.txt');
});

test('engine use checks the choice, keeps the rest of config.json, and the server takes it', async () => {
  const other = await createCli();
  onTestFinished(() => other.close());
  const file = join(other.directory, 'config', 'config.json');
  await mkdir(join(other.directory, 'config'), { recursive: true });
  await writeFile(file, '{"retries": 4}');
  for (const wrong of ['local:tone', 'nobody', 'simulated', 'openai']) {
    expect((await other.call(['engine', 'use', '--recogniser', wrong])).code).toBe(2);
  }
  expect(await readFile(file, 'utf8')).toBe('{"retries": 4}');
  expect((await other.call(['engine', 'use'])).code).toBe(2);
  await other.json(['engine', 'pull', 'tone', '--from', stick, '--yes']);
  const twin = await installToneModel(join(other.directory, 'stick'), { id: 'twin' });
  await other.json(['engine', 'pull', 'twin', '--from', twin, '--yes']);
  const recogniser = 'local:tone second=twin';
  expect(await other.json(['engine', 'use', '--recogniser', recogniser, '--writer', 'rules'])).toMatchObject({
    recogniser: 'local:tone',
    writer: 'rules',
    saved: file,
    restart_needed: true,
  });
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ retries: 4, writer: 'rules' });
  await other.serveHere();
  expect(await other.json(['server', 'status'])).toMatchObject({ recogniser: 'local:tone', models: ['tone', 'twin'] });
  await other.json(['engine', 'use', '--recogniser', 'none']);
  for (const id of ['tone', 'twin']) {
    expect(await other.call(['engine', 'remove', id, '--yes'])).toMatchObject({
      code: 11,
      stderr: expect.stringContaining(`The server on this computer uses the model ${id}.`) as unknown,
    });
  }
  expect(await other.json(['engine', 'remove', 'tone', '--yes', '--force'])).toEqual({ id: 'tone', removed: true });
});

test('serve hears with a model that is installed, unless something else was chosen', async () => {
  const other = await createCli();
  onTestFinished(() => other.close());
  await other.json(['engine', 'pull', 'tone', '--from', stick, '--yes']);
  await other.serveHere('--test-real');
  expect(await other.json(['server', 'status'])).toMatchObject({ recogniser: 'local:tone' });
  await other.json(['login']);
  const sound = join(other.directory, 'organs.wav');
  await writeFile(sound, wavOf([tones(organs)]));
  const record = await other.json(['record', 'generate', '--audio', sound, '--language', 'pt-BR']);
  expect(record).toMatchObject({ test_mode: true, transcript: 'coração pulmão fígado rim' });
});

test('engine remove leaves the model that is set, unless forced', async () => {
  const other = await createCli({ LAUDIO_RECOGNISER: 'local:tone second=other' });
  onTestFinished(() => other.close());
  for (const id of ['tone', 'other']) expect((await other.call(['engine', 'remove', id, '--yes'])).code, id).toBe(11);
  expect((await other.call(['engine', 'remove', 'tone', '--yes', '--force'])).code).toBe(3);
  expect((await other.call(['engine', 'remove', '../config', '--yes', '--force'])).code).toBe(2);
});

interface Benched {
  recogniser: string;
  memory_bytes: number;
  files: { name: string; language?: string; word_error_rate?: number; seconds?: number; error?: { code: string } }[];
  total: { files: number; failed: number; words: number; deletions: number; real_time: number };
}

test('engine bench measures each sound against its text', async () => {
  const voices = join(cli.directory, 'voices');
  await mkdir(voices);
  const put = (name: string, content: string | Uint8Array) => writeFile(join(voices, name), content);
  await put('right.wav', wavOf([tones(organs)]));
  await put('right.txt', 'Coração, pulmão, fígado, rim.\n');
  await put('less.wav', wavOf([tones(organs)]));
  await put('less.pt-BR.txt', 'coração pulmão fígado rim direito 6 mm');
  await put('broken.wav', 'RIFF and nothing else');
  await put('broken.pt-BR.txt', 'coração');
  await put('alone.wav', '');
  await put('own.txt', 'fígado\n');
  const words = ['engine', 'bench', voices, '--recogniser', 'local:tone', '--terms', join(voices, 'own.txt')];
  const { code, stdout, stderr } = await cli.call([...words, '--json']);
  expect(code).toBe(9);
  const { recogniser, memory_bytes: memory, files, total } = JSON.parse(stdout) as Benched;
  expect(recogniser).toBe('local:tone');
  expect(memory === null || memory > 1e6).toBe(true);
  expect(files).toMatchObject([
    { name: 'broken', error: { code: 'UNSUPPORTED_MEDIA_TYPE' } },
    {
      name: 'less',
      language: 'pt-BR',
      words: 7,
      deletions: 3,
      substitutions: 0,
      insertions: 0,
      numbers: { said: 2, errors: 2 },
      sides: { said: 1, errors: 1 },
      terms: { said: 1, errors: 0 },
    },
    { name: 'right', language: 'pt-BR', word_error_rate: 0 },
  ]);
  expect(total).toMatchObject({ files: 2, failed: 1, words: 11, deletions: 3 });
  expect(total.real_time).toBeGreaterThan(0);
  expect(stderr).toContain('alone.wav, own.txt');
});

test('engine bench names missing files', async () => {
  const empty = join(cli.directory, 'empty');
  await mkdir(empty);
  const model = ['--recogniser', 'local:tone'];
  expect((await cli.call(['engine', 'bench', empty, ...model])).stderr).toContain('x.txt');
  expect((await cli.call(['engine', 'bench', join(empty, 'no'), ...model])).stderr).toContain('does not exist');
  expect((await cli.call(['engine', 'bench', empty])).stderr).toContain('no recogniser');
});
