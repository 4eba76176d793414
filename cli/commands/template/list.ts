import { languages } from '../../../src/contract/shared.ts';
import { choice, defineCommand } from '../../command.ts';
import { formatExams } from '../../resources/template.ts';
import { wholeList, wholeListOptions } from '../../shell/paging.ts';

export const command = defineCommand({
  options: { language: choice(languages, 'Language of the templates that come with Laudio'), ...wholeListOptions },
  async run({ client, signal }, { language, ...paging }) {
    const { items } = (await (await client()).templates.list({ query: language ? { language } : {} }, { signal })).data;
    return wholeList(paging, items, {
      columns: [
        { title: 'ID', value: (template) => template.id },
        { title: 'Name', value: (template) => template.name, tone: () => 'strong' },
        { title: 'Origin', value: ({ origin, version }) => (origin === 'own' ? `own, ${version}` : 'Laudio') },
        { title: 'Language', value: ({ language }) => language, spare: 2 },
        { title: 'Specialty', value: (template) => template.specialty, spare: 3 },
        { title: 'Chosen for', value: formatExams, cut: true, spare: 1 },
        {
          title: 'Sections',
          value: (template) => template.sections.map((section) => section.title).join(', '),
          cut: true,
          spare: 4,
        },
      ],
      empty: 'There are no templates.',
    });
  },
});
