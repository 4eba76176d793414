import { defineCommand, required } from '../../command.ts';
import { logColumns } from '../../resources/job.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the job (job_…)') },
  async run({ client, signal }, { id }) {
    const { items } = (await (await client()).jobs.logs({ params: { id } }, { signal })).data;
    return listView({ data: items, rows: items, columns: logColumns, empty: 'There are no entries yet.' });
  },
});
