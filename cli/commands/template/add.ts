import { defineCommand, flag, required, text } from '../../command.ts';
import { definitionDetail, noteAll, templateDetail } from '../../resources/template.ts';
import { readTemplate, templateOptions } from '../../resources/template-input.ts';

export const command = defineCommand({
  description:
    'FILE is JSON, as “laudio template export” writes it, or HTML of the MRRT profile, as RSNA publishes templates; the content tells. Texts of an HTML file that state what was seen become macros, which stand in a document where somebody says their name. What a template cannot hold is said line by line.',
  arguments: { file: required('Template, or - for standard input') },
  options: {
    id: text('Id of the template; default: the file’s, else made from the name', { placeholder: 'ID' }),
    ...templateOptions,
    dryRun: flag('Show what was understood, and add nothing'),
  },
  examples: [
    ['laudio template add chest.html --dry-run', 'see what a template of RSNA becomes'],
    ['laudio template add chest.html --id our_chest_ct --modality CT', 'add it'],
    ['laudio template export chest_ct | laudio template add - --id our_chest_ct', 'begin with one of Laudio'],
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
