/** The effects of faults on jobs and deliveries; those on calls are in http/call-faults.ts. */
import type { JobFault } from '../../http/call-faults.ts';

/** That of a strike which nobody can take back. */
export const neverAborted: AbortSignal = new AbortController().signal;

export interface StruckJob {
  /** Name of the fault. */
  readonly name: string;
  readonly becomes: JobFault;
}

/** The effect on a request to a webhook. */
export interface DeliveryFault {
  readonly effect: string;
  readonly signal: AbortSignal;
}
