/** Sends the events of Laudio, and knows them again when the hub delivers them. */
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
  send(name: EventName, parts: CastEvent['context']): Promise<void>;
  /** Reports that Laudio did not follow. `reason`: for the person who looks at both screens. */
  report(eventId: string, eventName: EventName, reason: string): Promise<void>;
  isOwn(id: string): boolean;
}

export function createCastSender(
  { uuid, log }: Pick<ServiceDeps, 'uuid' | 'log'>,
  client: () => HubClient | undefined,
): CastSender {
  const sent = createRecentSet<string>(maxRemembered);
  const send: CastSender['send'] = async (name, parts) => {
    const id = uuid();
    sent.add(id);
    // The report is opened again once the hub is joined again.
    await client()
      ?.send(id, name, parts)
      .catch(() => log({ level: 'warn', event: 'hub_not_told' }));
  };
  return {
    send,
    isOwn: (id) => sent.has(id),
    report: (eventId, eventName, reason) => send('SyncError', buildFailure({ eventId, eventName, subscriber, reason })),
  };
}
