/** The port for simulated faults of webhook requests. */
import type { EventType } from '../../../src/contract/events.ts';

export interface WebhookFaults {
  /** Fault of a request that is about to be sent; `undefined`: it is sent. */
  delivery(request: {
    readonly client_id: string;
    readonly event: EventType;
    readonly url: string;
  }): WebhookFault | undefined;
}

export interface WebhookFault {
  /** A status, `timeout`, or anything else for a receiver that refuses connections. */
  readonly effect: string;
  /** Aborted when the fault is removed, which ends the simulated silence. */
  readonly signal: AbortSignal;
}
