import { defineCommand, required } from '../command.ts';
import type { Program } from '../entry.ts';
import { listPlaces, shells } from '../shell/completion/places.ts';
import { generateScript } from '../shell/completion/scripts.ts';
import { unknownWord } from '../shell/unknown-word.ts';

export const completionOf = (program: Program) =>
  defineCommand({
    description:
      'Prints a script that completes commands, options and their choices. The script contains all words, so print it again after an update.',
    arguments: { shell: required(shells.join(', ')) },
    examples: [
      ['laudio completion bash > ~/.local/share/bash-completion/completions/laudio', 'for bash, in new terminals'],
      ['laudio completion zsh > ~/.zfunc/_laudio', 'for zsh, if ~/.zfunc is in $fpath'],
      ['laudio completion fish > ~/.config/fish/completions/laudio.fish', 'for fish'],
      ['laudio completion powershell >> $PROFILE', 'for PowerShell'],
    ],
    mends: true,
    async run({ io }, { shell: word }) {
      const shell = shells.find((known) => known === word);
      if (!shell) throw unknownWord(`Shells are ${shells.join(', ')}.`, word, shells);
      await io.out(generateScript(shell, await listPlaces(program)));
    },
  });
