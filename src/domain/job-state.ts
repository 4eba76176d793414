/** The life of a job: which state follows which, and how often it is tried. */
import type { JobStatus } from '../contract/job.ts';

/** `in_progress` goes back to `queued` when a server stopped in the middle, or the engine was not available. */
export const jobTransitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ['in_progress', 'cancelled'],
  in_progress: ['queued', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export const mayBecome = (from: JobStatus, to: JobStatus): boolean => jobTransitions[from].includes(to);

/** Nothing follows. */
export const hasEnded = (status: JobStatus): boolean => jobTransitions[status].length === 0;

/** Times that a job is begun before it is given up. */
export const maxAttempts = 3;

/** How far a job is (0 to 1) when it is waiting, begun, its audio heard, and over. */
export const jobProgress = { queued: 0, begun: 0.1, heard: 0.6, ended: 1 } as const;
