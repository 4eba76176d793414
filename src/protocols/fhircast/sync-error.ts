/** `SyncError` (3.2.1): an application did not follow an event: which one, and why. */
import { listObjects } from './messages.ts';
import type { CastEvent, ContextPart, Notification } from './messages.ts';

const system = (name: string): string => `https://fhircast.hl7.org/events/syncerror/${name}`;

export interface Failure {
  /** Id and name of the event that was not followed. */
  readonly eventId: string;
  readonly eventName: string;
  /** Who did not follow. */
  readonly subscriber: string;
  /** For the person who looks at both screens. */
  readonly reason: string;
}

/** The context of a `SyncError`. */
export const buildFailure = ({ eventId, eventName, subscriber, reason }: Failure): ContextPart[] => [
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
];

/** `timestamp`: ISO 8601. */
export const syncError = (
  { topic, ...failure }: Failure & { readonly topic: string },
  { id, timestamp }: Pick<Notification, 'id' | 'timestamp'>,
): Notification => ({
  timestamp,
  id,
  event: { 'hub.topic': topic, 'hub.event': 'SyncError', context: buildFailure(failure) },
});

/** Who did not follow which event, and why; `undefined`: the event doesn't say. */
export function readSyncError({
  context,
}: Pick<CastEvent, 'context'>):
  | { readonly subscriber: string; readonly eventName: string; readonly reason: string }
  | undefined {
  const outcome = context.find(({ key }) => key === 'operationoutcome')?.resource;
  const [issue] = listObjects(outcome?.['issue']);
  if (!issue) return undefined;
  const codings = listObjects(issue['details']).flatMap(({ coding }) => listObjects(coding));
  const readCode = (name: RegExp): string =>
    readText(codings.find(({ system }) => name.test(readText(system)))?.['code']);
  return {
    // Some write `subscriber` for `subscribername`.
    subscriber: readCode(/\/subscriber(?:name)?$/),
    eventName: readCode(/\/eventname$/),
    reason: readText(issue['diagnostics']).slice(0, maxReason),
  };
}

const maxReason = 300;
const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
