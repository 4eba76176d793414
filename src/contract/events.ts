/** What webhooks announce (specification, section 6). Payloads are thin: ids and states, no patient data. */
import { freeForm, named, object, oneOf, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';

export const eventTypes = {
  'worklist.document.completed': 'The document of a worklist item was signed.',
  'medical_record.job.completed': 'An asynchronous generation finished.',
  'medical_record.job.failed': 'An asynchronous generation failed.',
  'medical_record.job.cancelled': 'An asynchronous generation was cancelled.',
  'webhook.test': 'Sent on request, to try an endpoint.',
} as const;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** Body of a webhook request (Standard Webhooks 1.0). */
export const WebhookEvent = named(
  'WebhookEvent',
  object({
    type: oneOf(eventTypeNames),
    timestamp: timestamp('When it happened.'),
    data: freeForm({
      description: '`job_id`, `record_id`, `worklist_item_id`, `accession_number`, `status`: those that apply.',
    }),
  }),
);
export type WebhookEvent = TypeOf<typeof WebhookEvent>;
