import type { Client } from '../client.ts';
import { waitForJob as waitByClock } from '../wait-for-job.ts';
import type { WaitForJobOptions } from '../wait-for-job.ts';
import type { Job } from '../../contract/job.ts';
import { waitingClock } from '../../node/clock.ts';

export interface WaitOptions extends Pick<WaitForJobOptions, 'onProgress' | 'signal'> {
  /** Milliseconds. Default: 60,000. */
  readonly timeout?: number;
}

/**
 * Waits until the job ends, whatever its outcome, and returns the job. STILL_PENDING if it has not ended in time; the
 * job continues.
 */
export const waitForJob = (
  client: Pick<Client, 'jobs'>,
  id: string,
  { timeout = 60_000, ...options }: WaitOptions = {},
): Promise<Job> => waitByClock(client, id, { ...options, timeout, clock: waitingClock, random: Math.random });
