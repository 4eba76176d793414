/** What every command keeps to: streams, colours, settings, files given, words mistyped. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../support/explored.ts';
import { createServedCli, entry } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { kebab } from '../../cli/command.ts';
import type { AskedWords, WordSource } from '../../cli/command.ts';
import { isNoun } from '../../cli/entry.ts';
import { program } from '../../cli/program.ts';
import { sourceForArgument, sourceForOption } from '../../cli/shell/completion/word-sources.ts';
import { errorCodes } from '../../cli/shell/error-help.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const path = (name: string) => join(cli.directory, name);
const put = (name: string, content: string | Uint8Array) => writeFile(path(name), content);

describe('words', () => {
  it.each([
    [[], 0, 'stdout', 'Usage: laudio [options] [command]'],
    [['help'], 0, 'stdout', 'Start with "laudio demo"'],
    [['help', 'worklist', 'list'], 0, 'stdout', 'Usage: laudio worklist list'],
    [['worklist', 'help'], 0, 'stdout', 'Usage: laudio worklist VERB'],
    [['help', 'environment'], 0, 'stdout', 'LAUDIO_TOKEN\t'],
    [['help', 'files'], 0, 'stdout', 'laudio.config.json\t'],
    [['help', 'nothing'], 2, 'stderr', 'nothing is not a topic.'],
    [['help', 'guides'], 0, 'stdout', 'qa\tGuide for QA'],
    [['help', 'guide-qa'], 0, 'stdout', '# Guide for QA'],
    [['help', 'machine-login'], 0, 'stdout', 'client_credentials'],
    [['help', 'job-not-finished'], 0, 'stdout', 'HTTP status\t409'],
    [['help', 'TEST_DATA_REQUIRED'], 0, 'stdout', 'laudio help qa'],
    [['help', 'TEST_DATA_REQIRED'], 2, 'stderr', 'Did you mean TEST_DATA_REQUIRED?'],
    [
      ['worklist'],
      2,
      'stderr',
      'Choose a command for worklist: ingest, replay, mapping, list, show, set-status, assign, history, remove or watch.',
    ],
    [['worklst'], 2, 'stderr', 'Did you mean worklist?'],
    [['record', 'sign'], 2, 'stderr', 'Commands for record are '],
    [['channel', 'retry', 'ris'], 2, 'stderr', 'laudio channel retry --all ris'],
    [
      ['channel', 'message', 'ris'],
      3,
      'stderr',
      'An id that begins with msg_ belongs here; laudio channel queue shows them.',
    ],
    [['worklist', 'list', '--modality', 'MG1'], 6, 'stderr', 'Did you mean MG?'],
    [['lisst'], 2, 'stderr', 'Did you mean worklist list, record list, prior list, critical list, '],
    [['list', 'worklist'], 2, 'stderr', 'Did you mean worklist list?'],
    [['help', 'worklst'], 2, 'stderr', 'Did you mean worklist?'],
    [['help', 'worklist', 'lisst'], 2, 'stderr', 'Did you mean list?'],
    [['help', 'worklist', 'list'], 0, 'stdout', 'Usage: laudio worklist list'],
    [['worklist', 'lisst'], 2, 'stderr', 'Did you mean list?'],
    [['version'], 0, 'stdout', '0.'],
    [['-v'], 0, 'stdout', '0.'],
    [['-V'], 0, 'stdout', '0.'],
    [['worklist', 'ingest', '--', '-x.json'], 2, 'stderr', '-x.json does not exist.'],
    [['worklist', 'ingest', 'x.json', '--', '--json'], 2, 'stderr', 'laudio: x.json does not exist.'],
    [['--', 'worklist', 'ingest', 'x.json'], 2, 'stderr', 'x.json does not exist.'],
    [['worklist', 'lst'], 2, 'stderr', 'Did you mean list?'],
    [['worklist', '--limit', '3', 'list'], 2, 'stderr', 'Options of one command come after it'],
    [['worklist', '--jsn', 'list'], 2, 'stderr', 'Did you mean --json?'],
    [['worklist', 'list', '--no-colour'], 2, 'stderr', 'Did you mean --no-color?'],
    [['worklist', 'list', '--statu', 'new'], 2, 'stderr', 'Did you mean --status?'],
    [['worklist', 'list', '--status', 'x'], 2, 'stderr', '--status takes new, in_progress, completed or cancelled.'],
    [['worklist', 'list', '--limit', '-1'], 2, 'stderr', '--limit takes a whole number.'],
    [['worklist', 'list', '--status'], 2, 'stderr', 'argument missing'],
    [['worklist', 'show'], 2, 'stderr', "Missing required argument 'ID'."],
    [['worklist', 'show', 'a', 'b'], 2, 'stderr', 'Too many arguments.'],
    [['record', 'generate'], 2, 'stderr', 'Use exactly one of --audio FILE, --text FILE and --mic.'],
    [['record', 'delete', 'rec_1'], 2, 'stderr', '--yes is needed.'],
    [['api', 'GET', '/api/v1/nothing'], 2, 'stderr', 'is not a path of this API.'],
    [['api', 'DELETE', '/api/v1/jobs'], 2, 'stderr', '/api/v1/jobs takes GET.'],
    [
      ['api', 'GET', '/api/v1/jobs', '-H', 'Authorization: Bearer canary'],
      2,
      'stderr',
      'Don’t put a token on a command line: everybody on this computer can read it.',
    ],
    [['worklist', 'list', '--jq', '.['], 2, 'stderr', '--jq: '],
  ] as const)('%j', async (words, exitCode, stream, said) => {
    const ended = await cli.call(words);
    expect(ended.code).toBe(exitCode);
    expect(ended[stream]).toContain(said);
    expect(ended[stream === 'stdout' ? 'stderr' : 'stdout']).toBe('');
    expect(ended.stderr).not.toContain('canary');
  });

  it('shows the places of files as the variables have them', async () => {
    const env = { LAUDIO_DATA_DIR: path('elsewhere') };
    expect((await cli.call(['help', 'files'], { env })).stdout).toContain(`${path('elsewhere')}\tData of`);
  });

  it('takes global options before, between and after the words of the command', async () => {
    for (const words of [
      ['--json', 'job', 'list'],
      ['job', '--json', 'list'],
      ['job', 'list', '--json'],
    ]) {
      const { code, stdout } = await cli.call(words);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual([]);
    }
  });

  it('filters with --jq', async () => {
    expect((await cli.call(['template', 'list', '--jq', '.[].id'])).stdout).toMatch(
      /^test_template_general\ntest_template_/,
    );
  });
});

describe('files given', () => {
  const ingest = ['worklist', 'ingest'];
  const text = ['record', 'generate', '--text'];
  const audio = ['record', 'generate', '--audio'];
  beforeAll(async () => {
    await mkdir(path('directory'));
    await put('empty', '');
    await put('not-json', '{canary');
    await put('latin1', Buffer.from('caf\u00e9 canary', 'latin1'));
    await put('number', '42');
    await put('none', '[]');
    await put('huge', Buffer.alloc(10 * 1024 * 1024 + 1, ' '));
  });

  it.each([
    [ingest, 'missing', 2, 'missing does not exist.'],
    [ingest, 'directory', 2, 'directory is a directory.'],
    [ingest, 'empty', 6, 'empty: The file is empty.'],
    [ingest, 'not-json', 6, 'not-json: This is not valid JSON'],
    [ingest, 'latin1', 2, 'latin1: The format was not recognized.'],
    [ingest, 'number', 2, 'number: The format was not recognized.'],
    [text, 'missing', 2, 'missing does not exist.'],
    [text, 'latin1', 2, 'latin1 is not UTF-8 text.'],
    [text, 'huge', 2, 'huge is larger than 4 MB.'],
    [text, 'empty', 6, 'The request is invalid: text'],
    [audio, 'missing', 2, 'missing does not exist.'],
    [audio, 'directory', 2, 'directory is a directory.'],
    [audio, 'empty', 6, 'audio is empty'],
    [audio, 'not-json', 6, 'is not supported'],
  ] as const)('%j %s', async (words, file, exitCode, said) => {
    const { code, stdout, stderr } = await cli.call([...words, file]);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr.split('\n')[0]).toContain(said);
    expect(stderr).not.toMatch(/canary|\n\s+at /);
  });

  it('takes - for standard input', async () => {
    const item = {
      accession_number: 'A-1',
      patient_id: '1',
      patient_name: 'PATIENT^TEST',
      modality: 'CT',
      exam_datetime: '2026-03-02T10:00:00Z',
      exam_description: 'CT',
    };
    expect(await cli.call([...ingest, '-'], { input: `\ufeff${JSON.stringify(item)}` })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^A-1\tinserted\t/),
    });
    expect(await cli.call([...ingest, '-'], { input: '' })).toMatchObject({
      code: 6,
      stderr: 'laudio: Standard input: The file is empty.\n',
    });
  });

  it('leaves no half of a file behind', async () => {
    expect(await cli.call(['record', 'export', `rec_${'0'.repeat(26)}`, '-o', 'out.txt'])).toMatchObject({ code: 3 });
    const { id } = await cli.json<{ id: string }>([...text, '-'], { input: 'Test Patient. Findings: normal.' });
    expect(await cli.call(['record', 'export', id, '-o', 'nowhere/out.txt'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere/out.txt cannot be written (ENOENT).'),
    });
    expect(await cli.call(['record', 'export', id, '--json'])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('settings', () => {
  const user = () => join(cli.directory, 'config', 'config.json');
  afterEach(async () => {
    await Promise.all([rm(path('laudio.config.json'), { force: true }), rm(user(), { force: true })]);
  });
  /** What decides is seen by how the list is printed. */
  const form = async (words: readonly string[] = [], env: NodeJS.ProcessEnv = {}) => {
    const { stdout } = await cli.call(['help', 'exit-codes', ...words], { env });
    return stdout.startsWith('[') ? 'json' : stdout.startsWith('Exit code') ? 'table' : 'tsv';
  };

  it('go: flag, environment, project file, user file', async () => {
    await put('config/config.json', '{"output":"table"}');
    expect(await form()).toBe('table');
    await put('laudio.config.json', '{"output":"json"}');
    expect(await form()).toBe('json');
    expect(await form([], { LAUDIO_OUTPUT: 'tsv' })).toBe('tsv');
    expect(await form(['--json'], { LAUDIO_OUTPUT: 'tsv' })).toBe('json');
  });

  it.each([
    ['{"output":"loud"}', '"output" in ', 'must be one of auto, table, json, tsv.'],
    ['{"client_secret":"canary"}', 'unknown setting "client_secret"', 'Secrets never belong in this file.'],
    ['{"credential_store":"file"}', 'may not set "credential_store"', 'for each user to choose'],
    ['{canary', 'laudio.config.json', 'is not valid JSON.'],
    ['[]', 'laudio.config.json', 'must hold one JSON object.'],
  ])('a project file of %s is refused', async (content, ...said) => {
    await put('laudio.config.json', content);
    const { code, stderr } = await cli.call(['template', 'list']);
    expect(code).toBe(2);
    for (const words of said) expect(stderr).toContain(words);
    expect(stderr).not.toContain('canary');
  });

  it('name the flag or variable at fault', async () => {
    expect((await cli.call(['job', 'list', '--timeout', 'soon'])).stderr).toContain(
      '--timeout must be a whole number from 1 to 3600.',
    );
    expect((await cli.call(['job', 'list'], { env: { LAUDIO_RETRIES: '99' } })).stderr).toContain(
      'LAUDIO_RETRIES must be',
    );
    expect((await cli.call(['job', 'list', '--server', 'ftp://x'])).stderr).toContain('--server must be an address');
  });

  it('without a home nothing is written anywhere', async () => {
    const place = await mkdtemp(path('nowhere-'));
    const env = { HOME: '', LAUDIO_CONFIG_DIR: '', LAUDIO_STATE_DIR: '' };
    const { code, stderr } = await cli.run(['login', '--server', 'http://127.0.0.1:9'], { env, cwd: place });
    expect({ code, left: await readdir(place) }).toEqual({ code: 2, left: [] });
    expect(stderr).toContain('There is no home directory to keep settings and logins in.');
  });

  it('compiled code is cached where no other user can write', async () => {
    const shared = await mkdtemp(path('shared-'));
    const own = join(await mkdtemp(path('cache-')), 'own');
    await cli.run(['help'], { env: { TMPDIR: shared, XDG_CACHE_HOME: own } });
    expect(await readdir(shared)).toEqual([]);
    if (process.platform === 'linux') expect((await stat(join(own, 'laudio', 'compiled'))).mode & 0o777).toBe(0o700);
  });

  it('reports a damaged list of profiles', async () => {
    const other = { LAUDIO_CONFIG_DIR: path('damaged') };
    await mkdir(path('damaged'));
    await put('damaged/profiles.json', '{canary');
    const { code, stderr } = await cli.call(['whoami'], { env: other });
    expect(code).toBe(2);
    expect(stderr).toContain('profiles.json');
    expect(stderr).not.toContain('canary');
  });
});

describe.runIf(process.platform !== 'win32')('in a shell', () => {
  const shell = (line: string, env: NodeJS.ProcessEnv = {}) =>
    promisify(execFile)('sh', ['-c', line, process.execPath, entry], {
      env: { ...cli.env, ...env },
      cwd: cli.directory,
    });

  it('a closed pipe is not a failure and causes no message', async () => {
    for (const words of [
      'help exit-codes',
      'help exit-codes --json',
      '--help',
      'api GET /openapi.json --server "$(cat url)"',
    ]) {
      if (words.includes('url')) await put('url', (await cli.json<{ server: string }>(['whoami'])).server);
      const { stdout, stderr } = await shell(`{ "$0" "$1" ${words}; echo "ended with $?" >&2; } | true`);
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'ended with 0\n' });
    }
  });

  it.runIf(process.platform === 'linux')('a full disk is reported', async () => {
    const { stdout } = await shell('"$0" "$1" help exit-codes 2>&1 >/dev/full; echo $?');
    expect(stdout).toBe('laudio: Standard output cannot be written (ENOSPC).\n2\n');
  });

  const terminal = (words: string, env: NodeJS.ProcessEnv = {}) =>
    shell(`script -qec "stty cols 80; '$0' '$1' ${words}" /dev/null < /dev/null || true`, env).then(
      ({ stdout }) => stdout,
    );

  it.runIf(process.platform === 'linux')('a terminal gets a table in colour, unless it should not', async () => {
    const table = await terminal('template list');
    expect(table).toContain('\u001b[1mGeneral report');
    expect(table).toMatch(/Name +.*Origin.*Language.*Chosen for/);
    for (const [words, env] of [
      ['template list --no-color', {}],
      ['template list', { NO_COLOR: '1' }],
      ['template list', { TERM: 'dumb' }],
    ] as const) {
      const plain = await terminal(words, env);
      expect(plain).toMatch(/^ID +Name +Origin +Language +Chosen for\r\n/);
      expect(plain).not.toContain('\u001b');
      for (const line of plain.split('\r\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  it.runIf(process.platform === 'linux')('no question is asked with CI or --no-input', async () => {
    expect(await terminal('record delete rec_1 --no-input')).toContain('--yes is needed.');
    expect(await terminal('record delete rec_1', { CI: 'true' })).toContain('--yes is needed.');
  });
});

describe('mistyped words', () => {
  beforeAll(async () => {
    await put('mapping.json', JSON.stringify({ fields: { modalty: 'OBR-24' } }));
    const section = { key: 'findings', title: 'Findings', requird: true };
    await put('template.json', JSON.stringify({ name: 'Ours', language: 'en-US', sections: [section] }));
    await put('words.csv', 'writen,for\nhepatomegaly,hepato\n');
  });

  it.each([
    [['worklist', 'list', '--status', 'complted'], 'Did you mean completed?'],
    [['worklist', 'list', '--report', 'drfat'], 'Did you mean draft?'],
    [['worklist', 'list', '--priority', 'stat'], 'Did you mean STAT?'],
    [['worklist', 'set-status', 'wli_1', 'canceled'], 'Did you mean cancelled?'],
    [['webhook', 'trigger', 'medical_record.job.complete'], 'Did you mean medical_record.job.completed?'],
    [['server', 'fault', 'ad'], 'Did you mean add?'],
    [['server', 'fault', 'add', 'flakey'], 'Did you mean flaky?'],
    [['server', 'fault', 'add', '--webhook', 'dwon'], 'Did you mean down?'],
    [['server', 'fault', 'add', '--job', 'slwo:2s'], 'Did you mean slow?'],
    [['webhook', 'listen', '--event', 'webhook.tst'], 'Did you mean webhook.test?'],
    [['server', 'snapshot', 'sav'], 'Did you mean save?'],
    [['serve', '--port', '0', '--faults', 'profile:flakey'], 'Did you mean flaky?'],
    [['serve', '--port', '0', '--faults', 'flakey'], 'Did you mean flaky?'],
    [['api', '/api/v1/jobs', '-H', 'X-Laudio-Simulate:statsu=503'], 'Did you mean status?'],
    [['template', 'show', 'test_template_genral'], 'Did you mean test_template_general?'],
    [
      ['api', '/api/v1/medical-records/generate', '-f', 'text=Test Patient.', '-f', 'template_id=test_template_genral'],
      'Did you mean test_template_general?',
    ],
    [['profile', 'use', 'defualt'], 'Did you mean default?'],
    [['job', 'list', '--profile', 'defualt'], 'Did you mean default?'],
    [['config', 'get', 'data-dri'], 'Did you mean data_dir?'],
    [['help', 'exit-code'], 'Did you mean exit-codes?'],
    [['completion', 'zhs'], 'Did you mean zsh?'],
    [['channel', 'kinds', 'hl7in'], 'Did you mean hl7-in?'],
    [['channel', 'simulate', 'fhir-inn'], 'Did you mean fhir-in?'],
    [['client', 'create', '--name', 'x', '--scope', 'job:read'], 'Did you mean jobs:read?'],
    [['user', 'delete', 'test-physicain', '--yes'], 'Did you mean test-physician?'],
    [['worklist', 'ingest', 'mapping.json', '--mapping', 'mapping.json'], 'Did you mean modality?'],
    [['api', '/api/v1/jobs', '-f', 'stauts=failed'], 'Did you mean status?'],
    [['serve', '--port', '0', '--store', 'lowbd'], 'Did you mean lowdb?'],
    [['server', 'export', '--collection', 'itmes'], 'Did you mean items?'],
    [['engine', 'pull', 'wisper-small'], 'Did you mean whisper-small?'],
    [['template', 'add', 'template.json', '--dry-run'], 'it has sections.0.requird. Did you mean required?'],
    [['vocabulary', 'import', 'words.csv'], 'There is no column writen. Did you mean write?'],
    [['api', '/api/v1/worklists/ingest', '-f', 'accession_numbr=1'], 'is required; accession_numbr is not a field'],
    [['api', '/api/v1/worklists/ingest', '-f', 'itmes[]=x'], 'is required; itmes is not a field'],
  ])('%j', async (words, said) => {
    const { code, stderr } = await cli.call(words);
    expect(stderr).toContain(said);
    expect(code).toBeGreaterThan(1);
  });
});

it('a mistyped variable is named, and one of somebody else is not', async () => {
  const { stderr } = await cli.call(['whoami'], { env: { LAUDIO_SERVR: 'http://127.0.0.1:9', LAUDIO_OUR_OWN: 'x' } });
  expect(stderr).toBe('The variable LAUDIO_SERVR is not read. Did you mean LAUDIO_SERVER?\n');
});

/** Of each command, the arguments and options whose values come from a set: fixed words of some letters, or what is stored. */
describe('a word of a set without its last letter', async () => {
  const id = (prefix: string) => `${prefix}_01JNBK4V9Q0000000000000001`;
  /** A word of each set of stored things, by its source. */
  const stored: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      ['wli', 'rec', 'job', 'pri', 'dlv', 'msg', 'usr', 'mac', 'trm', 'f'].map((prefix) => [prefix, id(prefix)]),
    ),
    client: 'test_tc_local',
    template: 'our_chest',
    channel: 'reports',
    snapshot: 'monday',
  };
  const asked: Readonly<Record<AskedWords, string>> = {
    profiles: 'default',
    models: 'whisper-small',
    collections: 'items',
  };
  const readWord = (source: WordSource): string | undefined =>
    typeof source === 'string' ? asked[source] : 'shown' in source ? stored[source.shown] : source[0];
  /** Arguments that a command needs to ask the server; others get the first word of their set, or a file. */
  const values: Readonly<Record<string, readonly string[]>> = {
    'critical mark': [id('rec'), 'findings'],
    'server fault': ['add', 'flaky'],
    'server snapshot': ['load', 'monday'],
    'server trash': ['restore', id('wli')],
    'worklist assign': [id('wli'), 'Dra. Teste'],
  };
  /** Options that it needs for that. */
  const needed: Readonly<Record<string, readonly string[]>> = {
    'channel send': ['--record', id('rec')],
    'client update': ['--name', 'x'],
    'record correct': ['--text', '-'],
    'record edit': ['--title', 'x'],
    'record generate': ['--text', '-'],
    'user edit': ['--place', 'x'],
    'vocabulary edit': ['--write', 'x'],
    'webhook replay': ['--forward-to', 'http://127.0.0.1:9/'],
  };
  /** They run without an end, or ask no server that could know the word. */
  const excluded = [
    'demo',
    'desktop',
    'engine remove',
    'exec',
    'open',
    'serve',
    'service',
    'record check',
    'worklist watch',
    'profile create',
  ];

  beforeAll(async () => {
    const definition = { name: 'Our chest', language: 'en-US', sections: [{ key: 'findings', title: 'Findings' }] };
    await put('our.json', JSON.stringify(definition));
    await cli.json(['template', 'add', 'our.json', '--id', 'our_chest']);
    await mkdir(path('reports'));
    await cli.json(['channel', 'add', 'folder-out', 'reports', '--set', `path=${path('reports')}`]);
    await cli.json(['server', 'snapshot', 'save', 'monday']);
    const shown = Object.entries(stored).map(([noun, word]) => ({ noun, word }));
    await writeFile(path('state/shown-words.json'), JSON.stringify(shown), { mode: 0o600 });
  });

  const entries = Object.entries(program).flatMap(([name, found]) =>
    isNoun(found)
      ? Object.entries(found.verbs).map(([verb, entry]) => [`${name} ${verb}`, entry] as const)
      : [[name, found] as const],
  );
  const lines = await Promise.all(
    entries
      .filter(([name]) => !excluded.some((each) => each === name || name.startsWith(`${each} `)))
      .map(async ([name, entry]) => {
        const { arguments: named = {}, options = {} } = await entry.load();
        const given = Object.values(named).map((argument, at) => {
          const source = sourceForArgument(argument);
          return { word: values[name]?.[at] ?? readWord(source), isOfSet: readWord(source) !== undefined, ...argument };
        });
        const all = given.map(({ word = 'our.json' }) => word);
        const rest = [...(needed[name] ?? []), ...('yes' in options ? ['--yes'] : [])];
        const byArgument = given.flatMap(({ word = '', isOfSet }, at) =>
          isOfSet ? [{ word, line: [...all.with(at, word.slice(0, -1)), ...rest] }] : [],
        );
        const byOption = Object.entries(options).flatMap(([option, { kind }]) => {
          const word = kind === 'text' || kind === 'list' ? readWord(sourceForOption(option)) : undefined;
          const before = name in values ? all : all.filter((_, at) => given[at]?.required);
          return word === undefined || word.length < 4
            ? []
            : [{ word, line: [...before, ...rest, `--${kebab(option)}`, word.slice(0, -1)] }];
        });
        return [...byArgument, ...byOption].map(({ word, line }) => [[...name.split(' '), ...line], word] as const);
      }),
  );

  it.each(sampled(lines.flat(), 26))('%j is %s', async (line, word) => {
    const { stderr } = await cli.call([...line, '--retries', '0'], { input: 'Test Patient. Findings: clear.' });
    expect(stderr).toContain(`Did you mean ${word}?`);
  });
});

it.each(errorCodes)('%s is explained, and its guide is there', async (code) => {
  const explained = await cli.json<{ guide: string }>(['help', code]);
  expect(explained).toMatchObject({ code, meaning: expect.any(String) as string });
  expect((await cli.call(['help', explained.guide])).stdout).toMatch(/^# /);
});
