import { defineCommand } from '../../command.ts';
import { macroNoun } from '../../resources/macro.ts';
import { listEntries, listOptions } from '../../resources/wordbook.ts';

export const command = defineCommand({
  description: 'Yours and those of the space, newest first.',
  options: listOptions(macroNoun, 'can be called'),
  async run({ client, signal }, options) {
    const { macros } = await client();
    return listEntries(macroNoun, (call) => macros.list(call, { signal }), options, {
      add: 'NAME TEXT',
      columns: [
        { title: 'ID', value: ({ id }) => id, tone: () => 'faint' },
        { title: 'Name', value: ({ name }) => name, tone: () => 'strong' },
        { title: 'Owner', value: ({ owner }) => owner },
        { title: 'Language', value: ({ language }) => language ?? 'any', spare: 2 },
        { title: 'Section', value: ({ section }) => section, spare: 1 },
        { title: 'Text', value: ({ text: words }) => words.replace(/\s+/g, ' '), cut: true },
      ],
    });
  },
});
