/** Parses a performed procedure step, here or in a thread. */
import { threadTask } from '../../../../runtime/workers/thread-task.ts';

export const readStep = threadTask(
  import.meta.url,
  'readStep',
  async ({ data, syntax }: { readonly data: Uint8Array; readonly syntax: string }) =>
    (await import('./step.ts')).readStep(data, syntax),
);
