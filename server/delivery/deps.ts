/** The dependencies of channels, webhooks and exports. A function names the parts that it uses; app.ts composes them. */
import type { Clock } from '../../src/domain/clock.ts';
import type { Templates } from '../records/templates/templates.ts';
import type { Log } from '../runtime/log.ts';
import type { Workers } from '../runtime/workers/workers.ts';
import type { Ids } from '../storage/ids.ts';
import type { Members } from '../storage/members.ts';
import type { Store } from '../storage/store.ts';
import type { EventType } from '../../src/contract/events.ts';

export interface DeliveryDeps {
  readonly store: Store;
  readonly members: Members;
  readonly templates: Templates;
  /** The name of each institution, and the lines below it. */
  readonly letterheads: readonly (readonly string[])[];
  readonly workers: Workers;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Simulated faults of webhook requests. */
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
