import { defineCommand, required, text } from '../../command.ts';
import { clinicalText } from '../../shell/input-file.ts';
import { resultsOf } from '../../resources/critical.ts';

export const command = defineCommand({
  description: 'For results that the check does not find. The section must contain exactly these words.',
  arguments: { id: required('Id of the record (rec_…)'), section: required('Key of the section: impression') },
  options: { words: text('File with the words, - for standard input (default)', { placeholder: 'FILE' }) },
  examples: [['echo "Tension pneumothorax" | laudio critical mark rec_… impression', 'mark words of the impression']],
  async run({ io, client, signal }, { id, section, words = '-' }) {
    const body = { section, words: await clinicalText(io, words) };
    const { criticalResults } = await client();
    return resultsOf((await criticalResults.mark({ params: { id }, body }, { signal })).data);
  },
});
