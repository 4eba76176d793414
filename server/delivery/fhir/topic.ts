/** The SubscriptionTopic of reports, which R4B and R5 have alike; R4 has only its canonical address. */
import { reportTopic } from '../../../src/contract/fhir-subscription.ts';

export const topicId = 'report';

export const topic = {
  resourceType: 'SubscriptionTopic',
  id: topicId,
  url: reportTopic,
  title: 'Reports',
  status: 'active',
  date: '2026-03-01',
  description: 'Reports that are preliminary or final. There are no filters.',
  resourceTrigger: [
    {
      description: 'A report was signed, signed as preliminary, changed after that, or is a draft again.',
      resource: 'DiagnosticReport',
      supportedInteraction: ['create', 'update', 'delete'],
    },
  ],
  notificationShape: [{ resource: 'DiagnosticReport' }],
} as const;
