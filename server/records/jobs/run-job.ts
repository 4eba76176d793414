/** Runs one attempt at a job: begins it, calls the engines, and ends it in one transaction. */
import { AppError, errors } from '../../../src/contract/errors.ts';
import type { ErrorCode, FieldError } from '../../../src/contract/errors.ts';
import type { JobLogEntry } from '../../../src/contract/job.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { jobProgress, maxAttempts } from '../../../src/domain/job-state.ts';
import type { DictationDeps, Draft } from '../dictation.ts';
import { linkExam } from '../exam.ts';
import { putRecord, toStoredProvenance } from '../stored-record.ts';
import type { RecordDeps } from '../deps.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Transaction } from '../../storage/store.ts';
import { removeUsed } from '../transcriptions/stored-transcription.ts';
import { keepVersion } from '../templates/own-templates.ts';
import { announceEnd } from './announce-end.ts';
import { advance, isOfOther } from './stored-job.ts';
import type { LogLine, StoredJob } from './stored-job.ts';
import { lastElement } from '../../../src/domain/elements.ts';

/** Imported for the first job, because it is large. */
const dictations = () => import('../dictation.ts');

/** The dependencies of an attempt. */
export interface AttemptDeps extends DictationDeps, Pick<RecordDeps, 'ids' | 'announcer' | 'log' | 'members'> {
  /** Returns 0 to 1 (exclusive), for the jitter of retries. */
  readonly random: () => number;
}

/** Backoff between attempts while a service is unavailable, in ms. */
const backoff = { base: 2000, factor: 4, max: 300_000 };

/** ms of retries while the disk is full, regardless of the number of attempts: a full disk is not the job's fault. */
const storagePatience = 24 * 3600 * 1000;

const mayRetry = (job: StoredJob, code: string, { clock }: AttemptDeps): boolean =>
  job.attempts < maxAttempts ||
  ((code === 'STORAGE_UNAVAILABLE' || code === 'OUTCOME_UNKNOWN') &&
    // Uptime bounds the age, in case the clock jumped.
    Math.min(clock.now() - Date.parse(job.created_at), clock.elapsed()) < storagePatience);

/** Transient errors: a retry can succeed. */
const retryable = new Set<string>(['ENGINE_UNAVAILABLE', 'STORAGE_UNAVAILABLE', 'OUTCOME_UNKNOWN', 'SERVER_BUSY']);

type JobError = NonNullable<StoredJob['error']>;

/** `code`: the fault's code; the message is the API's for that code. */
const simulatedFailure = (code = 'SIMULATED_FAILURE'): JobError => ({
  code,
  message: Object.hasOwn(errors, code)
    ? errors[code as ErrorCode].title
    : 'A fault of this test server made the job fail.',
});
const interruptedTooOften: Record<'INTERRUPTED' | 'STORAGE_UNAVAILABLE', JobError> = {
  INTERRUPTED: { code: 'INTERRUPTED', message: 'The server stopped during each attempt at the job.' },
  STORAGE_UNAVAILABLE: { code: 'STORAGE_UNAVAILABLE', message: 'Storage failed during each attempt at the job.' },
};

/** Learns how the recogniser treats the audio of an attempt. */
export interface Listener {
  /** The audio was transcribed. */
  heard(): void;
  /** The recogniser refused the audio because it is unavailable. */
  refused(): void;
}

/**
 * Runs a started job to its end, or requeues it. Rejects only if the outcome could not be stored: the job is then still
 * `in_progress` without running, which `requeueInterrupted` repairs.
 */
export async function runJob(
  services: AttemptDeps,
  job: StoredJob,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  let isHeard = job.audio === null;
  try {
    if (job.simulate && 'fail' in job.simulate) return await fail(services, job, simulatedFailure(job.simulate.code));
    const { draftDocument } = await dictations();
    const draft = await draftDocument(services, job, signal, async () => {
      isHeard = true;
      listener.heard();
      await recordTranscribed(services, job);
    });
    await complete(services, job, draft);
  } catch (error) {
    if (signal.aborted) return requeueInterrupted(services, job.id);
    if (isHeard || codeOf(error) !== 'ENGINE_UNAVAILABLE') return retryOrFail(services, job, error);
    // A recogniser may report unreadable audio as its own failure.
    const damage = await findDamage(services, job);
    if (damage) return retryOrFail(services, job, damage);
    listener.refused();
    await requeueUnserved(services, job);
  }
}

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : 'INTERNAL_ERROR');

/** Why the audio cannot be read; `undefined` if it can. */
async function findDamage({ blobs }: AttemptDeps, { audio }: StoredJob): Promise<unknown> {
  try {
    if (!audio) return undefined;
    const { openAudio: heardFrom } = await dictations();
    (await heardFrom(blobs, audio)).destroy();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The log line of a job that waits for the recogniser. */
export const waitsForEngine: LogLine = {
  level: 'warn',
  message: 'Waits for a speech recogniser; the audio is kept, and the job goes on by itself.',
};

/** The job's log. A queued job notes since when the recogniser is unavailable (ms since 1970). */
export function createLog({ status, log }: StoredJob, unheardSince: number | undefined): JobLogEntry[] {
  const last = log.at(-1);
  if (status !== 'queued' || unheardSince === undefined || !last || last.message === waitsForEngine.message) return log;
  const at = new Date(Math.max(unheardSince, Date.parse(last.at))).toISOString();
  return [...log, { at, ...waitsForEngine }];
}

/** Requeues a job without counting the attempt, because the recogniser was unavailable. */
async function requeueUnserved(services: AttemptDeps, job: StoredJob): Promise<void> {
  const { clock, random } = services;
  const refusals = (job.refusals ?? 0) + 1;
  const not_before = new Date(clock.now() + backoffDelay(refusals, { ...backoff, random })).toISOString();
  await inAttempt(services, job, async (tx, present) => {
    const queued = advance(present, 'queued', clock, waitsForEngine, { not_before, refusals });
    // Omits repeated "Begun" and "Waits", which would fill the log of a job that waits for days.
    const [before, waits] = [queued.log.slice(0, -2), lastElement(queued.log)];
    const log = before.at(-1)?.message === waits.message ? before : [...before, waits];
    // The live transcript is not used any more: the whole audio waits for the recogniser.
    const { transcriptions: _pieces, ...request } = queued.request;
    tx.put('jobs', { ...queued, request, attempts: present.attempts - 1, log });
  });
}

/** Changes the job only if this attempt is current: not cancelled and not superseded. */
function inAttempt(
  { store }: Pick<RecordDeps, 'store'>,
  attempt: StoredJob,
  change: (tx: Transaction, present: StoredJob) => Promise<void>,
): Promise<void> {
  return store.transact(
    async (tx) => {
      const present = await tx.get('jobs', attempt.id);
      const isCurrent = present?.attempts === attempt.attempts && present.holder === attempt.holder;
      if (present?.status === 'in_progress' && isCurrent) await change(tx, present);
    },
    () => serviceActor('jobs.run', attempt),
  );
}

/** Begins an attempt; `undefined` if the job is no longer queued, or another member has to do it. */
export function beginJob({ store, clock, members }: AttemptDeps, id: string): Promise<StoredJob | undefined> {
  return store.transact(async (tx) => {
    const job = await tx.get('jobs', id);
    if (job?.status !== 'queued' || (await isOfOther(job, members))) return undefined;
    const attempt = job.attempts + 1;
    const message = `Begun, attempt ${attempt}${attempt > maxAttempts ? '' : ` of ${maxAttempts}`}.`;
    const begun = advance(job, 'in_progress', clock, { level: 'info', message }, { holder: members.id });
    tx.put('jobs', begun);
    return begun;
  });
}

async function recordTranscribed(services: AttemptDeps, job: StoredJob): Promise<void> {
  await inAttempt(services, job, async (tx, present) => {
    const now = isoNow(services.clock);
    const line = { at: now, level: 'info' as const, message: 'The audio has been transcribed.' };
    tx.put('jobs', { ...present, progress: jobProgress.heard, updated_at: now, log: [...present.log, line] });
  });
}

/** Stores record, version, exam, job and announcement in one transaction. */
async function complete(services: AttemptDeps, job: StoredJob, draft: Draft): Promise<void> {
  const { clock, ids, announcer } = services;
  const { createRecord: recordOf } = await dictations();
  const record = recordOf(job, draft, { id: ids('rec'), job_id: job.id, clock });
  await inAttempt(services, job, async (tx, present) => {
    await keepVersion(tx, record.space, draft.template);
    putRecord(tx, record, { who: job.who, change: 'generated', ...toStoredProvenance(draft.inspection) });
    await linkExam(tx, services, record);
    await removeUsed(tx, job.request.transcriptions ?? [], record);
    const line = { level: 'info' as const, message: 'The record has been stored.' };
    // The record owns the audio from now on.
    const completed = advance(present, 'completed', clock, line, { record_id: record.id, audio: null });
    tx.put('jobs', completed);
    await announceEnd(tx, announcer, completed);
  });
}

/**
 * The message for an error of the audio or its language, from `server/speech/sound`, which quotes neither. Other errors
 * get the message of their code, because an engine's message may quote the dictation.
 */
function describeAudioFault(error: unknown): string | undefined {
  if (!(error instanceof AppError)) return undefined;
  const fields = (error.details?.['errors'] ?? []) as readonly FieldError[];
  const isFault =
    error.code === 'UNSUPPORTED_MEDIA_TYPE' ||
    (error.code === 'VALIDATION_FAILED' && fields.some(({ field }) => field === 'audio' || field === 'language'));
  return isFault ? [error.message, error.hint].filter(Boolean).join(' ') : undefined;
}

async function retryOrFail(services: AttemptDeps, job: StoredJob, error: unknown): Promise<void> {
  const code = codeOf(error);
  if (!(error instanceof AppError)) {
    services.log({
      level: 'error',
      event: 'job_attempt_failed',
      job_id: job.id,
      name: error instanceof Error ? error.name : typeof error,
    });
  }
  if (!retryable.has(code) || !mayRetry(job, code, services)) {
    return fail(services, job, { code, message: describeAudioFault(error) ?? errors[code].title });
  }
  const { clock, random } = services;
  const delay = backoffDelay(job.attempts, { ...backoff, random });
  const line = { level: 'warn' as const, message: `${code}; queued again.` };
  const not_before = new Date(clock.now() + delay).toISOString();
  await inAttempt(services, job, async (tx, present) => {
    tx.put('jobs', advance(present, 'queued', clock, line, { not_before }));
  });
}

/** Fails the job. It keeps its audio: our failures never discard a dictation. */
async function fail(services: AttemptDeps, job: StoredJob, error: JobError): Promise<void> {
  const { clock, announcer } = services;
  const line = { level: 'error' as const, message: `Failed: ${error.code}.` };
  await inAttempt(services, job, async (tx, present) => {
    const failed = advance(present, 'failed', clock, line, { error });
    tx.put('jobs', failed);
    await announceEnd(tx, announcer, failed);
  });
}

/** Requeues an interrupted job, or fails it after its last attempt. */
export async function requeueInterrupted(
  services: AttemptDeps,
  id: string,
  code: keyof typeof interruptedTooOften = 'INTERRUPTED',
): Promise<void> {
  const { store, clock } = services;
  const job = await store.get('jobs', id);
  if (job?.status !== 'in_progress') return;
  if (!mayRetry(job, code, services)) return fail(services, job, interruptedTooOften[code]);
  const line = { level: 'warn' as const, message: 'Interrupted; queued again.' };
  await inAttempt(services, job, async (tx, present) => {
    tx.put('jobs', advance(present, 'queued', clock, line));
  });
}
