/** The life of a job: which state follows which, and how often the service tries the job. */
import type { JobStatus } from '../contract/job.ts';

/** `in_progress` goes back to `queued` if a server stopped in the middle, or the engine was not available. */
export const jobTransitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ['in_progress', 'cancelled'],
  in_progress: ['queued', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export const mayBecome = (from: JobStatus, to: JobStatus): boolean => jobTransitions[from].includes(to);

/** Whether no other state follows. */
export const hasEnded = (status: JobStatus): boolean => jobTransitions[status].length === 0;

/** How often the service begins a job before it gives the job up. */
export const maxAttempts = 3;

/** Progress of a job, from 0 to 1: while it waits, once it has begun, once its audio is text, and at its end. */
export const jobProgress = { queued: 0, begun: 0.1, heard: 0.6, ended: 1 } as const;
