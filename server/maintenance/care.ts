/** What the operator's calls work with. */
import { AppError } from '../../src/contract/errors.ts';
import type { Services } from '../services.ts';
import type { HeldBlobs } from './held-blobs.ts';
import { createLineReader } from './document-lines.ts';
import type { LineReader, LineReaderOptions } from './document-lines.ts';
import { schemaAfter } from '../store/migrations.ts';
import { withheldFields } from './withheld.ts';

export interface Care extends Omit<Services, 'blobs'> {
  readonly blobs: HeldBlobs;
  /** The program's. */
  readonly version: string;
  /** Of the documents that it writes. */
  readonly schema: number;
  /** Whole documents, and those from which an export left something out. */
  readonly readLines: LineReader;
  readonly readExport: LineReader;
  /** To be called when everything may have changed: whatever remembers documents forgets them. */
  readonly renew: () => Promise<void>;
}

export interface CareOptions
  extends Pick<LineReaderOptions, 'compile' | 'migrations'>, Pick<Care, 'version' | 'renew'> {}

export function createCare(
  services: Omit<Services, 'blobs'> & Pick<Care, 'blobs'>,
  { version, renew, ...reading }: CareOptions,
): Care {
  return {
    ...services,
    version,
    renew,
    schema: schemaAfter(reading.migrations),
    readLines: createLineReader(reading),
    readExport: createLineReader({ ...reading, withheld: withheldFields }),
  };
}

/** Runs one work at a time; 503 SERVER_BUSY for a second one. */
export type Exclusively = <T>(work: () => Promise<T>) => Promise<T>;

export function createExclusively(): Exclusively {
  let busy = false;
  return async (work) => {
    if (busy) {
      throw new AppError('SERVER_BUSY', { message: 'Another restore, seed or reset is under way.', retryAfter: 1 });
    }
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  };
}
