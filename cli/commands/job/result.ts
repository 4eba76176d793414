import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, required } from '../../command.ts';
import { recordDetail } from '../../resources/record.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the job (job_…)') },
  async run({ client, signal }, { id }) {
    const { data } = await (await client()).jobs.result({ params: { id } }, { signal });
    if ('sections' in data) return recordDetail(data);
    throw new AppError('JOB_FAILED', {
      message: data.error ? `The job ${data.status}: ${data.error.message}` : `The job was ${data.status}.`,
      details: { job_id: data.job_id, status: data.status, ...(data.error && { error: data.error }) },
    });
  },
});
