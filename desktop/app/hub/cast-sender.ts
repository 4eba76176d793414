/** Sends the events of Laudio, one after the other, and knows them again when the hub delivers them. */
import { createOrder } from '../../../src/domain/in-order.ts';
import { createRecentSet } from '../../../src/domain/oldest.ts';
import type { EventName } from '../../../src/protocols/fhircast/events.ts';
import type { CastEvent } from '../../../src/protocols/fhircast/messages.ts';
import { buildFailure } from '../../../src/protocols/fhircast/sync-error.ts';
import type { ServiceDeps } from '../service.ts';
import type { HubClient } from './hub-client.ts';

const maxRemembered = 500;
/** As other applications show it. */
export const subscriber = 'Laudio';

export interface CastSender {
  send(name: EventName, parts: CastEvent['context']): void;
  /** Opens a report. If that fails the hub is joined again, and then gets the report that is shown. */
  open(parts: CastEvent['context']): void;
  /** Reports that Laudio did not follow. `reason`: for the person who looks at both screens. */
  report(eventId: string, eventName: EventName, reason: string): void;
  isOwn(id: string): boolean;
  /** Resolves once everything was sent. */
  idle(): Promise<void>;
}

export function createCastSender(
  { uuid, log }: Pick<ServiceDeps, 'uuid' | 'log'>,
  client: () => HubClient | undefined,
): CastSender {
  const sent = createRecentSet<string>(maxRemembered);
  const inOrder = createOrder();
  const send = (name: EventName, parts: CastEvent['context'], onFailure?: (at: HubClient) => void): void => {
    const at = client();
    if (!at) return;
    const id = uuid();
    sent.add(id);
    inOrder(() => at.send(id, name, parts)).catch(() => {
      log({ level: 'warn', event: 'hub_not_told' });
      onFailure?.(at);
    });
  };
  return {
    send,
    open: (parts) => send('DiagnosticReport-open', parts, ({ rejoin }) => rejoin()),
    isOwn: sent.has,
    report: (eventId, eventName, reason) => send('SyncError', buildFailure({ eventId, eventName, subscriber, reason })),
    idle: inOrder.idle,
  };
}
