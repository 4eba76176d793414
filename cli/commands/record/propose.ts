import { defineCommand, required } from '../../command.ts';
import { impressionList } from '../../resources/impression.ts';

export const command = defineCommand({
  description:
    'Asks the language model of the server to condense the findings of a draft, and prints each sentence with the findings that it rests on. The record doesn’t change; nothing that says more than the findings is printed.',
  arguments: { id: required('Id of the record (rec_…)') },
  examples: [
    ['laudio record propose rec_…', 'what the impression could say'],
    ['laudio record propose rec_… --json --jq ".sentences[].text"', 'the sentences alone'],
  ],
  async run({ client, io, signal }, { id }) {
    const { impressions, records } = await client();
    // A model that failed is not asked again unless the caller does.
    const { data } = await io.progress('Condensing the findings', () =>
      impressions.propose({ params: { id } }, { signal, retries: 0 }),
    );
    const { data: record } = await records.version({ params: { id, n: data.version } }, { signal });
    return impressionList(data, record);
  },
});
