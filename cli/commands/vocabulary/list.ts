import { defineCommand } from '../../command.ts';
import { listEntries, listOptions } from '../../resources/wordbook.ts';
import { termNoun } from '../../resources/term.ts';

export const command = defineCommand({
  description: 'Yours and those of the space, newest first.',
  options: listOptions(termNoun, 'count'),
  async run({ client, signal }, options) {
    const { vocabulary } = await client();
    return listEntries(termNoun, (call) => vocabulary.list(call, { signal }), options, {
      add: 'WORD',
      columns: [
        { title: 'ID', value: ({ id }) => id, tone: () => 'faint' },
        { title: 'Write', value: ({ write }) => write, tone: () => 'strong' },
        { title: 'Owner', value: ({ owner }) => owner },
        { title: 'Language', value: ({ language }) => language ?? 'any', spare: 1 },
        { title: 'For', value: ({ for: forms }) => forms.join('; '), cut: true },
      ],
    });
  },
});
