/** Reads received messages: orders, and performed procedure steps. */
import type { Workers } from '../../../runtime/workers/workers.ts';
import type { Reading } from '../../../../src/files/worklist/reading.ts';
import { readReportFile } from '../../../worklists/priors/report-task.ts';
import { accepted, createReaders, isSmall, readApart } from '../../../worklists/ingest/readers.ts';
import type { Readers } from '../../../worklists/ingest/readers.ts';
import { readStep } from '../kinds/dicom-mpps/step-task.ts';

export interface ChannelReaders extends Readers {
  /** Reads a performed procedure step, a data set in that transfer syntax; `undefined`: it is none. */
  step(data: Uint8Array, syntax: string, client: string): ReturnType<typeof readStep>;
  /** Reads a report, a DICOM file, always in a thread: it may hold a PDF. Rejects with the reader's errors. */
  report(raw: Uint8Array, timeZone: string | undefined, client: string): Promise<readonly Reading[]>;
}

export function createChannelReaders(workers: Workers): ChannelReaders {
  const apart = readApart(workers);
  return {
    ...createReaders(workers),
    step(data, syntax, client) {
      const input = { data, syntax };
      return isSmall(data) ? readStep(input) : apart(readStep, input, client);
    },
    async report(raw, timeZone, client) {
      const options = { format: 'dicom', ...(timeZone !== undefined && { timeZone }) } as const;
      return accepted(await apart(readReportFile, { raw, options }, client));
    },
  };
}
