import { defineCommand, required } from '../../command.ts';
import { resultsOf } from '../../resources/critical.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the record (rec_…)') },
  async run({ client, signal }, { id }) {
    return resultsOf((await (await client()).records.get({ params: { id } }, { signal })).data);
  },
});
