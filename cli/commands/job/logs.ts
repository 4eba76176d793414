import { defineCommand, required } from '../../command.ts';
import { logColumns } from '../../resources/job.ts';
import { wholeList, wholeListOptions } from '../../shell/paging.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the job (job_…)') },
  options: wholeListOptions,
  async run({ client, signal }, { id, ...paging }) {
    const { items } = (await (await client()).jobs.logs({ params: { id } }, { signal })).data;
    return wholeList(paging, items, { columns: logColumns, empty: 'There are no entries yet.' });
  },
});
