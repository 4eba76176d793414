/** The jobs that have begun: those that are running, and those that pause. */
import type { createQueues, JobTurn } from './job-queues.ts';
import type { PausedJobs } from './paused-jobs.ts';
import { beginJob, runJob } from './run-job.ts';
import type { AttemptDeps } from './run-job.ts';
import { isOfOther } from './stored-job.ts';

interface Outcome {
  /** A job has ended or pauses, so that others may begin. */
  onEnd(): void;
  /** Storage failed. */
  onFailure(error: unknown, jobId: string): void;
}

export class JobsInProgress {
  readonly #deps: AttemptDeps;
  readonly #queues: ReturnType<typeof createQueues>;
  readonly #paused: PausedJobs;
  readonly #outcome: Outcome;
  readonly #running = new Map<string, { readonly controller: AbortController; readonly end: Promise<void> }>();

  constructor(deps: AttemptDeps, queues: ReturnType<typeof createQueues>, paused: PausedJobs, outcome: Outcome) {
    this.#deps = deps;
    this.#queues = queues;
    this.#paused = paused;
    this.#outcome = outcome;
  }

  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** The ends of the running jobs. */
  get ends(): readonly Promise<void>[] {
    return Array.from(this.#running.values(), ({ end }) => end);
  }

  launch(turn: JobTurn): void {
    const controller = new AbortController();
    const end = this.#attempt(turn, controller.signal)
      .catch((error: unknown) => {
        turn.end();
        this.#outcome.onFailure(error, turn.id);
      })
      .finally(() => {
        this.#running.delete(turn.id);
        this.#outcome.onEnd();
      });
    this.#running.set(turn.id, { controller, end });
  }

  async #attempt(turn: JobTurn, signal: AbortSignal): Promise<void> {
    const { id } = turn;
    const resumed = this.#paused.take(id);
    const job = resumed ?? (await beginJob(this.#deps, id));
    const pause = job && !signal.aborted ? this.#paused.pause(job, { resumed: resumed !== undefined }) : undefined;
    if (job && pause !== undefined) {
      turn.end();
      // A stuck job continues when its fault is removed.
      return pause === Infinity ? undefined : this.#queues.put(job, pause);
    }
    if (job) await runJob(this.#deps, job, turn, signal);
    const after = await this.#deps.store.get('jobs', id);
    turn.end();
    if (after?.status === 'queued' && !(await isOfOther(after, this.#deps.members))) this.#queues.put(after);
  }

  /** Stops jobs that were cancelled or removed. */
  async endCancelled(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (!this.#running.has(id) && !this.#queues.has(id) && !this.#paused.has(id)) continue;
      const job = await this.#deps.store.get('jobs', id);
      if (job && job.status !== 'cancelled') continue;
      this.#running.get(id)?.controller.abort();
      this.#paused.take(id);
      this.#queues.drop(id);
    }
  }

  abortAll(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }
}
