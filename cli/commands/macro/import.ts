import type { MacroInput } from '../../../src/contract/macro.ts';
import { defineCommand, required } from '../../command.ts';
import { inputBytes } from '../../shell/input-file.ts';
import { givenFields, macroNoun, macroOptions } from '../../resources/macro.ts';
import { importFile, importOptions } from '../../resources/wordbook.ts';

export const command = defineCommand({
  description:
    'Imports the whole file or nothing; invalid lines are listed. A file is CSV with the columns name, text, section, language and owner, the last three optional, or JSON as “laudio macro list --json” prints it. The options supply values that a line omits.',
  arguments: { file: required('CSV or JSON, - for standard input') },
  options: { ...macroOptions, ...importOptions(macroNoun) },
  examples: [
    ['laudio macro import macros.csv --language pt-BR', 'yours'],
    ['laudio macro list --json | laudio --profile clinic macro import - --owner space', 'from one server to another'],
  ],
  async run({ client, io, signal }, { file, replace, ...given }) {
    const { readMacros } = await import('../../../src/files/wordbook/macro-file.ts');
    return importFile({ io }, macroNoun, await readMacros(inputBytes(io, file)), async (found) => {
      const items = found.map((macro) => ({ ...givenFields(given), ...macro })) as MacroInput[];
      return (await client()).macros.import({ body: { items, ...(replace && { replace }) } }, { signal });
    });
  },
});
