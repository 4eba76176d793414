/** Subscriptions of FHIR clients to events about reports: R5, and R4 and R4B by the Subscriptions R5 Backport guide. */
import { endpoint } from './endpoint.ts';
import { FhirBundle, fhirType, Resource, ResourceId } from './fhir-types.ts';
import { freeForm, integer, object, string } from './schema.ts';

/** The canonical address of the only topic. */
export const reportTopic = 'urn:laudio:topic:report';

export const FhirSubscription = Resource(
  'FhirSubscription',
  'Subscription',
  'A FHIR Subscription by topic. Its headers, which may hold secrets, are not shown.',
);
export const FhirTopic = Resource('FhirSubscriptionTopic', 'SubscriptionTopic', 'A FHIR R5 or R4B SubscriptionTopic.');
const access = { access: 'bearer', scope: 'medical_records:read', answer: [fhirType], extension: true } as const;
const byId = { params: object({ id: ResourceId }) } as const;
const takesSubscription = {
  body: freeForm({ description: 'The Subscription.' }),
  bodyTypes: ['application/fhir+json', 'application/json'],
  checksOwnInput: true,
} as const;
const number = (description: string) => integer({ minimum: 0, maximum: 1e12, description });

export const subscriptionEndpoints = {
  subscriptions: endpoint({
    ...access,
    method: 'GET',
    path: '/fhir/Subscription',
    summary: 'List Subscriptions',
    description: 'The Subscriptions of the client.',
    responses: { 200: string({ description: 'The Subscriptions.' }) },
    jsonAnswer: FhirBundle,
  }),
  subscribe: endpoint({
    ...access,
    ...takesSubscription,
    method: 'POST',
    path: '/fhir/Subscription',
    summary: 'Subscribe to reports',
    description: `For a client that logs in for itself. \`criteria\` is the topic \`${reportTopic}\`: a report was signed, signed as preliminary, changed after that, or is a draft again. The channel is a \`rest-hook\`, its endpoint an address as for webhooks; the content is \`empty\`, \`id-only\` or \`full-resource\`. A resource of R5 (\`topic\`, \`channelType\`) gets notifications of R5; one of R4 those of the Backport guide, as \`fhirVersion=4.3\` in the media type those of R4B. A handshake follows, and the status becomes \`active\`. Handshake and deliveries are repeated like those of webhooks; after the last the status is \`error\`.`,
    responses: { 201: string({ description: 'The Subscription.' }) },
    headers: { 201: ['Location'] },
    jsonAnswer: FhirSubscription,
    errors: ['INVALID_JSON'],
  }),
  subscription: endpoint({
    ...access,
    ...byId,
    method: 'GET',
    path: '/fhir/Subscription/{id}',
    summary: 'Read a Subscription',
    description: 'A Subscription of the client, with its status.',
    responses: { 200: string({ description: 'The Subscription.' }) },
    jsonAnswer: FhirSubscription,
    errors: ['NOT_FOUND'],
  }),
  resubscribe: endpoint({
    ...access,
    ...byId,
    ...takesSubscription,
    method: 'PUT',
    path: '/fhir/Subscription/{id}',
    summary: 'Change or reactivate a Subscription',
    description:
      'Replaces the Subscription; its headers stay where none are given. Unless `status` is `off`, a handshake follows. The numbers of events go on, and those that it missed are at `$events`.',
    responses: { 200: string({ description: 'The Subscription.' }) },
    jsonAnswer: FhirSubscription,
    errors: ['NOT_FOUND', 'INVALID_JSON'],
  }),
  unsubscribe: endpoint({
    ...access,
    ...byId,
    method: 'DELETE',
    path: '/fhir/Subscription/{id}',
    summary: 'End a Subscription',
    description: 'Nothing more is sent, not even what waits.',
    responses: { 200: string({ description: 'The Subscription as it was, `off`.' }) },
    jsonAnswer: FhirSubscription,
    errors: ['NOT_FOUND'],
  }),
  subscriptionStatus: endpoint({
    ...access,
    ...byId,
    method: 'GET',
    path: '/fhir/Subscription/{id}/$status',
    summary: 'Get the status of a Subscription',
    description: 'A searchset with the status, in the form of a notification of type `query-status`.',
    responses: { 200: string({ description: 'The status.' }) },
    jsonAnswer: FhirBundle,
    errors: ['NOT_FOUND'],
  }),
  subscriptionEvents: endpoint({
    ...access,
    ...byId,
    method: 'GET',
    path: '/fhir/Subscription/{id}/$events',
    summary: 'Get events of a Subscription again',
    description:
      'A notification of type `query-event` with the events of the last 30 days, by their numbers and with ids alone; at most 100, oldest first.',
    query: object(
      {},
      {
        eventsSinceNumber: number('The first event. Default: the oldest.'),
        eventsUntilNumber: number('The last event. Default: the newest.'),
      },
    ),
    responses: { 200: string({ description: 'The notification.' }) },
    jsonAnswer: FhirBundle,
    errors: ['NOT_FOUND'],
  }),
} as const;

export const topicEndpoints = {
  topics: endpoint({
    ...access,
    method: 'GET',
    path: '/fhir/SubscriptionTopic',
    summary: 'List topics',
    description: 'The topics of Subscriptions, in R5, or R4B with `Accept: application/fhir+json; fhirVersion=4.3`.',
    query: object({}, { url: string({ maxLength: 300, description: 'Canonical address of the topic.' }) }),
    responses: { 200: string({ description: 'The topics.' }) },
    jsonAnswer: FhirBundle,
  }),
  topic: endpoint({
    ...access,
    ...byId,
    method: 'GET',
    path: '/fhir/SubscriptionTopic/{id}',
    summary: 'Read a topic',
    description: 'A topic, by its id `report`.',
    responses: { 200: string({ description: 'The topic.' }) },
    jsonAnswer: FhirTopic,
    errors: ['NOT_FOUND'],
  }),
} as const;
