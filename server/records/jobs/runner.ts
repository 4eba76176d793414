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
import type { JobTurn, QueueLimits } from './job-queues.ts';
import { beginJob, requeueInterrupted, runJob } from './run-job.ts';
import type { AttemptDeps } from './run-job.ts';
import type { StoredJob } from './stored-job.ts';

export type RunnerDeps = Omit<AttemptDeps, 'random'> & Pick<RecordDeps, 'faults'>;

export interface RunnerOptions extends QueueLimits {
  /** Returns 0 to 1 (exclusive), for the jitter of retries. */
  readonly random: () => number;
}

/** Pause of a simulated slow job in ms. */
const pauseOf = ({ simulate }: StoredJob): number | undefined =>
  simulate && 'slowMs' in simulate ? simulate.slowMs : undefined;

/** ms until storage is tried again after a failure. */
const storagePause = 5000;

/** `idle` resolves once no job is running or due; later ones don't count. */
export function createJobRunner(
  deps: RunnerDeps,
  { random, ...limits }: RunnerOptions,
): JobRunner & { idle(): Promise<void> } {
  const services: AttemptDeps = { ...deps, random };
  const { store, clock, faults, log } = deps;
  const queues = createQueues(services, limits, () => wake());
  const running = new Map<string, { controller: AbortController; end: Promise<void> }>();
  /** Started jobs that pause at the request of their test client. */
  const paused = new Map<string, StoredJob>();
  /** Set while the runner is started. */
  let queued: Newcomers<'jobs'> | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  /** Storage failed; no job begins until it is tried again. */
  let halted = false;
  /** Time of the next try after a storage failure, in ms since 1970. */
  let resumesAt = 0;
  let callOff = () => {};
  services.recognition.onReplaced(() => queues.renew());
  /** Ends the watch on jobs. */
  let unwatch = () => {};
  /** Ends the watch on faults. */
  let leaveFaults = () => {};

  function wake(): void {
    if (!queued || halted) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = readQueued()
      .catch((error: unknown) => handleStorageFailure(error))
      .finally(() => {
        looking = undefined;
        if (lookAgain) {
          lookAgain = false;
          wake();
        }
      });
  }

  /** After a storage failure, `recover` requeues interrupted jobs once storage works again. */
  function handleStorageFailure(error: unknown, jobId?: string): void {
    const code = (error as { code?: unknown } | null)?.code;
    log({ level: 'error', event: 'job_runner_setback', code, ...(jobId !== undefined && { job_id: jobId }) });
    if (!queued || halted) return;
    halted = true;
    resumesAt = clock.now() + storagePause;
    clock.schedule(resumesAt, () => {
      halted = false;
      if (queued) void recover('STORAGE_UNAVAILABLE').then(wake, (failure: unknown) => handleStorageFailure(failure));
    });
  }

  async function readQueued(): Promise<void> {
    const newcomers = queued;
    const jobs = await newcomers?.read();
    // After a second start, jobs that were read before are outdated.
    if (newcomers === queued) for (const job of jobs ?? []) if (!running.has(job.id)) queues.put(job);
    pump();
  }

  function pump(): void {
    if (!queued || halted) return;
    for (let begin = queues.take(); begin; begin = queues.take()) launch(begin);
    callOff();
    callOff = queues.whenDue(wake);
  }

  function launch(turn: JobTurn): void {
    const controller = new AbortController();
    const end = attempt(turn, controller.signal)
      .catch((error: unknown) => {
        turn.end();
        handleStorageFailure(error, turn.id);
      })
      .finally(() => {
        running.delete(turn.id);
        pump();
      });
    running.set(turn.id, { controller, end });
  }

  async function attempt(turn: JobTurn, signal: AbortSignal): Promise<void> {
    const { id } = turn;
    const resumed = paused.get(id);
    const job = resumed ?? (await beginJob(services, id));
    paused.delete(id);
    if (job && !signal.aborted && (isStuck(job) || (!resumed && pauseOf(job) !== undefined))) {
      paused.set(id, job);
      turn.end();
      // A stuck job continues when its fault is removed.
      return isStuck(job) ? undefined : queues.put(job, pauseOf(job)!);
    }
    if (job) await runJob(services, job, turn, signal);
    const after = await store.get('jobs', id);
    turn.end();
    if (after?.status === 'queued') queues.put(after);
  }

  const isStuck = ({ simulate }: StoredJob): boolean =>
    simulate !== undefined && 'stuck' in simulate && faults.holdsJobs(simulate.stuck);

  /** Continues jobs whose fault was removed. */
  function release(): void {
    for (const job of paused.values()) {
      if (job.simulate && 'stuck' in job.simulate && !isStuck(job)) queues.put(job, 0);
    }
    pump();
  }

  async function recover(code?: 'STORAGE_UNAVAILABLE'): Promise<void> {
    queued?.forget();
    for (const { id } of await store.find('jobs', { is: { status: 'in_progress' } })) {
      if (!running.has(id) && !paused.has(id)) await requeueInterrupted(services, id, code);
    }
  }

  async function idle(): Promise<void> {
    while (looking || running.size > 0) await Promise.all([looking, ...[...running.values()].map(({ end }) => end)]);
  }

  /** Stops jobs that were cancelled or removed. */
  async function endCancelled(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (!running.has(id) && !queues.has(id) && !paused.has(id)) continue;
      const job = await store.get('jobs', id);
      if (job && job.status !== 'cancelled') continue;
      running.get(id)?.controller.abort();
      paused.delete(id);
      queues.drop(id);
    }
  }

  /** The reasons of the queues; while storage is down, the time of the next try. */
  function waitingFor(jobs: readonly StoredJob[]): Map<string, WaitingFor> {
    const found = queues.waitingFor(jobs);
    if (!halted) return found;
    for (const [id, { reason }] of found) {
      if (reason === 'turn') found.set(id, { reason: 'time', until: new Date(resumesAt).toISOString() });
    }
    return found;
  }

  const { unheardSince, hasRoom, requireRoom, queue, waiting } = queues;
  return {
    idle,
    waitingFor,
    unheardSince,
    hasRoom,
    requireRoom,
    queue,
    waiting,
    async start() {
      unwatch();
      unwatch = store.watch(
        'jobs',
        (ids) => void endCancelled(ids).catch((error: unknown) => handleStorageFailure(error)),
      );
      queued?.stop();
      leaveFaults();
      leaveFaults = faults.onRemoved(release);
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
      unwatch();
      leaveFaults();
      queued?.stop();
      queued = undefined;
      callOff();
      for (const { controller } of running.values()) controller.abort();
      await idle();
      queues.stop();
      for (const id of paused.keys()) {
        await requeueInterrupted(services, id).catch((error: unknown) => handleStorageFailure(error, id));
      }
      paused.clear();
      queues.clear();
    },
  };
}
