import { defineCommand, optional, text } from '../command.ts';
import type { Program } from '../entry.ts';
import { AppError } from '../../src/contract/errors.ts';
import { createProfiles } from '../../src/node/login/profiles.ts';
import type { Context } from '../context.ts';
import { listPlaces, shells } from '../shell/completion/places.ts';
import { generateScript } from '../shell/completion/scripts.ts';
import { shownWords } from '../shell/completion/shown-words.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

export const completionOf = (program: Program) =>
  defineCommand({
    description:
      'Prints a script that completes commands, options, their values and files. It contains all words, so print it again after an update; profiles, and the ids that were last printed to a terminal, it asks the program for.',
    arguments: { shell: optional(shells.join(', ')) },
    options: {
      words: text('For the script: print the profiles, or the ids that a terminal shows', { placeholder: 'SOURCE' }),
    },
    examples: [
      ['laudio completion bash > ~/.local/share/bash-completion/completions/laudio', 'for bash, in new terminals'],
      ['laudio completion zsh > ~/.zfunc/_laudio', 'for zsh, if ~/.zfunc is in $fpath'],
      ['laudio completion fish > ~/.config/fish/completions/laudio.fish', 'for fish'],
      ['laudio completion powershell >> $PROFILE', 'for PowerShell'],
    ],
    mends: true,
    async run({ io, paths, clock }, { shell: word, words: source }) {
      if (source !== undefined) return printWords(io, await wordsFrom({ paths, clock }, source));
      if (word === undefined) throw new AppError('USAGE', { message: `Name a shell: ${shells.join(', ')}.` });
      const shell = shells.find((known) => known === word);
      if (!shell) throw unknownWord(`Shells are ${shells.join(', ')}.`, word, shells);
      await io.out(generateScript(shell, await listPlaces(program)));
    },
  });

async function wordsFrom({ paths, clock }: Pick<Context, 'paths' | 'clock'>, source: string): Promise<string[]> {
  if (source !== 'profiles') return shownWords(paths, source);
  return (await createProfiles(paths.config, clock).list()).profiles.map(({ name }) => name);
}

const printWords = (io: Context['io'], words: readonly string[]): Promise<void> =>
  io.out(words.map((word) => `${word}\n`).join(''));
