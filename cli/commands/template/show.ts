import { languages } from '../../../src/contract/shared.ts';
import { choice, defineCommand, integer, required } from '../../command.ts';
import { templateDetail } from '../../resources/template.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the template', { shown: 'template' }) },
  options: {
    language: choice(languages, 'Language of a template that comes with Laudio'),
    version: integer('Version, even of a removed template; default: the current one'),
  },
  async run({ client, signal }, { id, language, version }) {
    const { templates } = await client();
    const query = { ...(language && { language }), ...(version !== undefined && { version }) };
    return templateDetail((await templates.get({ params: { id }, query }, { signal })).data);
  },
});
