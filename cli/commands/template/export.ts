import { languages } from '../../../src/contract/shared.ts';
import { choice, defineCommand, required } from '../../command.ts';
import { outputOption, save } from '../../shell/output-file.ts';

export const command = defineCommand({
  description: 'Writes JSON for “laudio template add” and “laudio template edit”.',
  arguments: { id: required('Id of the template', { shown: 'template' }) },
  options: { language: choice(languages, 'Language of a template that comes with Laudio'), ...outputOption },
  examples: [['laudio template export chest_ct --language pt-BR -o chest.json', 'save it, to change it']],
  async run(context, { id, language, output }) {
    const { templates } = await context.client();
    const query = language ? { language } : {};
    const { data } = await templates.get({ params: { id }, query }, { signal: context.signal });
    const { origin: _origin, version: _version, ...definition } = data;
    const bytes = new TextEncoder().encode(`${JSON.stringify(definition, null, 2)}\n`);
    return save(
      context,
      (async function* () {
        yield bytes;
      })(),
      output,
      false,
    );
  },
});
