/** Events that an operator sends to test a webhook. */
import { validationFailed } from '../../../src/contract/errors.ts';
import type { EventType, WebhookEvent } from '../../../src/contract/events.ts';
import { isTestClient } from '../../../src/contract/oauth.ts';
import { exampleId } from '../../../src/contract/shared.ts';

const document = {
  record_id: exampleId('rec'),
  worklist_item_id: exampleId('wli'),
  accession_number: 'TEST-0001',
};
const job = { job_id: exampleId('job'), worklist_item_id: null, accession_number: null };
const draft = { version: 1, signed: false, addendum: false, correction: false };
const signed = { ...draft, version: 2, signed: true };

/** Content of each test event, with the fields of a real one. The ids do not exist. */
const testData: Readonly<Record<EventType, WebhookEvent['data']>> = {
  'worklist.document.completed': { test: true, ...document, status: 'completed', ...signed },
  'worklist.document.preliminary': { test: true, ...document, status: 'preliminary', ...draft, version: 2 },
  'worklist.document.withdrawn': { test: true, ...document, status: 'withdrawn', ...draft, version: 3 },
  'medical_record.job.completed': { test: true, ...job, record_id: exampleId('rec'), status: 'completed', ...draft },
  'medical_record.job.failed': {
    test: true,
    ...job,
    record_id: null,
    status: 'failed',
    error_code: 'ENGINE_UNAVAILABLE',
  },
  'medical_record.job.cancelled': { test: true, ...job, record_id: null, status: 'cancelled' },
  'webhook.test': {},
};

/**
 * Makes the event. AppError VALIDATION_FAILED if a client that is no test client requests another event than `webhook.test`: its
 * receiver would mistake the fictitious exam or job for a real one.
 */
export function createTestEvent(clientId: string, type: EventType = 'webhook.test', timestamp: string): WebhookEvent {
  if (type === 'webhook.test' || isTestClient(clientId)) return { type, timestamp, data: testData[type] };
  throw validationFailed([
    { field: 'type', message: 'Only a test client gets this event with test data.', code: 'INVALID_VALUE' },
  ]);
}
