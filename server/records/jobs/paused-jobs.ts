/** Started jobs that pause at the request of their test client: stuck ones until their fault is removed, slow ones for a time. */
import type { RecordDeps } from '../deps.ts';
import type { StoredJob } from './stored-job.ts';

/** Pause of a simulated slow job in ms. */
const slowMsOf = ({ simulate }: StoredJob): number | undefined =>
  simulate && 'slowMs' in simulate ? simulate.slowMs : undefined;

export class PausedJobs {
  readonly #faults: RecordDeps['faults'];
  readonly #jobs = new Map<string, StoredJob>();

  constructor(faults: RecordDeps['faults']) {
    this.#faults = faults;
  }

  has(id: string): boolean {
    return this.#jobs.has(id);
  }

  ids(): Iterable<string> {
    return this.#jobs.keys();
  }

  /** Removes the job, which continues. */
  take(id: string): StoredJob | undefined {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    return job;
  }

  /**
   * Adds the job if it has to pause; a slow job that is `resumed` has paused before. Returns for how many ms it pauses, `Infinity` for a
   * stuck job, or `undefined` if it doesn't pause.
   */
  pause(job: StoredJob, { resumed }: { readonly resumed: boolean }): number | undefined {
    const slowMs = resumed ? undefined : slowMsOf(job);
    const ms = this.#isStuck(job) ? Infinity : slowMs;
    if (ms !== undefined) this.#jobs.set(job.id, job);
    return ms;
  }

  /** The jobs whose fault was removed. */
  released(): readonly StoredJob[] {
    return [...this.#jobs.values()].filter((job) => job.simulate && 'stuck' in job.simulate && !this.#isStuck(job));
  }

  clear(): void {
    this.#jobs.clear();
  }

  #isStuck({ simulate }: StoredJob): boolean {
    return simulate !== undefined && 'stuck' in simulate && this.#faults.holdsJobs(simulate.stuck);
  }
}
