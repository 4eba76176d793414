import type { TypeOf } from '../../../src/contract/schema.ts';
import type { TemplatePreview } from '../../../src/contract/template.ts';
import { defineCommand, required, text } from '../../command.ts';
import { readTemplate, templateOptions } from '../../resources/template-input.ts';
import { clinicalText } from '../../shell/input-file.ts';
import { detailView } from '../../shell/view.ts';

/** Which template an exam of the request gets; `null` without one. */
function describeChoice({ fits, preferred }: TypeOf<typeof TemplatePreview>): string | null {
  if (fits === undefined) return null;
  if (preferred) return `gets ${preferred.name} (${preferred.id})`;
  return fits ? 'gets this template' : 'gets another template';
}

export const command = defineCommand({
  description:
    'Writes a report from dictated text by a template that need not be on the server. Nothing is stored, neither the template nor the report. FILE has the format of “laudio template add”.',
  arguments: { file: required('Template, or - for standard input') },
  options: {
    text: text('File with the dictated text; default: nothing is dictated', { placeholder: 'FILE' }),
    language: templateOptions.language,
    modality: text('Modality of an exam, to see whether it gets the template', { placeholder: 'CT' }),
    description: text('File with the description of that exam', { placeholder: 'FILE' }),
    code: text('Procedure code of that exam', { placeholder: 'CODE' }),
  },
  examples: [
    ['laudio template try chest.json --text said.txt', 'the report that the words become'],
    ['laudio template export chest_ct | laudio template try -', 'what one of Laudio’s brings by itself'],
    ['laudio template try chest.json --modality CT --code 71250', 'and whether an exam with that code gets it'],
  ],
  async run({ client, io, signal }, { file, text: dictated, language, modality, description, code }) {
    const { definition } = await readTemplate(io, file, { language });
    const said = dictated === undefined ? '' : await clinicalText(io, dictated);
    const exam = modality !== undefined && {
      modality: modality.toUpperCase(),
      exam_description: description === undefined ? '' : await clinicalText(io, description),
      ...(code !== undefined && { procedure_code: code }),
    };
    const body = { definition, text: said, ...(exam && { exam }) };
    const { data } = await (await client()).templates.preview({ body }, { signal });
    return detailView({
      data,
      fields: [
        ['Template', definition.name, 'strong'],
        ['Exam', describeChoice(data)],
      ],
      sections: data.sections.map(({ title, text }) => ({ title, text })),
    });
  },
});
