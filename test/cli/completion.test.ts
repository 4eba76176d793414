/** What a shell completes, asked of the shell itself where there is one. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { run } from '../support/process.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
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
  [['worklist', 'ingest', 'day'], ['day 1.json']],
] as const;

async function scriptFor(shell: string): Promise<{ script: string; directory: string }> {
  const { code, stdout } = await cli.call(['completion', shell]);
  expect(code).toBe(0);
  const directory = await mkdtemp(join(cli.directory, `${shell}-`));
  const script = join(directory, 'script');
  await writeFile(script, stdout);
  await writeFile(join(directory, 'day 1.json'), '[]');
  return { script, directory };
}

/** On Linux all are there (test/support/set-up.ts). */
const has = async (shell: string): Promise<boolean> =>
  process.platform === 'linux' ||
  run(shell, ['-c', 'true']).then(
    ({ code }) => code === 0,
    () => false,
  );
const [hasBash, hasZsh, hasFish] = await Promise.all(['bash', 'zsh', 'fish'].map(has));

/** What zsh's own functions get to offer, a line each, in their place. */
const zshOffers = `
_describe() { print -rl -- \${(@)\${(P)@[-1]}%%:*} }
compadd() { shift; print -rl -- "$@" }
_files() { print -r -- '(files)' }
`;

describe('completion', () => {
  it.runIf(hasBash)('of bash offers nouns, verbs, options, choices and files', async () => {
    const { script, directory } = await scriptFor('bash');
    const asks = cases.map(([words]) => {
      const typed = ['laudio', ...words].map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _laudio; (IFS='|'; echo "\${COMPREPLY[*]}")`;
    });
    const { stdout, stderr } = await run('bash', ['-c', `source ${script}\n${asks.join('\n')}`], { cwd: directory });
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual(cases.map(([, offered]) => offered.join('|')));
  });

  it.runIf(hasFish)('of fish does the same', async () => {
    const { script, directory } = await scriptFor('fish');
    const asks = cases.slice(0, -1).map(([words]) => `complete -C 'laudio ${words.join(' ')}' | cut -f1; echo end`);
    const { stdout } = await run('fish', ['-N', '-c', `source ${script}; ${asks.join('; ')}`], { cwd: directory });
    const offered = stdout.split('end\n').map((lines) => lines.trim().split('\n').toSorted());
    expect(offered.slice(0, -1)).toEqual(cases.slice(0, -1).map(([, words]) => words.toSorted()));
  });

  it.runIf(hasZsh)('of zsh does the same', async () => {
    const { script } = await scriptFor('zsh');
    const asks = cases.map(([words]) => {
      const typed = ['laudio', ...words].map((word) => `'${word}'`).join(' ');
      return `words=(${typed}); CURRENT=${words.length + 1}; _laudio; print end`;
    });
    const lines = ['autoload -U compinit; compinit -D', `source ${script}`, zshOffers, ...asks];
    const { code, stdout, stderr } = await run('zsh', ['-f', '-c', lines.join('\n')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const offered = stdout
      .split('end\n')
      .slice(0, -1)
      .map((text) => text.trim().split('\n'));
    // zsh itself chooses those that begin as the last word does.
    const chosen = offered.map((words, at) => words.filter((word) => word.startsWith(cases[at]![0].at(-1)!)));
    expect(chosen.slice(0, -1)).toEqual(cases.slice(0, -1).map(([, words]) => words));
    expect(offered.at(-1)).toEqual(['(files)']);
  });

  it('of PowerShell holds the same words', async () => {
    const { stdout } = await cli.call(['completion', 'powershell']);
    for (const word of ["'worklist list' = @{", "@('ingest', '", "'--status' = @('new', 'in_progress'"])
      expect(stdout).toContain(word);
  });

  it('of another shell is refused', async () => {
    expect(await cli.call(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Shells are bash, zsh, fish, powershell.'),
    });
  });
});
