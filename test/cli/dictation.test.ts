/** `laudio record generate --mic`: recorders of every kind, and every way in which a dictation ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as fc from '../support/properties.ts';
import stringWidth from 'string-width';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { recordingLines } from '../../cli/dictation/recording-view.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { contract } from '../../src/contract/index.ts';
import type { Job } from '../../src/contract/job.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import { startApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { createCli, entry } from '../support/cli.ts';
import type { CallOptions, Cli } from '../support/cli.ts';
import { fakeRecorders } from '../support/fake-recorder.ts';
import type { FakeRecorders, Playing } from '../support/fake-recorder.ts';
import { failed, startHttpServer } from '../support/http-server.ts';
import type { Reply } from '../support/http-server.ts';
import { noSmallDisk, smallDisk } from '../support/small-disk.ts';

let api: Api;
let cli: Cli;
beforeAll(async () => {
  api = await startApi({ isPrompt: true, listen: true });
  cli = await createCli({ LAUDIO_SERVER: api.server.url, LAUDIO_TOKEN: api.token, LAUDIO_RETRIES: '0' });
  return async () => {
    await cli.close();
    await api.close();
  };
});

/** Twelve seconds: long enough for several phrases of the simulation. */
const speech: Playing = { tones: Array.from({ length: 30 }, (_, at) => at % 8) };
const hint = 'Ctrl-C ends and sends, twice discards';
const mic = ['record', 'generate', '--mic', '--language', 'en-US'];

/** A person with these recorders, and a place for dictations of their own. */
async function person(programs: Readonly<Record<string, Playing>> = { arecord: speech }) {
  const home = await mkdtemp(join(cli.directory, 'person-'));
  const recorders: FakeRecorders = await fakeRecorders(home, programs);
  const state = join(home, 'state');
  const env: NodeJS.ProcessEnv = { ...recorders.env, LAUDIO_STATE_DIR: state };
  const options = (more: CallOptions = {}): CallOptions => ({ ...more, env: { ...env, ...more.env } });
  return {
    env,
    called: recorders.called,
    /** In this process: who waits for no signal needs none of their own. */
    run: (words: readonly string[], more?: CallOptions) => cli.call(words, options(more)),
    /** Speaks, and is at the end of the sentence. */
    async speak(words: readonly string[] = [], more?: CallOptions) {
      const running = cli.startHere([...mic, ...words], options(more));
      await running.heard(hint);
      return running;
    },
    /** Does so at a program that has a process of its own. */
    async speakToProcess(words: readonly string[]) {
      const running = cli.start([...mic, ...words], options());
      await running.heard(hint);
      return running;
    },
    /** The dictations that were kept. */
    async kept(): Promise<string[]> {
      const directory = join(state, 'dictations');
      return (await readdir(directory).catch(() => [])).map((name) => join(directory, name));
    },
  };
}
/** The service behind something that answers some of the calls by itself. */
async function between(reply: (path: string) => Reply | undefined) {
  const proxy = await startHttpServer(async ({ method, path, query, headers, bytes }) => {
    const own = reply(path);
    if (own) return own;
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...others } = headers;
    const answer = await fetch(`${api.server.url}${path}?${query}`, {
      method,
      headers: others as Record<string, string>,
      ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
    });
    return { status: answer.status, headers: { 'content-type': 'application/json' }, body: await answer.json() };
  });
  onTestFinished(() => proxy.close());
  return proxy;
}
const noEvents = (path: string) => (path.endsWith('/events') ? failed(404, 'NOT_FOUND') : undefined);
const records = async (): Promise<number> =>
  (await api.call(contract.records.endpoints.list, { query: { limit: 200 } })).data.items.length;

describe('Ctrl-C', () => {
  test('ends the recording: the document is made of the words that were heard meanwhile', async () => {
    const { speakToProcess, called, kept } = await person();
    const running = await speakToProcess(['--json', '--template', 'test_template_general']);
    const { code, stdout } = await running.end('SIGINT');
    expect(code).toBe(0);
    const record = JSON.parse(stdout) as MedicalRecord;
    expect(record).toMatchObject({ status: 'draft', source: { kind: 'audio', audio_seconds: 12 } });
    expect(await called()).toEqual([
      { program: 'arecord', words: expect.any(Array) as unknown, device: null, secrets: [] },
    ]);
    expect(await kept()).toEqual([]);
    expect(api.logged.map((entry) => JSON.stringify(entry)).join('\n')).not.toContain('Test Patient');
  });

  test('gives a job with --async', async () => {
    const { speak } = await person();
    const { code, stdout } = await (await speak(['--json', '--async'])).end('SIGINT');
    expect(code).toBe(0);
    expect(JSON.parse(stdout) as Job).toMatchObject({ type: 'medical_record.generate' });
  });

  test('twice discards, and leaves nothing anywhere', async () => {
    const before = await records();
    const { speak, kept } = await person();
    const running = await speak(['--json']);
    running.signal('SIGINT');
    await running.heard('Sending');
    const { code, stdout, stderr } = await running.end('SIGINT');
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('Discarded: the audio is deleted.');
    expect(await kept()).toEqual([]);
    expect(await records()).toBe(before);
  });

  test.each([
    ['takes no more sound', /audio$/, 'Discarded: the audio is deleted.'],
    ['is away', /transcriptions/, 'Discarded: the audio on this computer is deleted.'],
  ])('twice discards where the service %s, and says what may be left', async (_, away, told) => {
    const before = await records();
    let isAway = false;
    const proxy = await between((path) => (isAway && away.test(path) ? failed(503, 'SERVER_BUSY') : noEvents(path)));
    const { speak, kept } = await person();
    const running = await speak(['--json'], { env: { LAUDIO_SERVER: proxy.url } });
    isAway = true;
    running.signal('SIGINT');
    await running.heard('Sending');
    const { code, stdout, stderr } = await running.end('SIGINT');
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(await kept()).toEqual([]);
    expect(await records()).toBe(before);
    expect(proxy.asked.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect(stderr).toContain(told);
    expect(stderr.includes('It may have part of the audio')).toBe(told.includes('on this computer'));
  });

  test('before anything was said sends nothing', async () => {
    const { speak, kept } = await person({ arecord: {} });
    const { code, stderr } = await (await speak()).end('SIGINT');
    expect(code).toBe(130);
    expect(stderr).toContain('Nothing was recorded or sent.');
    expect(await kept()).toEqual([]);
  });
});

describe.concurrent('problems known before the dictation starts', () => {
  const silent = { arecord: { fails: 'canary: it was started' } };
  const tokens = async (scopes: readonly (typeof allScopes)[number][]) => (await api.tokens({ scopes })).access_token;

  test.each([
    [[], { LAUDIO_TOKEN: 'nobody' }, 4, 'Set LAUDIO_TOKEN to a token of this server'],
    [['--item', 'wli_00000000000000000000000000'], {}, 3, ''],
    [['--template', 'nothing'], {}, 3, ''],
    [['--text', '-'], {}, 2, 'Use exactly one of --audio FILE, --text FILE and --mic.'],
    [[], { LAUDIO_SERVER: 'http://127.0.0.1:9' }, 8, 'could not be reached'],
  ] as const)('%j %j', async (words, env, exitCode, said) => {
    const { run, called, kept } = await person(silent);
    const { code, stderr } = await run([...mic, ...words], { env });
    expect(stderr).toContain(said);
    expect(code).toBe(exitCode);
    expect(await called()).toEqual([]);
    expect(await kept()).toEqual([]);
  });

  test('that nobody hears: with --async a job waits for it', async () => {
    const login = { username: 'nunes', password: 'correct horse' };
    await api.createUser(login);
    const { access_token: token } = await api.tokens({ client: await api.createClient(), login });
    const { run, called, speak, kept } = await person();
    const env = { LAUDIO_TOKEN: token };
    const refused = await run(mic, { env });
    expect(refused).toMatchObject({ code: 8, stderr: expect.stringContaining('so nothing is recorded') });
    expect(await called()).toEqual([]);
    const { code, stdout } = await (await speak(['--async', '--json'], { env })).end('SIGINT');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ waiting_for: { reason: 'engine' } });
    expect(await kept()).toEqual([]);
  });

  test('that no words come meanwhile: the whole sound is sent', async () => {
    const { speak, kept } = await person();
    const env = { LAUDIO_TOKEN: await tokens(allScopes.filter((scope) => scope !== 'transcriptions:write')) };
    const { code, stdout, stderr } = await (await speak(['--json'], { env })).end('SIGINT');
    expect(code).toBe(0);
    expect(stderr).toContain('No words are shown while you speak');
    expect(JSON.parse(stdout)).toMatchObject({ source: { kind: 'audio', audio_seconds: 12 } });
    expect(await kept()).toEqual([]);
  });
});

describe.concurrent('recorders', () => {
  test.each([
    ['the first that is there', { sox: speech, ffmpeg: speech }, [], ['sox']],
    [
      'the next one where that has no microphone',
      { arecord: { fails: 'no' }, ffmpeg: speech },
      [],
      ['arecord', 'ffmpeg'],
    ],
    ['the chosen one', { arecord: speech, ffmpeg: speech }, ['--recorder', 'ffmpeg'], ['ffmpeg']],
  ] as const)('%s', async (_, programs, words, expected) => {
    const { speak, called } = await person(programs);
    // The recorder runs; nothing has to come of its sound here.
    await (await speak(words)).end('SIGTERM');
    expect((await called()).map(({ program }) => program)).toEqual(expected);
  });

  test.each([
    ['arecord', (call: { words: readonly string[] }) => call.words.at(-1)],
    ['sox', (call: { device: string | null }) => call.device],
    ['ffmpeg', (call: { words: readonly string[] }) => call.words[call.words.indexOf('-i') + 1]],
  ] as const)('%s takes the device', async (program, deviceOf) => {
    const { speak, called } = await person({ [program]: speech });
    await (await speak(['--device', 'plughw:2,0'])).end('SIGTERM');
    expect(deviceOf((await called())[0]!)).toBe('plughw:2,0');
  });

  test('none is there', async () => {
    const { run, kept } = await person({});
    const { code, stderr } = await run(mic);
    expect(code).toBe(2);
    expect(stderr).toContain('No recording program is installed.');
    expect(stderr).toMatch(/apt install|brew install|winget install/);
    expect(await kept()).toEqual([]);
  });

  test('none finds a microphone', async () => {
    const { run, kept } = await person({
      arecord: { fails: 'arecord: main:831: audio open error: No such file or directory' },
      sox: { fails: 'sox FAIL sox: Sorry, there is no default audio device configured' },
    });
    const { code, stderr } = await run(mic);
    expect(code).toBe(2);
    expect(stderr).toContain('No microphone can be used (arecord: arecord: main:831: audio open error');
    expect(stderr).toContain('sox: sox FAIL sox: Sorry');
    expect(await kept()).toEqual([]);
  });

  test('a silent microphone is reported at once', async () => {
    const { speak } = await person({ arecord: { tones: [0, ...Array.from({ length: 6 }, () => null)] } });
    const running = await speak();
    await running.heard('The microphone is silent. Is it muted?');
    await running.end('SIGTERM');
  });
});

describe('nothing that was said is lost', () => {
  /** The command that the error names. */
  const told = (stderr: string): string[] => /laudio (record generate --audio .*)/.exec(stderr)![1]!.split(' ');

  test('where the recorder ends in mid-sentence: it is sent by the command that the error names', async () => {
    const { run, kept } = await person({
      arecord: { ...speech, dies: 'arecord: pcm_read:2221: read error: No such device' },
    });
    const { code, stdout, stderr } = await run([...mic, '--async']);
    expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
    expect(stderr).toContain(
      'The recording ended unexpectedly (arecord: arecord: pcm_read:2221: read error: No such device).',
    );
    const [file] = await kept();
    expect(told(stderr)).toEqual(['record', 'generate', '--audio', file, '--language', 'en-US', '--async']);
    expect((await stat(file!)).mode & 0o777).toBe(0o600);
    expect((await stat(join(file!, '..'))).mode & 0o777).toBe(0o700);
    expect((await stat(file!)).size).toBe(44 + 12 * 32_000);
    const sent = await run([...told(stderr), '--json']);
    expect(sent.code).toBe(0);
    expect(await kept()).toEqual([]);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s keeps it', async (signal, exitCode) => {
    const before = await records();
    const { speakToProcess, kept, run } = await person();
    // As long as the process runs that a dictation is of, it is nobody else's to send.
    const { code, stderr } = await (await speakToProcess(['--json'])).end(signal);
    expect(code).toBe(exitCode);
    const [file] = await kept();
    const { error } = JSON.parse(stderr.slice(stderr.indexOf('{'))) as { error: object };
    expect(error).toMatchObject({ code: 'INTERRUPTED', exit_code: exitCode, details: { kept: file } });
    expect((await readFile(file!)).subarray(0, 4).toString()).toBe('RIFF');
    expect(await records()).toBe(before);
    // Whoever dictates next is reminded.
    expect((await run([...mic, '--recorder', 'sox'])).stderr).toContain(
      `Not sent yet: laudio record generate --audio ${file}`,
    );
  });

  test('where the live transcription is gone: the whole sound is sent', async () => {
    const proxy = await between((path) => (path.endsWith('/audio') ? failed(404, 'NOT_FOUND') : noEvents(path)));
    const { speak, kept } = await person();
    const { code, stdout, stderr } = await (
      await speak(['--json'], { env: { LAUDIO_SERVER: proxy.url } })
    ).end('SIGINT');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ source: { kind: 'audio', audio_seconds: 12 } });
    expect(await kept()).toEqual([]);
    expect(proxy.asked.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  test('where the service fails at the end', async () => {
    const proxy = await between((path) => (path.endsWith('/generate') ? failed(503, 'SERVER_BUSY') : noEvents(path)));
    const { speak, kept, run } = await person();
    const { code, stderr } = await (await speak([], { env: { LAUDIO_SERVER: proxy.url } })).end('SIGINT');
    expect(code).toBe(8);
    const [file] = await kept();
    expect(stderr).toContain('The dictation (0:12) is kept.');
    expect(told(stderr)).toContain(file);
    expect((await run([...told(stderr), '--json'])).code).toBe(0);
    expect(await kept()).toEqual([]);
  });

  test.skipIf(noSmallDisk() !== undefined)('on a full disk', async () => {
    const disk = await smallDisk(200_000);
    const { run } = await person();
    const { code, stderr } = await run(mic, { env: { LAUDIO_STATE_DIR: disk.directory } });
    expect(code).toBe(8);
    expect(stderr).toContain('The disk of this computer is full.');
    const file = told(stderr)[3]!;
    const wav = await readFile(file);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    expect(wav.length).toBeGreaterThan(100_000);
  });

  test.runIf(process.platform === 'linux')('while suspended: nothing is recorded', async () => {
    const { speakToProcess, called } = await person();
    const running = await speakToProcess(['--json']);
    running.signal('SIGTSTP');
    await running.heard('nothing is recorded');
    const stateOf = async () => / ([A-Z]) /.exec(await readFile(`/proc/${running.pid}/stat`, 'utf8'))![1];
    while ((await stateOf()) !== 'T') await setImmediate();
    running.signal('SIGCONT');
    while ((await called()).length < 2) await setImmediate();
    const { code, stdout } = await running.end('SIGINT');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ source: { audio_seconds: 24 } });
  });
});

describe.runIf(process.platform === 'linux')('at a terminal', () => {
  /** Runs it at a terminal of its own until something is seen, then presses the keys. */
  async function atTerminal(options: { columns?: number; env?: NodeJS.ProcessEnv; seen: string; keys: string }) {
    const { env } = await person();
    const line = `stty cols ${options.columns ?? 80}; exec '${process.execPath}' '${entry}' ${mic.join(' ')}`;
    const terminal = spawn('/usr/bin/script', ['-qec', line, '/dev/null'], {
      env: { ...cli.env, ...env, PATH: `${env.PATH}:/usr/bin:/bin`, SHELL: '/bin/sh', ...options.env },
      cwd: cli.directory,
    });
    const ended = once(terminal, 'close') as Promise<[number]>;
    let shown = '';
    let isPressed = false;
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (isPressed || !shown.includes(options.seen)) return;
      isPressed = true;
      terminal.stdin.write(options.keys);
    });
    const [code] = await ended;
    return { code, shown };
  }

  test('it shows time, level and words, within its width', async () => {
    const { code, shown } = await atTerminal({ columns: 40, seen: 'No acute abnormality', keys: '\u0003' });
    expect(code).toBe(0);
    expect(shown).toMatch(/\u001b\[31m● \d:\d\d\u001b\[39m {2}[█░]{20}/);
    expect(shown).toContain(`\u001b[2m${hint}`);
    expect(shown).toMatch(/Simulated transcript \(test mode\)/);
    for (const line of shown.split(/\r?\n/)) {
      const pieces = line.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '\r').split('\r');
      for (const piece of pieces) expect(stringWidth(piece)).toBeLessThanOrEqual(40);
    }
    expect(shown).toContain('\u001b[?25h');
  });

  test('one that shows lines only is given each phrase once', async () => {
    const env = { TERM: 'dumb' };
    const { code, shown } = await atTerminal({ env, seen: 'sample.', keys: '\u0003' });
    expect(code).toBe(0);
    expect(shown).not.toContain('\u001b');
    const spoken = shown.slice(0, shown.indexOf('Sending'));
    expect(spoken.match(/Simulated transcript/g)).toHaveLength(1);
    expect(spoken).toContain(`${hint}.`);
  });

  test('a double Ctrl-C discards', async () => {
    const before = await records();
    const { code, shown } = await atTerminal({ seen: hint, keys: '\u0003\u0003' });
    expect(code).toBe(130);
    expect(shown).toContain('Discarded');
    expect(await records()).toBe(before);
  });
});

test('words that may change are faint, above time, level, warning and hint', () => {
  const paint = (text: string, tone: string): string => `${tone}:${text}`;
  const shown = { seconds: 75.4, level: 10 ** (-30 / 20), partial: 'no acute', warning: 'It is silent.' };
  expect(recordingLines(paint, shown, { columns: 40, rows: 24 })).toEqual([
    'faint:no acute',
    `bad:● 1:15  ${'█'.repeat(10)}${'░'.repeat(10)}`,
    'warn:It is silent.',
    `faint:${hint}`,
  ]);
});

test('the display fits every terminal', () => {
  const plain = (text: string): string => text;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 130 }),
      fc.integer({ min: 1, max: 40 }),
      fc.record({
        seconds: fc.integer({ min: 0, max: 7000 }),
        level: fc.double({ min: 0, max: 1, noNaN: true }),
        partial: fc.lorem({ maxCount: 60 }),
        warning: fc.constantFrom(undefined, 'The microphone is silent. Is it muted?'),
      }),
      (columns, rows, shown) => {
        const lines = recordingLines(plain, shown, { columns, rows });
        expect(lines.length).toBeLessThanOrEqual(Math.max(0, rows - 1));
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(Math.max(1, columns - 3));
      },
    ),
  );
});
