/** A stored job: the fields of the API, the dictation, and the log. */
import type { Job, JobLogEntry, JobStatus, WaitingFor } from '../../../src/contract/job.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { hasEnded, jobProgress, mayBecome } from '../../../src/domain/job-state.ts';
import type { Dictation } from '../dictation.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Members } from '../../storage/members.ts';
import type { Reader } from '../../storage/store.ts';

export type StoredJob = Documents['jobs'];

/** Adds the reason why the job waits. */
export const withWait = (job: Job, waitingFor: WaitingFor | undefined): Job =>
  waitingFor ? { ...job, waiting_for: waitingFor } : job;

/** The job as the API shows it, without the reason for waiting. */
export const toJob = (job: StoredJob): Job => ({
  id: job.id,
  type: job.type,
  status: job.status,
  progress: job.progress,
  attempts: job.attempts,
  record_id: job.record_id,
  worklist_item_id: job.worklist_item_id,
  error: job.error,
  created_at: job.created_at,
  started_at: job.started_at,
  finished_at: job.finished_at,
  updated_at: job.updated_at,
});

/** Reads the job. 404 if the space has no job with that id. */
export async function readJob(reader: Reader, space: string, id: string): Promise<StoredJob> {
  const job = await reader.get('jobs', id);
  if (job?.space !== space) throw new AppError('NOT_FOUND', { message: 'There is no job with this id.' });
  return job;
}

/** Creates a queued job with the dictation. */
export function newJob(
  dictation: Dictation,
  { clock, ...own }: Pick<StoredJob, 'id' | 'client_id' | 'simulate' | 'holder'> & { clock: Clock },
): StoredJob {
  const now = isoNow(clock);
  return {
    ...dictation,
    ...own,
    type: 'medical_record.generate',
    status: 'queued',
    progress: jobProgress.queued,
    attempts: 0,
    record_id: null,
    worklist_item_id: dictation.request.worklist_item_id ?? null,
    error: null,
    created_at: now,
    started_at: null,
    finished_at: null,
    updated_at: now,
    log: [{ at: now, level: 'info', message: 'Queued.' }],
  };
}

/** Whether another member works on the job, or has the live transcriptions that it needs. */
export async function isOfOther(
  { holder, status, request }: Pick<StoredJob, 'holder' | 'status' | 'request'>,
  members: Pick<Members, 'id' | 'present'>,
): Promise<boolean> {
  if (holder === undefined || holder === members.id) return false;
  const needsHolder = status === 'in_progress' || request.transcriptions !== undefined;
  return needsHolder && (await members.present()).has(holder);
}

/** A log line says what happened and quotes nothing of the dictation. */
export type LogLine = Omit<JobLogEntry, 'at'>;

/** Moves the job to its next state. Throws an Error if the state table doesn't allow it, which is a bug. */
export function advance(
  job: StoredJob,
  to: JobStatus,
  clock: Clock,
  line: LogLine,
  rest: Partial<Pick<StoredJob, 'record_id' | 'error' | 'audio' | 'not_before' | 'refusals' | 'holder'>> = {},
): StoredJob {
  if (!mayBecome(job.status, to)) throw new Error(`A job cannot go from ${job.status} to ${to}.`);
  const now = isoNow(clock);
  const begins = to === 'in_progress';
  const { not_before: _past, holder, ...present } = job;
  return {
    ...present,
    ...(holder !== undefined && !hasEnded(to) && { holder }),
    ...rest,
    status: to,
    progress: begins
      ? jobProgress.begun
      : to === 'queued'
        ? jobProgress.queued
        : to === 'completed'
          ? jobProgress.ended
          : job.progress,
    attempts: job.attempts + (begins ? 1 : 0),
    started_at: begins ? now : job.started_at,
    finished_at: hasEnded(to) ? now : null,
    updated_at: now,
    log: [...job.log, { at: now, ...line }],
  };
}
