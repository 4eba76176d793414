import { defineCommand, required, text } from '../../command.ts';
import { clinicalText } from '../../shell/input-file.ts';
import { resultsOf } from '../../resources/critical.ts';

export const command = defineCommand({
  description: 'For what the check does not find by itself. The words must stand in the section as they are given.',
  arguments: { id: required('Id of the document (rec_…)'), section: required('Key of the section: impression') },
  options: { words: text('File with the words, - for standard input (default)', { placeholder: 'FILE' }) },
  examples: [['echo "Tension pneumothorax" | laudio critical mark rec_… impression', 'mark words of the impression']],
  async run({ io, client, signal }, { id, section, words = '-' }) {
    const body = { section, words: await clinicalText(io, words) };
    const { criticalResults } = await client();
    return resultsOf((await criticalResults.mark({ params: { id }, body }, { signal })).data);
  },
});
