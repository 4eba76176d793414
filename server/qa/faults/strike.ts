/** Effects of faults on jobs and deliveries; those on calls are in http/call-faults.ts. */
import type { JobFault } from '../../http/call-faults.ts';

/** For strikes that cannot be ended early. */
export const neverAborted: AbortSignal = new AbortController().signal;

export interface JobStrike {
  /** Name of the fault. */
  readonly name: string;
  readonly becomes: JobFault;
}

/** The effect on a webhook request. */
export interface DeliveryFault {
  readonly effect: string;
  readonly signal: AbortSignal;
}
