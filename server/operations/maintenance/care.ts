/** The services of the operator's maintenance calls: backup, restore, export, seed and reset. */
import { AppError } from '../../../src/contract/errors.ts';
import type { OperationDeps } from '../deps.ts';
import type { JobRunner } from '../../records/jobs/job-runner.ts';
import type { Members } from '../../storage/members.ts';
import type { Snapshots } from '../../storage/snapshots.ts';
import type { HeldBlobs } from './held-blobs.ts';
import { createLineReader } from './document-lines.ts';
import type { LineReader, LineReaderOptions } from './document-lines.ts';
import { schemaAfter } from '../../storage/migrations.ts';
import { withheldFields } from './withheld.ts';

export interface Care extends Omit<OperationDeps, 'blobs'> {
  readonly jobs: Pick<JobRunner, 'start' | 'stop'>;
  readonly blobs: HeldBlobs;
  readonly members: Members;
  readonly snapshots: Snapshots;
  /** Whether stored data is encrypted. */
  readonly isEncrypted: boolean;
  /** Data directory on this computer. */
  readonly directory: string | undefined;
  /** The version of the program. */
  readonly version: string;
  /** The schema of the documents that this program writes; see migrations. */
  readonly schema: number;
  /** Reads whole documents. */
  readonly readLines: LineReader;
  /** Reads documents that may lack the fields that an export leaves out. */
  readonly readExport: LineReader;
  /** Clears all caches of documents. Call it if every document may have changed. */
  readonly renew: () => Promise<void>;
}

export interface CareOptions
  extends Pick<LineReaderOptions, 'compile' | 'migrations'>, Pick<Care, 'directory' | 'version' | 'renew'> {}

export function createCare(
  parts: Omit<Care, 'directory' | 'version' | 'renew' | 'schema' | 'readLines' | 'readExport'>,
  { directory, version, renew, ...reading }: CareOptions,
): Care {
  return {
    ...parts,
    directory,
    version,
    renew,
    schema: schemaAfter(reading.migrations),
    readLines: createLineReader(reading),
    readExport: createLineReader({ ...reading, withheld: withheldFields }),
  };
}

/** Runs one task at a time, in all members. 503 SERVER_BUSY for a second one. */
export type Exclusively = <T>(work: () => Promise<T>) => Promise<T>;

const busy = (): AppError =>
  new AppError('SERVER_BUSY', { message: 'Another restore, seed or reset is running.', retryAfter: 1 });

export function createExclusively(members: Members): Exclusively {
  let isBusy = false;
  return async (work) => {
    if (isBusy) throw busy();
    isBusy = true;
    const claim = members.claim('care', { begin() {}, end() {} });
    try {
      await claim.answered;
      if (!claim.isHeld) throw busy();
      return await work();
    } finally {
      isBusy = false;
      await claim.release();
    }
  };
}
