import { languages } from '../../../src/contract/shared.ts';
import { choice, command } from '../../command.ts';
import { listView } from '../../view.ts';

export const list = command({
  options: { language: choice(languages, 'Language of names and titles') },
  async run({ client, signal }, { language }) {
    const { items } = (await (await client()).templates.list({ query: language ? { language } : {} }, { signal })).data;
    return listView({
      data: items,
      rows: items,
      columns: [
        { title: 'ID', value: (template) => template.id },
        { title: 'Name', value: (template) => template.name, tone: () => 'strong' },
        { title: 'Specialty', value: (template) => template.specialty },
        {
          title: 'Sections',
          value: (template) => template.sections.map((section) => section.title).join(', '),
          cut: true,
        },
      ],
      empty: 'There are no templates.',
    });
  },
});
