/** Failures of a local speech model, worded for operators. */
import { AppError } from '../../../src/contract/errors.ts';
import { installHint } from '../../../src/node/optional-packages.ts';
import { describeMemory } from './memory.ts';
import type { MemoryLack } from './memory.ts';
import type { LoadFailure } from './model-messages.ts';

const crashReason = 'model_process_ended';

/** The process ended while it was working. */
export const crash = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'The process of the speech model crashed. The next call restarts it.',
    details: { reason: crashReason },
    retryAfter: 1,
  });

/** Whether the process crashed at its work, which may be at fault. */
export const isCrash = (error: unknown): boolean =>
  error instanceof AppError && error.details?.['reason'] === crashReason;

export const endedWhileLoading = (lacking: MemoryLack): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: `The process that loads the speech model ${lacking.id} ended.`,
    hint: `Check that its files are those of this model, and that the computer has memory for it: ${describeMemory(lacking)}.`,
    retryAfter: 60,
  });

/** Why the model cannot be loaded, and what to do. */
export function createLoadError(id: string, refusal: Exclude<LoadFailure, { reason: 'memory' }>): AppError {
  const sentences: Record<Exclude<LoadFailure['reason'], 'memory'>, { message: string; hint: string }> = {
    damaged: {
      message: `The speech model ${id} is damaged${'file' in refusal ? `: ${refusal.file} does not match its manifest` : ''}.`,
      hint: 'Install the model again.',
    },
    missing: {
      message: `The speech model ${id} lacks a file${'file' in refusal ? `: ${refusal.file}` : ''}.`,
      hint: 'Install the model again.',
    },
    addon: {
      message: 'The library of the local recogniser does not load on this computer.',
      hint: installHint('models'),
    },
    load: {
      message: `The speech model ${id} cannot be loaded.`,
      hint: 'Check that its files are those of this model, and install the model again.',
    },
  };
  return new AppError('ENGINE_UNAVAILABLE', { ...sentences[refusal.reason], retryAfter: 3600 });
}
