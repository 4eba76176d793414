import { languages } from '../../../src/contract/shared.ts';
import { choice, command, required } from '../../command.ts';
import { detailView } from '../../view.ts';

export const show = command({
  arguments: { id: required('Id of the template') },
  options: { language: choice(languages, 'Language of names and titles') },
  async run({ client, signal }, { id, language }) {
    const { templates } = await client();
    const { data } = await templates.get({ params: { id }, query: language ? { language } : {} }, { signal });
    return detailView({
      data,
      fields: [
        ['Id', data.id],
        ['Name', data.name, 'strong'],
        ['Specialty', data.specialty],
        ['Language', data.language],
        ...data.sections.map(({ key, title }) => [`Section ${key}`, title] as const),
      ],
    });
  },
});
