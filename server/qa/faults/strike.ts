/** What happens to one call under its faults, decided when the call arrives. */
import type { AppError } from '../../../src/contract/errors.ts';
import type { FaultEffects } from '../../../src/contract/fault-effects.ts';

/** That of a strike which nobody can take back. */
export const neverAborted = new AbortController().signal;

export interface Strike {
  /** The names of the faults; of a simulation, the header. */
  readonly names: string;
  /** The effects that happen. */
  readonly effects: FaultEffects;
  /** Refuses the call by a quota. */
  readonly overQuota: AppError | undefined;
  /** Aborted when one of the faults is removed: what waits then goes on. */
  readonly signal: AbortSignal;
}

/** What becomes of a job, as its document keeps it. */
export type JobFault = { fail: true; code?: string } | { slowMs: number } | { stuck: string };

export interface StruckJob {
  /** Name of the fault. */
  readonly name: string;
  readonly becomes: JobFault;
}

/** What becomes of a request to a webhook. */
export interface DeliveryFault {
  readonly effect: string;
  readonly signal: AbortSignal;
}
