import { defineCommand, required } from '../../command.ts';
import { jobDetail } from '../../resources/job.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the job (job_…)') },
  async run({ client, signal }, { id }) {
    return jobDetail((await (await client()).jobs.cancel({ params: { id } }, { signal })).data);
  },
});
