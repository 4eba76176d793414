import { defineCommand, optional, required, text } from '../../command.ts';
import { clinicalText } from '../../shell/input-file.ts';
import { chosenResult, resultsOf } from '../../resources/critical.ts';

export const command = defineCommand({
  description:
    'For a result that needs no communication. The reason, your name and the time are stored with the record.',
  arguments: {
    id: required('Id of the record (rec_…)'),
    result: optional('Id of the result (f_…); default: the only open one'),
  },
  options: { reason: text('File with the reason, - for standard input (default)', { placeholder: 'FILE' }) },
  examples: [
    ['echo "Known since March, unchanged" | laudio critical dismiss rec_…', 'say why it needs no communication'],
  ],
  async run({ io, client, signal }, { id, result: named, reason: file = '-' }) {
    const { records, criticalResults } = await client();
    const { data: record } = await records.get({ params: { id } }, { signal });
    const params = { id, result: chosenResult(record, named) };
    const body = { status: 'dismissed' as const, reason: await clinicalText(io, file) };
    return resultsOf((await criticalResults.decide({ params, body }, { signal })).data);
  },
});
