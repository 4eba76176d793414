import { defineCommand, integer, required } from '../../command.ts';
import { noteAll, templateDetail } from '../../resources/template.ts';
import { readTemplate, templateOptions } from '../../resources/template-input.ts';

export const command = defineCommand({
  description:
    'FILE has the format of “laudio template add”. Existing records keep the template version that they were made with.',
  arguments: {
    id: required('Id of an own template', { shown: 'template' }),
    file: required('Template, or - for standard input'),
  },
  options: {
    ...templateOptions,
    ifVersion: integer('Only if the template is still this version', { placeholder: 'N' }),
  },
  examples: [['laudio template edit our_chest_ct chest.json', 'replace it with the file']],
  async run({ client, io, signal }, { id, file, language, modality, ifVersion }) {
    const { definition, notes } = await readTemplate(io, file, { id, language, modality });
    const headers = ifVersion === undefined ? {} : { headers: { 'If-Match': `"${ifVersion}"` } };
    const { templates } = await client();
    const { data } = await templates.update({ params: { id }, body: definition }, { signal, ...headers });
    noteAll(io, notes);
    return templateDetail(data);
  },
});
