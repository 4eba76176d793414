/** The work on each model, its progress, and why the last one failed. Watchers are notified. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import { explain, isSystemError } from '../../../src/node/system-error.ts';
import type { PullStep } from './pull/pull.ts';

export interface ModelProgress {
  readonly step: PullStep | 'opening' | 'removing';
  /** Bytes that are done and their total, if known. */
  readonly done: number;
  readonly of: number | null;
}

/** ms between two notifications of progress. */
const progressMs = 250;

export type ProgressBoard = ReturnType<typeof createProgressBoard>;

export function createProgressBoard(clock: Clock) {
  const listeners = createListeners();
  const works = new Map<string, ModelProgress>();
  const problems = new Map<string, AppError>();
  /** Cancels the scheduled notification of progress. */
  let cancelNotify: (() => void) | undefined;

  const notify = (): void => {
    cancelNotify?.();
    cancelNotify = undefined;
    listeners.notify();
  };
  const show = (id: string, work: ModelProgress): void => {
    const isNew = works.get(id)?.step !== work.step;
    works.set(id, work);
    if (isNew) notify();
    else cancelNotify ??= clock.schedule(clock.now() + progressMs, notify);
  };

  return {
    notify,
    show,
    workOn: (id: string): ModelProgress | undefined => works.get(id),
    problemOf: (id: string): AppError | undefined => problems.get(id),
    fail: (id: string, problem: AppError): void => void problems.set(id, problem),
    /** Runs the work and shows its progress. Rejects with an AppError. */
    async run(id: string, step: ModelProgress['step'], work: () => Promise<void>): Promise<void> {
      problems.delete(id);
      show(id, { step, done: 0, of: null });
      try {
        await work();
      } catch (error) {
        throw toAppError(error);
      } finally {
        works.delete(id);
        notify();
      }
    },
    onChange: listeners.add,
    close: (): void => cancelNotify?.(),
  };
}

const toAppError = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : isSystemError(error)
      ? new AppError('STORAGE_UNAVAILABLE', { ...explain(error), cause: error })
      : new AppError('INTERNAL_ERROR', { cause: error });
