/** The events that webhooks announce (specification, section 6). An event holds ids and states, and no patient data. */
import { freeForm, meanings, named, object, oneOf, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';

export const eventTypes = {
  'worklist.document.completed':
    'the document of a worklist item was signed; or a signed one says more: an addendum, or who was told of a critical result',
  'worklist.document.preliminary': 'a resident signed the document of a worklist item; an attending co-signs it',
  'worklist.document.withdrawn': 'the preliminary document of a worklist item is a draft again',
  'medical_record.job.completed': 'an asynchronous generation finished',
  'medical_record.job.failed': 'an asynchronous generation failed',
  'medical_record.job.cancelled': 'an asynchronous generation was cancelled',
  'webhook.test': 'the operator asked for an event, to try the webhook',
} as const;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

export const WebhookEventType = oneOf(eventTypeNames, { description: meanings('What happened.', eventTypes) });

/** Body of a webhook request (Standard Webhooks 1.0). */
export const WebhookEvent = named(
  'WebhookEvent',
  object({
    type: WebhookEventType,
    timestamp: timestamp('When the event happened.'),
    data: freeForm({
      description:
        'What the event is about: those of `job_id`, `record_id`, `worklist_item_id`, `accession_number`, `status`, `error_code` (of a failed job: the `error.code` of the job), and of the document `version`, `signed` (finally), `addendum` (the version says more than the signed one) and `correction` (what it said is gone, or otherwise, or the document takes the place of another signed one of the exam) that apply. `test: true` where the operator asked for the event, whose ids then name nothing.',
    }),
  }),
  'The JSON body that the service sends to a webhook.',
);
export type WebhookEvent = TypeOf<typeof WebhookEvent>;
