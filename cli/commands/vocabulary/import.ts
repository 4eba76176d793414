import type { TermInput } from '../../../src/contract/vocabulary.ts';
import { defineCommand, required } from '../../command.ts';
import { inputBytes } from '../../shell/input-file.ts';
import { givenOwner, importFile, importOptions, wordbookOptions } from '../../resources/wordbook.ts';
import { termNoun } from '../../resources/term.ts';

export const command = defineCommand({
  description:
    'Imports the whole file or nothing; invalid lines are listed. A file is text, with one word per line and its forms after = or a tab (“McBurney = mac burney; mack burney”); or CSV with the columns write, for, language and owner, the last three optional; or JSON as “laudio vocabulary list --json” prints it. The options supply values that a line omits.',
  arguments: { file: required('Text, CSV or JSON, - for standard input') },
  options: { ...wordbookOptions('counts'), ...importOptions(termNoun) },
  examples: [
    ['laudio vocabulary import drugs.txt --language pt-BR', 'yours'],
    ['laudio vocabulary export | laudio --profile clinic vocabulary import - --owner space', 'to another server'],
  ],
  async run({ client, io, signal }, { file, replace, ...given }) {
    const { readTerms } = await import('../../../src/files/wordbook/term-file.ts');
    return importFile({ io }, termNoun, await readTerms(inputBytes(io, file)), async (found) => {
      const items = found.map((term) => ({ ...givenOwner(given), ...term })) as TermInput[];
      return (await client()).vocabulary.import({ body: { items, ...(replace && { replace }) } }, { signal });
    });
  },
});
