import { defineCommand, flag, required, text } from '../../command.ts';
import { definitionDetail, noteAll, templateDetail } from '../../resources/template.ts';
import { readTemplate, templateOptions } from '../../resources/template-input.ts';

export const command = defineCommand({
  description:
    'FILE is JSON, as “laudio template export” writes it, or HTML of the MRRT profile, as RSNA publishes templates; the format is detected. Texts of an HTML file that state findings become macros, which are inserted when their name is dictated. Parts that a template can’t represent are listed.',
  arguments: { file: required('Template, or - for standard input') },
  options: {
    id: text('Id of the template; default: the file’s, otherwise derived from the name', { placeholder: 'ID' }),
    ...templateOptions,
    dryRun: flag('Show the parsed template without adding it'),
  },
  examples: [
    ['laudio template add chest.html --dry-run', 'preview an RSNA template'],
    ['laudio template add chest.html --id our_chest_ct --modality CT', 'add it'],
    ['laudio template export chest_ct | laudio template add - --id our_chest_ct', 'start with one of Laudio’s'],
  ],
  async run({ client, io, signal }, { file, id, language, modality, dryRun }) {
    const { definition, format, notes } = await readTemplate(io, file, { id, language, modality });
    if (dryRun) {
      if (io.output !== 'json') noteAll(io, notes);
      return definitionDetail(definition, { format, definition, notes });
    }
    const { data } = await (await client()).templates.create({ body: definition }, { signal });
    noteAll(io, notes);
    return templateDetail(data);
  },
});
