import { defineCommand, optional, required, text } from '../../command.ts';
import { findMacro, givenFields, givenText, macroDetail, macroOptions } from '../../resources/macro.ts';

export const command = defineCommand({
  description:
    'Without options, opens the text in your editor (VISUAL, EDITOR) if there is a terminal. An empty section removes it. Reports that already contain the macro don’t change.',
  arguments: {
    macro: required('Id (mac_…) or name of the macro'),
    text: optional('New text, - for standard input'),
  },
  options: {
    name: text('New name', { placeholder: 'NAME' }),
    file: text('File with the new text', { placeholder: 'FILE' }),
    ...macroOptions,
  },
  examples: [
    ['laudio macro edit "normal chest"', 'write its text in your editor'],
    ['laudio macro edit "normal chest" --owner space', 'make it available to everybody in the space'],
  ],
  async run(context, { macro: word, name, text: words, file, ...given }) {
    const { client, ask, signal } = context;
    const said = await givenText(context, words, file);
    const fields = {
      ...(name !== undefined && { name }),
      ...givenFields(given),
      ...(said !== undefined && { text: said }),
    };
    const isAsked = Object.keys(fields).length === 0;
    const instead = 'TEXT, --file, --name, --section, --language or --owner';
    if (isAsked) ask.requireTerminal(instead);
    const { macros } = await client();
    const before = await findMacro(macros, word, signal);
    const body = isAsked ? { text: await ask.edit(`Text of “${before.name}”`, before.text, instead) } : fields;
    // Never overwrites another person's change, least of all after a long edit.
    const headers = { 'If-Match': `"${before.version}"` };
    return macroDetail((await macros.update({ params: { id: before.id }, body }, { signal, headers })).data);
  },
});
