import { macroOwners } from '../../../src/contract/macro.ts';
import { languages } from '../../../src/contract/shared.ts';
import { choice, command, text } from '../../command.ts';
import { firstItems, limitOption } from '../../paging.ts';
import { listView } from '../../view.ts';

export const list = command({
  description: 'Yours and those of the space, newest first.',
  options: {
    owner: choice(macroOwners, 'Only yours (person), or only those of the space'),
    language: choice(languages, 'Only those that can be called in documents in this language'),
    q: text('Only macros with these words', { short: 'q', placeholder: 'WORDS' }),
    ...limitOption,
  },
  async run({ client, signal }, { limit, ...filters }) {
    const { macros } = await client();
    const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const { items, note } = await firstItems(limit, (paging) =>
      macros.list({ query: { ...chosen, ...paging } }, { signal }),
    );
    return listView({
      data: items,
      rows: items,
      columns: [
        { title: 'ID', value: ({ id }) => id, tone: () => 'faint' },
        { title: 'Name', value: ({ name }) => name, tone: () => 'strong' },
        { title: 'Owner', value: ({ owner }) => owner },
        { title: 'Language', value: ({ language }) => language ?? 'any', spare: 2 },
        { title: 'Section', value: ({ section }) => section, spare: 1 },
        { title: 'Text', value: ({ text: words }) => words.replace(/\s+/g, ' '), cut: true },
      ],
      empty:
        Object.keys(chosen).length > 0
          ? 'No macro matches.'
          : 'There are no macros yet. Make one with: laudio macro add NAME TEXT',
      ...(note && { note }),
    });
  },
});
