import { defineCommand, optional, required, text } from '../../command.ts';
import { givenFields, givenText, macroDetail, macroOptions } from '../../resources/macro.ts';

export const command = defineCommand({
  description:
    'The text is inserted when somebody dictates the name as a separate sentence, or after “insert”. It may contain fields, which must be filled in before signing: [side: right|left] and [__ mm].',
  arguments: {
    name: required('Name, as it is dictated'),
    text: optional('Text to insert, - for standard input'),
  },
  options: { file: text('File with the text', { placeholder: 'FILE' }), ...macroOptions },
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
