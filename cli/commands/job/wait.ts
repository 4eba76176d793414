import { waitForJob } from '../../../src/client/wait-for-job.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Job } from '../../../src/contract/job.ts';
import { defineCommand, integer, required } from '../../command.ts';
import { render } from '../../shell/render.ts';
import { jobDetail, jobStatusWords, waitHint, waitWords } from '../../resources/job.ts';

const defaultSeconds = 300;

export const command = defineCommand({
  description: 'Ends with 0 if the job completed, 9 if it failed or was cancelled, 10 if it is still running.',
  arguments: { id: required('Id of the job (job_…)') },
  options: { for: integer('Maximum seconds to wait; default: 300', { placeholder: 'S' }) },
  async run({ client, io, clock, signal }, { id, for: seconds = defaultSeconds }) {
    const connection = await client();
    let last: Job | undefined;
    const job = await io
      .progress(`Waiting for ${id}`, (update) =>
        waitForJob(connection, id, {
          clock,
          random: Math.random,
          timeout: seconds * 1000,
          signal,
          onProgress: (seen) => {
            last = seen;
            update(`${id}: ${waitWords(seen) ?? `${jobStatusWords(seen)}, ${Math.round(seen.progress * 100)} %`}`);
          },
        }),
      )
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'INTERRUPTED') throw interrupted(id);
        throw last && error.code === 'STILL_PENDING' ? stillWaiting(error, last) : error;
      });
    if (job.status === 'completed') return jobDetail(job);
    await render(io, jobDetail(job));
    throw new AppError('JOB_FAILED', {
      message: job.error ? `The job failed: ${job.error.message}` : `The job was ${job.status}.`,
      details: { job_id: job.id, status: job.status },
    });
  },
});

/** Ctrl-C only ends the wait; the job continues. */
const interrupted = (id: string): AppError =>
  new AppError('INTERRUPTED', {
    message: 'Interrupted. The job continues.',
    hint: `Wait again with "laudio job wait ${id}", or end it with "laudio job cancel ${id}".`,
    details: { job_id: id },
  });

/** The same error, with the reason for the wait and a hint. */
function stillWaiting({ message, details }: AppError, job: Job): AppError {
  const words = waitWords(job);
  return new AppError('STILL_PENDING', {
    message: words === undefined ? message : `The job ${words}.`,
    details: { ...details, ...(job.waiting_for && { waiting_for: job.waiting_for }) },
    hint: waitHint(job),
  });
}
