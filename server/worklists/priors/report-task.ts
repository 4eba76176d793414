/** Reads the reports of a file, here or in a thread. */
import type { Reading } from '../../../src/files/worklist/reading.ts';
import type { PriorFormat } from '../../../src/files/priors/prior-file.ts';
import { threadTask } from '../../runtime/workers/thread-task.ts';
import { orRefusal, streamWhole } from '../ingest/read-tasks.ts';
import type { Refusal } from '../ingest/read-tasks.ts';

interface Input {
  readonly raw: Uint8Array;
  readonly options: { readonly format: PriorFormat; readonly timeZone?: string };
}

export const readReportFile = threadTask(
  import.meta.url,
  'readReportFile',
  ({ raw, options }: Input): Promise<readonly Reading[] | Refusal> =>
    orRefusal(async () => {
      const { readPriors } = await import('../../../src/files/priors/prior-file.ts');
      const readings: Reading[] = [];
      for await (const reading of (await readPriors(streamWhole(raw), options)).readings) readings.push(reading);
      return readings;
    }),
);
