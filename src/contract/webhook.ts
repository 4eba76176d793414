/** The webhook of a partner application: one endpoint a client (extension; managed by the operator of the server). */
import { endpoint, group } from './endpoint.ts';
import {
  array,
  boolean,
  identifier,
  integer,
  literal,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { eventTypeNames, eventTypes, WebhookEvent, WebhookEventType } from './events.ts';
import { ClientId, DeliveryId, page, paging } from './shared.ts';

const byClient = { params: object({ client_id: ClientId }) };
const url = string({
  format: 'uri',
  maxLength: 2048,
  description:
    'Where the service POSTs events: an https address, or http on loopback. Other private addresses need the operator’s allow-list.',
  examples: ['https://ris.example.com/laudio-events'],
});
const events = (description: string) => array(WebhookEventType, { minItems: 1, description });

export const Webhook = named(
  'Webhook',
  object(
    {
      client_id: ClientId,
      url,
      events: events('The events that the service sends.'),
      enabled: boolean({
        description: 'Whether the service sends events. An answer 410 of the receiver turns the webhook off.',
      }),
      created_at: timestamp('When the webhook was registered.'),
      updated_at: timestamp('When the webhook last changed.'),
    },
    {
      secret: string({
        description:
          'The signing secret, `whsec_…` (Standard Webhooks). Only the call that created the secret returns it.',
      }),
    },
  ),
  'Where a partner application receives events.',
);
export type Webhook = TypeOf<typeof Webhook>;

export const Delivery = named(
  'Delivery',
  object(
    {
      id: DeliveryId,
      client_id: ClientId,
      type: WebhookEventType,
      status: oneOf(['pending', 'delivered', 'failed'], {
        description: meanings('State of the delivery.', {
          pending: 'the service will try it, or try it again',
          delivered: 'the receiver answered with 2xx',
          failed: 'the service gave up',
        }),
      }),
      created_at: timestamp('When the event happened.'),
      next_attempt_at: nullable(timestamp('When the service tries the delivery again. `null`: it will not.')),
      attempts: array(
        object({
          at: timestamp('When the service sent the event.'),
          http_status: nullable(
            integer({ description: 'HTTP status of the answer. `null`: there was no answer.', examples: [204] }),
          ),
          error: nullable(string({ description: 'Why there was no answer. `null`: there was one.' })),
          duration_ms: integer({ description: 'Time in milliseconds that the attempt took.', examples: [85] }),
        }),
        { description: 'The attempts so far, oldest first.' },
      ),
    },
    {
      event: WebhookEvent,
      subscription_id: string({
        maxLength: 64,
        description: 'Id of the FHIR Subscription that it notifies. Absent: it goes to the webhook.',
      }),
    },
  ),
  'One event on its way to a webhook. Of a test client `event` is the body that is sent; other deliveries do not show it.',
);
export type Delivery = TypeOf<typeof Delivery>;

export const webhooks = group({
  title: 'Webhooks',
  description:
    'A webhook notifies a partner application of completed documents and finished jobs. Only the operator of the server may make these calls.',
  endpoints: {
    get: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clients/{client_id}/webhook',
      summary: 'Get the webhook of a client',
      description: 'The webhook without its secret. 404 where the client has none.',
      access: 'admin',
      ...byClient,
      answer: 'envelope',
      responses: { 200: Webhook },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    put: endpoint({
      method: 'PUT',
      path: '/api/v1/admin/clients/{client_id}/webhook',
      summary: 'Register or change the webhook of a client',
      description:
        'The answer holds the secret only if the call created or brought one: 201 for a new webhook, 200 with `rotate_secret` or `secret`. After a rotation both secrets sign for a day, so that the receiver can change over.',
      access: 'admin',
      ...byClient,
      body: named(
        'WebhookUpdate',
        object(
          { url },
          {
            events: events('The events that the service sends. Default: those so far, and all for a new webhook.'),
            enabled: boolean({
              description:
                'Whether the service sends events. Default: as before, and `true` for a new webhook. Turn a webhook on again with it after a 410.',
            }),
            rotate_secret: boolean({ description: '`true` creates a new secret. Default: `false`.' }),
            secret: identifier({
              maxLength: 128,
              description:
                'A secret of your own, for a receiver that has it already: `whsec_` and 24 to 64 random bytes in base64. Default: the service makes one.',
            }),
          },
        ),
        'The webhook as it shall be.',
      ),
      answer: 'envelope',
      responses: { 200: Webhook, 201: Webhook },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/admin/clients/{client_id}/webhook',
      summary: 'Remove the webhook of a client',
      description: 'The service sends no more events, and gives up those under way.',
      access: 'admin',
      ...byClient,
      answer: 'envelope',
      responses: {
        200: named(
          'WebhookDeleted',
          object({ client_id: ClientId, deleted: literal(true, { description: 'The webhook no longer exists.' }) }),
          'Confirms that a webhook was removed.',
        ),
      },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    test: endpoint({
      method: 'POST',
      path: '/api/v1/admin/clients/{client_id}/webhook/test',
      summary: 'Send an event to try the webhook',
      description:
        'Sends `webhook.test`, an event that is about nothing, or to a test client an event of the given type with test data. The webhook gets the event whichever events it was registered for. Read the outcome in the list of deliveries.',
      access: 'admin',
      ...byClient,
      body: named(
        'WebhookTestRequest',
        object(
          {},
          {
            type: oneOf(eventTypeNames, {
              description: meanings(
                'The event to send; default: `webhook.test`. The data of any other event says `test: true`, and its ids name nothing; only test clients get such an event.',
                eventTypes,
              ),
            }),
          },
        ),
        'Which event to send.',
      ),
      bodyIsOptional: true,
      answer: 'envelope',
      responses: { 202: Delivery },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    deliveries: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clients/{client_id}/webhook/deliveries',
      summary: 'List deliveries',
      description: 'The events for this webhook with their attempts, newest first.',
      access: 'admin',
      ...byClient,
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('DeliveryPage', Delivery, 'deliveries') },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    delivery: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clients/{client_id}/webhook/deliveries/{id}',
      summary: 'Get a delivery',
      description: 'One event for this webhook with its attempts. For a test client also what was sent.',
      access: 'admin',
      params: object({ client_id: ClientId, id: DeliveryId }),
      answer: 'envelope',
      responses: { 200: Delivery },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    resend: endpoint({
      method: 'POST',
      path: '/api/v1/admin/clients/{client_id}/webhook/deliveries/{id}/resend',
      summary: 'Repeat a delivery',
      description: 'Sends the event again under the same `webhook-id`, whatever became of it before.',
      access: 'admin',
      params: object({ client_id: ClientId, id: DeliveryId }),
      answer: 'envelope',
      responses: { 202: Delivery },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});
