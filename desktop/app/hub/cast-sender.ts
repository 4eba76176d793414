/** Sends the events of Laudio, and knows them again when the hub delivers them. */
import { isoNow } from '../../../src/domain/clock.ts';
import { removeOldest } from '../../../src/domain/oldest.ts';
import type { EventName } from '../../../src/protocols/fhircast/events.ts';
import type { CastEvent } from '../../../src/protocols/fhircast/messages.ts';
import { syncError } from '../../../src/protocols/fhircast/sync-error.ts';
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
  { clock, uuid, log }: Pick<ServiceDeps, 'clock' | 'uuid' | 'log'>,
  client: () => HubClient | undefined,
): CastSender {
  const sent = new Map<string, true>();
  const send: CastSender['send'] = async (name, parts) => {
    const id = uuid();
    sent.set(id, true);
    if (sent.size > maxRemembered) removeOldest(sent);
    // The report is opened again once the hub is joined again.
    await client()
      ?.send(id, name, parts)
      .catch(() => log({ level: 'warn', event: 'hub_not_told' }));
  };
  return {
    send,
    isOwn: (id) => sent.has(id),
    async report(eventId, eventName, reason) {
      const topic = client()?.topic;
      if (topic === undefined) return;
      const stamp = { id: uuid(), timestamp: isoNow(clock) };
      await send('SyncError', syncError({ topic, eventId, eventName, subscriber, reason }, stamp).event.context);
    },
  };
}
