/** One attempt at a job: begin, let the engine work, and end it in one transaction. */
import { AppError, errors } from '../../src/contract/errors.ts';
import { backoffDelay } from '../../src/domain/backoff.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { jobProgress, maxAttempts } from '../../src/domain/job-state.ts';
import { draftDocument, recordOf } from '../records/dictation.ts';
import type { Draft } from '../records/dictation.ts';
import { longestSimulatedMs } from '../plugins/simulate.ts';
import { linkExam } from '../records/exam.ts';
import { putRecord, toKept } from '../records/stored-record.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/store.ts';
import { announceEnd } from './announce-end.ts';
import { advance } from './stored-job.ts';
import type { StoredJob } from './stored-job.ts';

/** What a runner works with, and numbers from 0 to 1 for the jitter of repetitions. */
export type RunnerServices = Omit<Services, 'jobs'> & { readonly random: () => number };

/** Between attempts while something is not available, in ms. */
const waiting = { base: 2000, factor: 4, max: 300_000 };

/** A full disk is no fault of the job: it is tried again for so many ms, whatever the number of attempts. */
const storagePatience = 24 * 3600 * 1000;

const isWorthRepeating = (job: StoredJob, code: string, { clock }: RunnerServices): boolean =>
  job.attempts < maxAttempts ||
  (code === 'STORAGE_UNAVAILABLE' && clock.now() - Date.parse(job.created_at) < storagePatience);

/** ms: no job is made to wait longer, be it for a further attempt or because its test client asked for it. */
export const longestWait = Math.max(waiting.max, longestSimulatedMs);

/** When a queued job may begin, in ms since 1970. */
export const dueAt = ({ not_before: at }: StoredJob): number => (at === undefined ? 0 : Date.parse(at));

/** What may be gone when it is tried again. */
const passing = new Set<string>(['ENGINE_UNAVAILABLE', 'STORAGE_UNAVAILABLE', 'SERVER_BUSY']);

type JobError = NonNullable<StoredJob['error']>;

const simulatedFailure: JobError = {
  code: 'SIMULATED_FAILURE',
  message: 'This failure was asked for by the test client.',
};
const interruptedTooOften: Record<'INTERRUPTED' | 'STORAGE_UNAVAILABLE', JobError> = {
  INTERRUPTED: { code: 'INTERRUPTED', message: 'The server stopped each time while it ran.' },
  STORAGE_UNAVAILABLE: { code: 'STORAGE_UNAVAILABLE', message: 'Storage failed each time while it ran.' },
};

/**
 * From a job that was begun to its end, or back to the queue. Rejects only where storage fails so that the outcome could
 * not be kept: the job is then `in_progress` with nobody at work (`requeueInterrupted`).
 */
export async function runJob(services: RunnerServices, job: StoredJob, signal: AbortSignal): Promise<void> {
  try {
    if (job.simulate && 'fail' in job.simulate) return await fail(services, job, simulatedFailure);
    const draft = await draftDocument(services, job, signal, () => noteHeard(services, job));
    await complete(services, job, draft);
  } catch (error) {
    if (signal.aborted) await requeueInterrupted(services, job.id);
    else await repeatOrFail(services, job, error);
  }
}

/** Changes the job if this attempt is still the one that counts: not cancelled, not taken over by a later one. */
function inAttempt(
  { store }: Pick<Services, 'store'>,
  attempt: StoredJob,
  change: (tx: Transaction, present: StoredJob) => Promise<void>,
): Promise<void> {
  return store.transact(async (tx) => {
    const present = await tx.get('jobs', attempt.id);
    if (present?.status === 'in_progress' && present.attempts === attempt.attempts) await change(tx, present);
  });
}

/** The job, now in progress; `undefined` where it is not queued any more. */
export function beginJob({ store, clock }: RunnerServices, id: string): Promise<StoredJob | undefined> {
  return store.transact(async (tx) => {
    const job = await tx.get('jobs', id);
    if (job?.status !== 'queued') return undefined;
    const attempt = job.attempts + 1;
    const message = `Begun, attempt ${attempt}${attempt > maxAttempts ? '' : ` of ${maxAttempts}`}.`;
    const begun = advance(job, 'in_progress', clock, { level: 'info', message });
    tx.put('jobs', begun);
    return begun;
  });
}

async function noteHeard(services: RunnerServices, job: StoredJob): Promise<void> {
  await inAttempt(services, job, async (tx, present) => {
    const now = isoNow(services.clock);
    const line = { at: now, level: 'info' as const, message: 'The audio has been transcribed.' };
    tx.put('jobs', { ...present, progress: jobProgress.heard, updated_at: now, log: [...present.log, line] });
  });
}

/** Record, version, exam, job and announcement together: there is never one without the others. */
async function complete(services: RunnerServices, job: StoredJob, draft: Draft): Promise<void> {
  const { clock, ids, announcer } = services;
  const record = recordOf(job, draft, { id: ids('rec'), job_id: job.id, clock });
  await inAttempt(services, job, async (tx, present) => {
    putRecord(tx, record, { who: job.who, change: 'generated', ...toKept(draft.inspection) });
    await linkExam(tx, services, record);
    const line = { level: 'info' as const, message: 'The record has been stored.' };
    // The record owns the audio from here on.
    const completed = advance(present, 'completed', clock, line, { record_id: record.id, audio: null });
    tx.put('jobs', completed);
    await announceEnd(tx, announcer, completed);
  });
}

async function repeatOrFail(services: RunnerServices, job: StoredJob, error: unknown): Promise<void> {
  const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
  if (!(error instanceof AppError)) {
    services.log({
      level: 'error',
      event: 'job_attempt_failed',
      job_id: job.id,
      name: error instanceof Error ? error.name : typeof error,
    });
  }
  if (!passing.has(code) || !isWorthRepeating(job, code, services)) {
    // The general sentence of the code: an engine's own words may quote what it was given.
    return fail(services, job, { code, message: errors[code].title });
  }
  const { clock, random } = services;
  const delay = backoffDelay(job.attempts, { ...waiting, random });
  const line = { level: 'warn' as const, message: `${code}; queued again.` };
  const not_before = new Date(clock.now() + delay).toISOString();
  await inAttempt(services, job, async (tx, present) => {
    tx.put('jobs', advance(present, 'queued', clock, line, { not_before }));
  });
}

/** Its audio stays with the job: nothing that was dictated is thrown away for a failure of ours. */
async function fail(services: RunnerServices, job: StoredJob, error: JobError): Promise<void> {
  const { clock, announcer } = services;
  const line = { level: 'error' as const, message: `Failed: ${error.code}.` };
  await inAttempt(services, job, async (tx, present) => {
    const failed = advance(present, 'failed', clock, line, { error });
    tx.put('jobs', failed);
    await announceEnd(tx, announcer, failed);
  });
}

/** A job that was left in the middle waits for its next attempt, or has had its last one. */
export async function requeueInterrupted(
  services: RunnerServices,
  id: string,
  code: keyof typeof interruptedTooOften = 'INTERRUPTED',
): Promise<void> {
  const { store, clock } = services;
  const job = await store.get('jobs', id);
  if (job?.status !== 'in_progress') return;
  if (!isWorthRepeating(job, code, services)) return fail(services, job, interruptedTooOften[code]);
  const line = { level: 'warn' as const, message: 'Interrupted; queued again.' };
  await inAttempt(services, job, async (tx, present) => {
    tx.put('jobs', advance(present, 'queued', clock, line));
  });
}
