/**
 * Runs queued jobs: a few per client at a time, oldest first; clients take turns (lines.ts). Each job is read from the
 * store once, when it is queued.
 */
import type { WaitingFor } from '../../../src/contract/job.ts';
import { createNewcomers } from '../../storage/newcomers.ts';
import type { Newcomers } from '../../storage/newcomers.ts';
import type { JobRunner } from './job-runner.ts';
import type { RecordDeps } from '../deps.ts';
import { createQueues } from './job-queues.ts';
import type { QueueLimits } from './job-queues.ts';
import { JobsInProgress } from './jobs-in-progress.ts';
import { requeueInterrupted } from './run-job.ts';
import type { AttemptDeps } from './run-job.ts';
import { PausedJobs } from './paused-jobs.ts';
import { isOfOther } from './stored-job.ts';
import type { StoredJob } from './stored-job.ts';

export type RunnerDeps = Omit<AttemptDeps, 'random'> & Pick<RecordDeps, 'faults'>;

export interface RunnerOptions extends QueueLimits {
  /** Returns 0 to 1 (exclusive), for the jitter of retries. */
  readonly random: () => number;
}

/** ms until storage is tried again after a failure. */
const storagePause = 5000;

/** `idle` resolves once no job is running or due; later ones don't count. */
export function createJobRunner(
  deps: RunnerDeps,
  { random, ...limits }: RunnerOptions,
): JobRunner & { idle(): Promise<void> } {
  const services: AttemptDeps = { ...deps, random };
  const { store, clock, faults, log, members } = deps;
  const queues = createQueues(services, limits, () => wake());
  const paused = new PausedJobs(faults);
  const begun = new JobsInProgress(services, queues, paused, { onEnd: () => pump(), onFailure: handleStorageFailure });
  /** Set while the runner is started. */
  let queued: Newcomers<'jobs'> | undefined;
  const reading = new Repeater(() => readQueued().catch((error: unknown) => handleStorageFailure(error)), wake);
  /** Storage failed; no job begins until it is tried again. */
  let halted = false;
  /** Time of the next try after a storage failure, in ms since 1970. */
  let resumesAt = 0;
  let callOff = () => {};
  services.recognition.onReplaced(() => queues.renew());
  /** Stops listening to jobs, faults and members. */
  let leave = () => {};

  function wake(): void {
    if (queued && !halted) reading.begin();
  }

  const recoverAll = (code?: 'STORAGE_UNAVAILABLE'): void =>
    void recover(code).then(wake, (failure: unknown) => handleStorageFailure(failure));

  /** After a storage failure, `recover` requeues interrupted jobs once storage works again. */
  function handleStorageFailure(error: unknown, jobId?: string): void {
    const code = (error as { code?: unknown } | null)?.code;
    log({ level: 'error', event: 'job_runner_setback', code, ...(jobId !== undefined && { job_id: jobId }) });
    if (!queued || halted) return;
    halted = true;
    resumesAt = clock.now() + storagePause;
    clock.schedule(resumesAt, () => {
      halted = false;
      if (queued) recoverAll('STORAGE_UNAVAILABLE');
    });
  }

  async function readQueued(): Promise<void> {
    const newcomers = queued;
    const jobs = await newcomers?.read();
    // After a second start, jobs that were read before are outdated.
    if (newcomers === queued) for (const job of jobs ?? []) if (!begun.isRunning(job.id)) queues.put(job);
    pump();
  }

  function pump(): void {
    if (!queued || halted) return;
    for (let begin = queues.take(); begin; begin = queues.take()) begun.launch(begin);
    callOff();
    callOff = queues.whenDue(wake);
  }

  /** Continues jobs whose fault was removed. */
  function release(): void {
    for (const job of paused.released()) queues.put(job, 0);
    pump();
  }

  /** Requeues the jobs that were interrupted, here or with a member that has gone. */
  async function recover(code?: 'STORAGE_UNAVAILABLE'): Promise<void> {
    queued?.forget();
    for (const job of await store.find('jobs', { is: { status: 'in_progress' } })) {
      const isHere = begun.isRunning(job.id) || paused.has(job.id);
      if (!isHere && !(await isOfOther(job, members))) await requeueInterrupted(services, job.id, code);
    }
  }

  async function idle(): Promise<void> {
    while (reading.present || begun.ends.length > 0) await Promise.all([reading.present, ...begun.ends]);
  }

  /** The reasons of the queues; while storage is down, the time of the next try. */
  function waitingFor(jobs: readonly StoredJob[]): Map<string, WaitingFor> {
    const found = queues.waitingFor(jobs);
    return halted ? untilNextTry(found, resumesAt) : found;
  }

  return {
    idle,
    waitingFor,
    unheardSince: queues.unheardSince,
    hasRoom: queues.hasRoom,
    requireRoom: queues.requireRoom,
    queue: queues.queue,
    waiting: queues.waiting,
    async start() {
      leave();
      const endCancelled = (ids: readonly string[]): void =>
        void begun.endCancelled(ids).catch((error: unknown) => handleStorageFailure(error));
      const ends = [store.watch('jobs', endCancelled), faults.onRemoved(release), members.onGone(() => recoverAll())];
      leave = () => ends.forEach((end) => end());
      queued?.stop();
      paused.clear();
      queues.clear();
      const failure = await recover().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      queued = createNewcomers(store, 'jobs', 'queued', wake);
      // A failed recovery must not keep queued jobs from being read.
      if (failure) handleStorageFailure(failure.error);
      else wake();
    },
    async stop() {
      leave();
      queued?.stop();
      queued = undefined;
      callOff();
      begun.abortAll();
      await idle();
      queues.stop();
      for (const id of paused.ids()) {
        await requeueInterrupted(services, id).catch((error: unknown) => handleStorageFailure(error, id));
      }
      paused.clear();
      queues.clear();
    },
  };
}

/** Runs work that must not overlap: if it is to begin while it runs, `again` is called at its end. */
class Repeater {
  readonly #work: () => Promise<void>;
  readonly #again: () => void;
  #isToRepeat = false;
  /** The work in progress. */
  present: Promise<void> | undefined;

  constructor(work: () => Promise<void>, again: () => void) {
    this.#work = work;
    this.#again = again;
  }

  begin(): void {
    if (this.present) {
      this.#isToRepeat = true;
      return;
    }
    this.present = this.#work().finally(() => {
      this.present = undefined;
      if (!this.#isToRepeat) return;
      this.#isToRepeat = false;
      this.#again();
    });
  }
}

/** Jobs that wait for their turn wait for the next try of storage instead. */
function untilNextTry(found: ReadonlyMap<string, WaitingFor>, at: number): Map<string, WaitingFor> {
  const next: WaitingFor = { reason: 'time', until: new Date(at).toISOString() };
  return new Map(Array.from(found, ([id, waiting]) => [id, waiting.reason === 'turn' ? next : waiting]));
}
