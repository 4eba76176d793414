import { defineCommand, required } from '../../command.ts';
import { jobDetail, waitHint } from '../../resources/job.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the job (job_…)') },
  async run({ client, io, signal }, { id }) {
    const { data: job } = await (await client()).jobs.get({ params: { id } }, { signal });
    if (job.waiting_for?.reason === 'engine') io.notice(waitHint(job), 'faint');
    return jobDetail(job);
  },
});
