/** Applies the rules to long texts in a thread. */
import { threadTask } from '../../runtime/workers/thread-task.ts';
import type { ComposeInput, CorrectInput } from '../writer-data.ts';

export const composeDocument = threadTask(import.meta.url, 'composeDocument', async (input: ComposeInput) =>
  (await import('./rules.ts')).compose(input),
);

export const correctDocument = threadTask(import.meta.url, 'correctDocument', async (input: CorrectInput) =>
  (await import('./rules.ts')).correct(input),
);
