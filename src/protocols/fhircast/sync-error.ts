/** `SyncError` (3.2.1): an application did not follow an event: which one, and why. */
import type { CastEvent, Notification } from './messages.ts';

const system = (name: string): string => `https://fhircast.hl7.org/events/syncerror/${name}`;

export interface Failure {
  readonly topic: string;
  /** Id and name of the event that was not followed. */
  readonly eventId: string;
  readonly eventName: string;
  /** Who did not follow. */
  readonly subscriber: string;
  /** For the person who looks at both screens. */
  readonly reason: string;
}

/** `timestamp`: ISO 8601. */
export const syncError = (
  { topic, eventId, eventName, subscriber, reason }: Failure,
  { id, timestamp }: Pick<Notification, 'id' | 'timestamp'>,
): Notification => ({
  timestamp,
  id,
  event: {
    'hub.topic': topic,
    'hub.event': 'SyncError',
    context: [
      {
        key: 'operationoutcome',
        resource: {
          resourceType: 'OperationOutcome',
          issue: [
            {
              severity: 'warning',
              code: 'processing',
              diagnostics: `${subscriber}: ${reason}`,
              details: {
                coding: [
                  { system: system('eventid'), code: eventId },
                  { system: system('eventname'), code: eventName },
                  { system: system('subscribername'), code: subscriber },
                ],
              },
            },
          ],
        },
      },
    ],
  },
});

/** Who did not follow, and why; `undefined`: the event doesn't say. */
export function readSyncError({
  context,
}: Pick<CastEvent, 'context'>): { readonly subscriber: string; readonly reason: string } | undefined {
  const outcome = context.find(({ key }) => key === 'operationoutcome')?.resource as Outcome | undefined;
  const [issue] = outcome?.issue ?? [];
  if (!issue) return undefined;
  // Some write `subscriber` for `subscribername`.
  const who = issue.details?.coding?.find((coding) => /\/subscriber(?:name)?$/.test(String(coding.system)))?.code;
  return { subscriber: String(who ?? ''), reason: String(issue.diagnostics ?? '').slice(0, maxReason) };
}

const maxReason = 300;
interface Outcome {
  readonly issue?: readonly {
    readonly diagnostics?: unknown;
    readonly details?: { readonly coding?: readonly { readonly system?: unknown; readonly code?: unknown }[] };
  }[];
}
