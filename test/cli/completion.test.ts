/** What a shell completes, asked of the shell itself where there is one. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli, entry } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { run } from '../support/process.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  await prepare();
});
afterAll(() => cli.close());

/** The words typed, and what the shell offers for the last. */
const cases = [
  [['wor'], ['worklist']],
  [
    ['record', 'e'],
    ['edit', 'export'],
  ],
  [['worklist', 'list', '--stat'], ['--status']],
  [
    ['worklist', 'list', '--status', 'c'],
    ['completed', 'cancelled'],
  ],
  [['--profile', 'record', 'engine', 'b'], ['bench']],
  [['record', 'export', 'rec_1', '--format', 'p'], ['pdf']],
  [['help', 'exi'], ['exit-codes']],
  [['worklist', 'set-status', 'wli_1', 'in'], ['in_progress']],
  [['webhook', 'trigger', 'webhook.t'], ['webhook.test']],
  [['server', 'fault', 'add', 'fl'], ['flaky']],
  [['server', 'fault', 'add', '--event', 'worklist.document.c'], ['worklist.document.completed']],
  [['config', 'get', 'access'], ['access_token_ttl']],
  [['job', 'list', '--profile', 'dep'], ['department']],
  [['profile', 'use', 'dep'], ['department']],
  [['worklist', 'show', 'wli_'], ['wli_01JNBK4V9Q0000000000000001']],
  [['record', 'list', '--item', 'wli_'], ['wli_01JNBK4V9Q0000000000000001']],
  [['channel', 'test', 'r'], ['ris']],
  [['worklist', 'list', '--modality', 'MG'], ['MG']],
  [['token', '--scope', 'jobs:r'], ['jobs:read']],
  [['engine', 'pull', 'whisper-s'], ['whisper-small']],
  [['server', 'export', '--collection', 'ite'], ['items']],
  [
    ['worklist', 'list', '--status=c'],
    ['completed', 'cancelled'],
  ],
  [['worklist', 'set-status', '--reason=x', 'wli_1', 'in'], ['in_progress']],
  [['contract', 'ch'], ['check']],
  [['worklist', 'ingest', 'day'], ['day 1.json']],
] as const;

/** The part of a word that a shell completes. */
const valuePart = (word: string): string => word.replace(/^--[^=]*=/, '');

/** A profile, and what a terminal has shown. */
async function prepare(): Promise<void> {
  const profile = {
    name: 'department',
    server: 'https://api.example.com',
    client_id: 'lc_1',
    scope: '',
    user: null,
    test_mode: false,
    credential_store: 'file',
  };
  for (const [folder, name, content] of [
    ['config', 'profiles.json', { current: 'department', profiles: [profile] }],
    [
      'state',
      'shown-words.json',
      [
        { noun: 'worklist', word: 'wli_01JNBK4V9Q0000000000000001' },
        { noun: 'record', word: 'rec_01JNBK4V9Q0000000000000001' },
        { noun: 'channel', word: 'ris' },
      ],
    ],
  ] as const) {
    await mkdir(join(cli.directory, folder), { recursive: true });
    await writeFile(join(cli.directory, folder, name), JSON.stringify(content), { mode: 0o600 });
  }
  await writeFile(join(cli.directory, 'laudio'), `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`, {
    mode: 0o755,
  });
}

async function scriptFor(shell: string): Promise<{ script: string; directory: string }> {
  const { code, stdout } = await cli.call(['completion', shell]);
  expect(code).toBe(0);
  const directory = await mkdtemp(join(cli.directory, `${shell}-`));
  const script = join(directory, 'script');
  await writeFile(script, stdout);
  await writeFile(join(directory, 'day 1.json'), '[]');
  return { script, directory };
}

/** The program is the first of that name. */
const environment = (): NodeJS.ProcessEnv => ({
  ...cli.env,
  PATH: `${cli.directory}:${process.env['PATH']}`,
});

/** On Linux all but PowerShell are there (test/support/set-up.ts), which Debian lacks. */
const has = async (shell: string): Promise<boolean> =>
  (process.platform === 'linux' && shell !== 'pwsh') ||
  run(shell, ['-c', 'exit 0']).then(
    ({ code }) => code === 0,
    () => false,
  );
const [hasBash, hasZsh, hasFish, hasPowershell] = await Promise.all(['bash', 'zsh', 'fish', 'pwsh'].map(has));

/** What zsh's own functions get to offer, a line each, in their place. */
const zshOffers = `
_describe() { print -rl -- \${(@)\${(P)@[-1]}%%:*} }
compadd() { shift; print -rl -- "$@" }
_files() { print -r -- '(files)' }
compset() { }
`;

describe('completion', () => {
  it.runIf(hasBash)('of bash offers nouns, verbs, options, choices and files', async () => {
    const { script, directory } = await scriptFor('bash');
    const asks = cases.map(([words]) => {
      const split = ['laudio', ...words.flatMap((word) => word.split(/(=)/))];
      const typed = split.map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(${typed}); COMP_CWORD=${split.length - 1}; _laudio; (IFS='|'; echo "\${COMPREPLY[*]}")`;
    });
    const { stdout, stderr } = await run('bash', ['-c', `source ${script}\n${asks.join('\n')}`], {
      cwd: directory,
      env: environment(),
    });
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual(cases.map(([, offered]) => offered.join('|')));
  });

  it.runIf(hasFish)('of fish does the same', async () => {
    const { script, directory } = await scriptFor('fish');
    const asks = cases.slice(0, -1).map(([words]) => `complete -C 'laudio ${words.join(' ')}' | cut -f1; echo end`);
    const { stdout, stderr } = await run('fish', ['-N', '-c', `source ${script}; ${asks.join('; ')}`], {
      cwd: directory,
      env: environment(),
    });
    expect(stderr).toBe('');
    const offered = stdout.split('end\n').map((lines) => lines.trim().split('\n').map(valuePart).toSorted());
    expect(offered.slice(0, -1)).toEqual(cases.slice(0, -1).map(([, words]) => words.toSorted()));
  });

  it.runIf(hasZsh)('of zsh does the same', async () => {
    const { script } = await scriptFor('zsh');
    const asks = cases.map(([words]) => {
      const typed = ['laudio', ...words].map((word) => `'${word}'`).join(' ');
      return `words=(${typed}); CURRENT=${words.length + 1}; _laudio; print end`;
    });
    const lines = ['autoload -U compinit; compinit -D', `source ${script}`, zshOffers, ...asks];
    const { code, stdout, stderr } = await run('zsh', ['-f', '-c', lines.join('\n')], { env: environment() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const offered = stdout
      .split('end\n')
      .slice(0, -1)
      .map((text) => text.trim().split('\n'));
    // zsh itself chooses those that begin as the last word does.
    const chosen = offered.map((words, at) =>
      words.filter((word) => word.startsWith(valuePart(cases[at]![0].at(-1)!))),
    );
    expect(chosen.slice(0, -1)).toEqual(cases.slice(0, -1).map(([, words]) => words));
    expect(offered.at(-1)).toEqual(['(files)']);
  });

  // `laudio` is a script of sh here. TabExpansion2 is the function that the key calls.
  it.runIf(hasPowershell && process.platform !== 'win32')('of PowerShell does the same', async () => {
    const { script, directory } = await scriptFor('powershell');
    const asks = cases.map(([words]) => {
      const line = `laudio ${words.join(' ')}`;
      return `(TabExpansion2 -inputScript '${line}' -cursorColumn ${line.length}).CompletionMatches.CompletionText -join '|'`;
    });
    const load = `Invoke-Expression (Get-Content -Raw '${script}')`;
    const { stdout, stderr } = await run('pwsh', ['-NoProfile', '-Command', [load, ...asks].join('\n')], {
      cwd: directory,
      env: environment(),
    });
    expect(stderr).toBe('');
    const offered = stdout
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => line.split('|').map(valuePart));
    expect(offered.slice(0, -1)).toEqual(cases.slice(0, -1).map(([, words]) => words));
    expect(offered.at(-1)?.join()).toContain('day 1.json');
  });

  it('of PowerShell holds the same words, each in a list of lists', async () => {
    const { stdout } = await cli.call(['completion', 'powershell']);
    for (const word of [
      "'worklist list' = @{",
      "@('ingest', '",
      ", @('new', 'in_progress', 'completed', 'cancelled'))",
      "positions = @{ 0 = @(,@('check', '",
      "@{ ask = 'profiles' }",
    ])
      expect(stdout).toContain(word);
  });

  // PowerShell ends a text at a typographic quote, too, and refuses a table with two keys that differ in case alone.
  it('of PowerShell is ASCII, and has no key twice in any case', async () => {
    const { stdout } = await cli.call(['completion', 'powershell']);
    expect(stdout).toMatch(/^[\n -~]*$/);
    const tables = stdout.replaceAll(/'(?:[^']|'')*'(?! =)/g, "''").matchAll(/@\{([^{}]*)/g);
    for (const [, table = ''] of tables) {
      const keys = [...table.matchAll(/([\w-]+|'[^']*') = /g)].map(([, key = '']) => key.toLowerCase());
      expect(keys).toEqual([...new Set(keys)]);
    }
  });

  it('of another shell is refused', async () => {
    expect(await cli.call(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Shells are bash, zsh, fish, powershell.'),
    });
  });
});
