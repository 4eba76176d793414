/** The words of every command, without a process: arguments, flags, what is refused, and help. */
import { Command, Option as CommanderOption } from 'commander';
import { describe, expect, it } from 'vitest';
import { kebab } from '../../cli/command.ts';
import type { Option } from '../../cli/command.ts';
import { globalOptions } from '../../cli/shell/global-options.ts';
import { wrappedHelp } from '../../cli/shell/help-layout.ts';
import { parse } from '../../cli/parse.ts';
import { isNoun } from '../../cli/entry.ts';
import { program } from '../../cli/program.ts';
import { asksForRootHelp, formatFlags, rootHelp } from '../../cli/shell/root-help.ts';
import type { Entry } from '../../cli/entry.ts';

const commands = Object.entries(program).flatMap(([name, found]): [string, Entry][] =>
  isNoun(found) ? Object.entries(found.verbs).map(([verb, entry]) => [`${name} ${verb}`, entry]) : [[name, found]],
);

async function read(words: readonly string[]) {
  let printed = '';
  const parsed = await parse(words, '1.2.3', { write: (text) => void (printed += text), width: 100 });
  return { parsed, printed };
}

/** What is typed for an option, and what the command is given. */
function example({ kind, choices }: Option): { readonly words: readonly string[]; readonly value: unknown } {
  switch (kind) {
    case 'flag':
      return { words: [], value: true };
    case 'integer':
      return { words: ['7'], value: 7 };
    case 'choice':
      return { words: [choices!.at(-1)!], value: choices!.at(-1) };
    case 'choices':
      return { words: [choices!.slice(0, 2).join(',')], value: choices!.slice(0, 2) };
    case 'list':
      return { words: ['one'], value: ['one'] };
    case 'text':
      return { words: ['-some words'], value: '-some words' };
  }
}

describe.each(commands)('%s', (name, entry) => {
  const path = name.split(' ');
  /** One word for each argument that is needed. */
  const needed = async (): Promise<string[]> =>
    Object.values((await entry.load()).arguments ?? {}).flatMap(({ required }) => (required ? ['word'] : []));
  /** The command line with the options; behind the first word of another program they would be its own. */
  const lineWith = async (...options: readonly string[]): Promise<string[]> =>
    (await entry.load()).passesThrough
      ? [...path, ...options, ...(await needed())]
      : [...path, ...(await needed()), ...options];

  it('passes each option to the command, and nothing for absent ones', async () => {
    const { options = {}, arguments: taken = {} } = await entry.load();
    const plain = (await read([...path, ...(await needed())])).parsed!;
    for (const [argument, { required, variadic }] of Object.entries(taken))
      expect(plain.input[argument]).toEqual(required ? (variadic ? ['word'] : 'word') : variadic ? [] : undefined);
    for (const [option, definition] of Object.entries(options)) {
      const { kind, short } = definition;
      expect(plain.input[option], option).toEqual(
        kind === 'flag' ? false : kind === 'list' || kind === 'choices' ? [] : undefined,
      );
      const { words, value } = example(definition);
      const spellings = [[`--${kebab(option)}${words.length > 0 ? `=${words[0]}` : ''}`]];
      if (short !== undefined) spellings.push([`-${short}`, ...words]);
      for (const spelling of spellings) {
        const { parsed } = await read(await lineWith(...spelling));
        expect(parsed?.input[option], spelling.join(' ')).toEqual(value);
      }
    }
  });

  it('has help that fits a terminal of 40 columns', async () => {
    let printed = '';
    await parse([...path, '--help'], '1.2.3', { write: (text) => void (printed += text), width: 40 });
    // A word is broken only between its choices.
    const tooLong = printed.split('\n').filter((line) => line.length > 40 && /\S[ |,]+\S/.test(line.slice(2)));
    expect(tooLong).toEqual([]);
  });

  it('takes the options of every command before its words and after them', async () => {
    const before = await read(['--json', '--profile', 'p', ...path, ...(await needed())]);
    const after = await read(await lineWith('--json', '--profile', 'p'));
    for (const { parsed } of [before, after]) expect(parsed?.globals).toMatchObject({ json: true, profile: 'p' });
  });

  it('keeps its own options apart from those of every command', async () => {
    const flags = Object.entries(globalOptions).filter(([, { kind }]) => kind === 'flag');
    const typed = flags.map(([flag]) => `--${kebab(flag)}`);
    const { options = {} } = await entry.load();
    const own = Object.entries(options).filter(([option]) => !Object.hasOwn(globalOptions, option));
    const given = own.map(([option, definition]) => ({ option, ...example(definition) }));
    const words = given.map(({ option, words: [word] }) => `--${kebab(option)}${word === undefined ? '' : `=${word}`}`);
    for (const all of [
      [...words, ...typed],
      [...typed, ...words],
    ]) {
      const { parsed } = await read(await lineWith(...all));
      expect(parsed?.input).toMatchObject(Object.fromEntries(given.map(({ option, value }) => [option, value])));
      expect(parsed?.globals).toMatchObject(Object.fromEntries(flags.map(([flag]) => [flag, true])));
    }
  });

  it('refuses an option that there is none of, and prints help with its summary', async () => {
    await expect(read(await lineWith('--no-such-option'))).rejects.toMatchObject({ code: 'USAGE' });
    const { parsed, printed } = await read([...path, '--help']);
    expect(parsed).toBeUndefined();
    expect(printed).toContain(entry.summary);
  });
});

describe('the help of the program', () => {
  it.each([40, 80, 120])('fits %i columns, and names every command and option', (width) => {
    const lines = rootHelp(width).split('\n');
    // The longest word fits.
    expect(lines.filter((line) => line.length > width)).toEqual([]);
    const terms = [
      ...Object.keys(program),
      ...Object.entries(globalOptions).map(([name, option]) => formatFlags(name, option)),
      '-v, --version',
      '-h, --help',
    ];
    for (const term of terms) expect(lines.some((line) => line.trim().split('  ')[0] === term)).toBe(true);
  });

  it.each([40, 80, 120])('is laid out as commander lays it out, at %i columns', (width) => {
    const commander = new Command('laudio').helpOption(false).helpCommand(false);
    commander.configureHelp({ ...wrappedHelp, helpWidth: width, subcommandTerm: (command) => command.name() });
    for (const [name, { summary }] of Object.entries(program)) commander.command(name).summary(summary);
    for (const [name, option] of Object.entries(globalOptions))
      commander.addOption(
        new CommanderOption(formatFlags(name, option), option.summary).helpGroup('Options of every command:'),
      );
    const [, ...groups] = commander.helpInformation().split(/\n(?=Options of|Commands:)/);
    for (const group of groups) expect(rootHelp(width)).toContain(group);
    expect(groups).toHaveLength(2);
  });

  it('is the same whichever words ask for it, with the parser and without', async () => {
    for (const words of [[], ['help'], ['-h'], ['--help'], ['--json', '--help']])
      expect(await read(words)).toEqual({ parsed: undefined, printed: rootHelp(100) });
    expect([[], ['help'], ['-h'], ['--help']].every(asksForRootHelp)).toBe(true);
    expect([['help', 'job'], ['job'], ['--json', '--help'], ['-v'], ['']].some(asksForRootHelp)).toBe(false);
  });
});
