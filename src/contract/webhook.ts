/** The webhook of a partner application: one endpoint a client (extension; managed by the operator of the server). */
import { endpoint, group } from './endpoint.ts';
import { array, boolean, integer, literal, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { eventTypeNames } from './events.ts';
import { Id, page, paging } from './shared.ts';

const clientId = string({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.-]+$' });
const byClient = { params: object({ client_id: clientId }) };
const url = string({
  format: 'uri',
  maxLength: 2048,
  description: 'https, or http on loopback; other private addresses need the operator’s allow-list.',
  examples: ['https://ris.example.com/laudio-events'],
});
const events = array(oneOf(eventTypeNames), { minItems: 1, description: 'Which to send; default: all.' });

export const Webhook = named(
  'Webhook',
  object(
    {
      client_id: clientId,
      url,
      events,
      enabled: boolean({ description: 'Off after a 410.' }),
      created_at: timestamp('When it was registered.'),
      updated_at: timestamp('When it last changed.'),
    },
    { secret: string({ description: '`whsec_…`; shown only by the call that made it.' }) },
  ),
);
export type Webhook = TypeOf<typeof Webhook>;

export const Delivery = named(
  'Delivery',
  object({
    id: Id,
    client_id: clientId,
    type: oneOf(eventTypeNames),
    status: oneOf(['pending', 'delivered', 'failed']),
    created_at: timestamp('When the event happened.'),
    next_attempt_at: nullable(timestamp('When it is tried again.')),
    attempts: array(
      object({
        at: timestamp('When it was sent.'),
        http_status: nullable(integer()),
        error: nullable(string({ description: 'Why there was no answer.' })),
        duration_ms: integer(),
      }),
    ),
  }),
);
export type Delivery = TypeOf<typeof Delivery>;

export const webhooks = group({
  title: 'Webhooks',
  description: 'Where a partner application is told of finished documents and jobs.',
  endpoints: {
    get: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clients/{client_id}/webhook',
      summary: 'Get the webhook of a client',
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
        'The secret is shown once: when the webhook is registered, or rotated by `rotate_secret`. After a rotation both secrets sign for a day.',
      access: 'admin',
      ...byClient,
      body: named('WebhookUpdate', object({ url }, { events, enabled: boolean(), rotate_secret: boolean() })),
      answer: 'envelope',
      responses: { 200: Webhook, 201: Webhook },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/admin/clients/{client_id}/webhook',
      summary: 'Remove the webhook of a client',
      access: 'admin',
      ...byClient,
      answer: 'envelope',
      responses: { 200: named('WebhookDeleted', object({ client_id: clientId, deleted: literal(true) })) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    test: endpoint({
      method: 'POST',
      path: '/api/v1/admin/clients/{client_id}/webhook/test',
      summary: 'Send a webhook.test event',
      access: 'admin',
      ...byClient,
      answer: 'envelope',
      responses: { 202: Delivery },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    deliveries: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clients/{client_id}/webhook/deliveries',
      summary: 'List what was sent',
      access: 'admin',
      ...byClient,
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('DeliveryPage', Delivery) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    resend: endpoint({
      method: 'POST',
      path: '/api/v1/admin/clients/{client_id}/webhook/deliveries/{id}/resend',
      summary: 'Send one again',
      access: 'admin',
      params: object({ client_id: clientId, id: Id }),
      answer: 'envelope',
      responses: { 202: Delivery },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});
