/** Waits for a job to end. */
import { AppError } from '../contract/errors.ts';
import type { Job, JobStatus } from '../contract/job.ts';
import { backoffDelay } from '../domain/backoff.ts';
import type { Clock } from '../domain/clock.ts';
import { pause } from '../domain/pause.ts';
import type { Interruption } from '../domain/pause.ts';
import type { Client } from './client.ts';

const endings: readonly JobStatus[] = ['completed', 'failed', 'cancelled'];

/** Whether the status of a job is final. */
export const hasEnded = ({ status }: Pick<Job, 'status'>): boolean => endings.includes(status);

export interface WaitForJobOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds. */
  readonly timeout: number;
  /** Receives the job after each look, the last one included. */
  readonly onProgress?: (job: Job) => void;
  readonly signal?: Interruption;
}

/** The longest time between two polls of a job, in ms. */
const maxInterval = { default: 5000, withoutEngine: 30_000 } as const;

/**
 * Polls the job, at first often and then more rarely (0.2 s to 5 s; 30 s while there is no speech recogniser), until
 * the job ends, whatever its outcome. STILL_PENDING when the job has not ended after `timeout`; the job continues.
 */
export async function waitForJob(client: Pick<Client, 'jobs'>, id: string, options: WaitForJobOptions): Promise<Job> {
  const { clock, random, timeout, onProgress, signal } = options;
  const end = clock.elapsed() + timeout;
  for (let attempt = 1; ; attempt++) {
    const { data: job } = await client.jobs.get({ params: { id } }, signal ? { signal } : {});
    onProgress?.(job);
    if (hasEnded(job)) return job;
    const left = end - clock.elapsed();
    if (left <= 0) {
      throw new AppError('STILL_PENDING', {
        message: `The job is still ${job.status.replace('_', ' ')}.`,
        details: { job_id: id, status: job.status, progress: job.progress },
        hint: `It goes on; wait again with "laudio job wait ${id}".`,
      });
    }
    const max = job.waiting_for?.reason === 'engine' ? maxInterval.withoutEngine : maxInterval.default;
    const delay = backoffDelay(attempt, { base: 200, factor: 1.5, max, random });
    await pause(clock, Math.min(left, delay), signal);
  }
}
