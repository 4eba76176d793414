/** Reads what channels receive: messages of orders, and performed procedure steps. */
import type { Workers } from '../../../runtime/workers/workers.ts';
import { createReaders, isSmall, readApart } from '../../../worklists/ingest/readers.ts';
import type { Readers } from '../../../worklists/ingest/readers.ts';
import { readStep } from '../kinds/dicom-mpps/step-task.ts';

export interface ChannelReaders extends Readers {
  /** A performed procedure step, as a data set of that transfer syntax; `undefined` for what is none. */
  step(data: Uint8Array, syntax: string, client: string): ReturnType<typeof readStep>;
}

export function createChannelReaders(workers: Workers): ChannelReaders {
  const apart = readApart(workers);
  return {
    ...createReaders(workers),
    step(data, syntax, client) {
      const input = { data, syntax };
      return isSmall(data) ? readStep(input) : apart(readStep, input, client);
    },
  };
}
