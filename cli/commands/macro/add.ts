import { defineCommand, optional, required, text } from '../../command.ts';
import { givenFields, givenText, macroDetail, macroOptions } from '../../resources/macro.ts';

export const command = defineCommand({
  description:
    'The text comes into a document where somebody dictates the name as a sentence of its own, or after “insert”. It may hold fields, which are filled in before the document is signed: [side: right|left] and [__ mm].',
  arguments: {
    name: required('The words that call it'),
    text: optional('What it brings, - for standard input'),
  },
  options: { file: text('File with what it brings', { placeholder: 'FILE' }), ...macroOptions },
  examples: [
    ['laudio macro add "normal chest" "The lungs are clear." --section findings', 'yours, in every language'],
    ['laudio macro add "tórax normal" --file torax.txt --language pt-BR --owner space', 'everybody’s, in Portuguese'],
  ],
  async run(context, { name, text: words, file, ...given }) {
    const { client, ask, signal } = context;
    const said = await givenText(context, words, file);
    const body = { name, text: said ?? (await ask.text('Text', 'TEXT or --file FILE')), ...givenFields(given) };
    return macroDetail((await (await client()).macros.create({ body }, { signal })).data);
  },
});
