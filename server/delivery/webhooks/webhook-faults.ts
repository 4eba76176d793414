/** The port by which requests to webhooks meet faults: tests of clients make them go wrong. */
import type { EventType } from '../../../src/contract/events.ts';

export interface WebhookFaults {
  /** The fault of a request that is about to be sent; `undefined`: it is sent. */
  delivery(request: {
    readonly client_id: string;
    readonly event: EventType;
    readonly url: string;
  }): WebhookFault | undefined;
}

export interface WebhookFault {
  /** A status, `timeout`, or else a receiver that refuses connections. */
  readonly effect: string;
  /** Aborted when the fault is removed: what waits then goes on. */
  readonly signal: AbortSignal;
}
