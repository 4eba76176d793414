/** Works through the queued jobs, oldest first, a few at a time. */
import type { JobRunner, Services } from '../services.ts';
import { dueAt, requeueInterrupted, runJob } from './run-job.ts';
import type { RunnerServices } from './run-job.ts';

export interface RunnerOptions {
  /** Jobs that run at the same time. */
  readonly concurrency?: number;
  /** Numbers from 0 to 1 (1 excluded), for the jitter of repetitions. */
  readonly random?: () => number;
}

/** When storage has failed, it is looked at again after so many milliseconds. */
const storagePause = 5000;

/** `idle` resolves once nothing runs and nothing is due; what waits for its time does not count. */
export function createJobRunner(
  foundation: Omit<Services, 'jobs'>,
  { concurrency = 2, random = Math.random }: RunnerOptions = {},
): JobRunner & { idle(): Promise<void> } {
  const services: RunnerServices = { ...foundation, random };
  const { store, clock, log } = services;
  const running = new Map<string, { controller: AbortController; end: Promise<void> }>();
  let stopped = false;
  /** Ids that were due when last looked, newest first. */
  let backlog: string[] = [];
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  /** Storage has failed; until it is tried again nothing is begun. */
  let halted = false;
  let callOff = () => {};

  const wakeAt = (at: number): void => {
    callOff();
    callOff = clock.schedule(at, wake);
  };

  function wake(): void {
    if (stopped || halted) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = look()
      .catch((error: unknown) => setback(error))
      .finally(() => {
        looking = undefined;
        if (lookAgain) {
          lookAgain = false;
          wake();
        }
      });
  }

  /** Storage failed: jobs that nobody works at any more are found when it is back. */
  function setback(error: unknown, jobId?: string): void {
    const code = (error as { code?: unknown } | null)?.code;
    log({ level: 'error', event: 'job_runner_setback', code, ...(jobId !== undefined && { job_id: jobId }) });
    if (stopped || halted) return;
    halted = true;
    clock.schedule(clock.now() + storagePause, () => {
      halted = false;
      if (!stopped) void recover('STORAGE_UNAVAILABLE').then(wake, (failure: unknown) => setback(failure));
    });
  }

  async function look(): Promise<void> {
    while (!stopped && !halted && running.size < concurrency) {
      const id = backlog.pop() ?? (await refill());
      if (id === undefined) return;
      if (!running.has(id)) launch(id);
    }
  }

  /** Reads the queue anew and gives the oldest job that is due. */
  async function refill(): Promise<string | undefined> {
    const waiting = await store.find('jobs', { is: { status: 'queued' } });
    const queued = waiting.filter(({ id }) => !running.has(id));
    const now = clock.now();
    backlog = queued.filter((job) => dueAt(job, now) <= now).map((job) => job.id);
    const later = queued.map((job) => dueAt(job, now)).filter((at) => at > now);
    if (later.length > 0) wakeAt(Math.min(...later));
    return backlog.pop();
  }

  function launch(id: string): void {
    const controller = new AbortController();
    const end = runJob(services, id, controller.signal)
      .catch((error: unknown) => setback(error, id))
      .finally(() => {
        running.delete(id);
        wake();
      });
    running.set(id, { controller, end });
  }

  async function recover(code?: 'STORAGE_UNAVAILABLE'): Promise<void> {
    for (const { id } of await store.find('jobs', { is: { status: 'in_progress' } })) {
      if (!running.has(id)) await requeueInterrupted(services, id, code);
    }
  }

  async function idle(): Promise<void> {
    while (looking || running.size > 0) await Promise.all([looking, ...[...running.values()].map(({ end }) => end)]);
  }

  return {
    wake,
    idle,
    cancelled: (id) => running.get(id)?.controller.abort(),
    async start() {
      stopped = false;
      await recover();
      wake();
    },
    async stop() {
      stopped = true;
      callOff();
      for (const { controller } of running.values()) controller.abort();
      await idle();
    },
  };
}
