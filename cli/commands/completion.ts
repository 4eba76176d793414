import { choices, engineParts } from '../../src/node/choices.ts';
import { defineCommand, optional, text } from '../command.ts';
import type { AskedWords } from '../command.ts';
import type { Program } from '../entry.ts';
import { AppError } from '../../src/contract/errors.ts';
import { createProfiles } from '../../src/node/login/profiles.ts';
import type { Context } from '../context.ts';
import { engineCare, engineFiles } from './engine/engine-files.ts';
import { listPlaces, shells } from '../shell/completion/places.ts';
import { generateScript } from '../shell/completion/scripts.ts';
import { shownWords } from '../shell/completion/shown-words.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

export const completionOf = (program: Program) =>
  defineCommand({
    description:
      'Prints a script that completes commands, options, their values and files. It contains all words, so print it again after an update; profiles, speech models and ids it asks the program for. Of ids it knows those that commands printed to a terminal most recently, and none that the server alone has.',
    arguments: { shell: optional(shells.join(', ')) },
    options: {
      words: text('For the script: print the words of this source', { placeholder: 'SOURCE' }),
    },
    examples: [
      ['laudio completion bash > ~/.local/share/bash-completion/completions/laudio', 'for bash, in new terminals'],
      ['laudio completion zsh > ~/.zfunc/_laudio', 'for zsh, if ~/.zfunc is in $fpath'],
      ['laudio completion fish > ~/.config/fish/completions/laudio.fish', 'for fish'],
      ['laudio completion powershell | Add-Content $PROFILE', 'for PowerShell'],
    ],
    mends: true,
    async run(context, { shell: word, words: source }) {
      const { io } = context;
      if (source !== undefined) return printWords(io, await wordsFrom(context, source));
      if (word === undefined) throw new AppError('USAGE', { message: `Name a shell: ${shells.join(', ')}.` });
      const shell = shells.find((known) => known === word);
      if (!shell) throw unknownWord(`Shells are ${shells.join(', ')}.`, word, shells);
      await io.out(generateScript(shell, await listPlaces(program)));
    },
  });

/** The words that no script can hold. */
const askedWords: Readonly<Record<AskedWords, (context: Context) => Promise<readonly string[]>>> = {
  async profiles({ paths, clock }) {
    return (await createProfiles(paths.config, clock).list()).profiles.map(({ name }) => name);
  },
  async models(context) {
    const { listModels, modelsFolder } = await engineCare();
    const { recogniser } = choices(engineParts, context.settings, context.env);
    return (await listModels(await modelsFolder(recogniser, engineFiles(context)))).map(({ id }) => id);
  },
  async collections() {
    return (await import('../../server/index.ts')).listExportable();
  },
};

const isAsked = (source: string): source is AskedWords => Object.hasOwn(askedWords, source);

const wordsFrom = (context: Context, source: string): Promise<readonly string[]> =>
  isAsked(source) ? askedWords[source](context) : shownWords(context.paths, source);

const printWords = (io: Context['io'], words: readonly string[]): Promise<void> =>
  io.out(words.map((word) => `${word}\n`).join(''));
