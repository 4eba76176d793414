import { eventTypeNames } from '../../../src/contract/events.ts';
import type { EventType } from '../../../src/contract/events.ts';
import { defineCommand, optional } from '../../command.ts';
import { deliveryDetail } from '../../resources/delivery.ts';
import { clientOption, webhookClient } from '../../resources/webhook-client.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';

export const command = defineCommand({
  description:
    'The event is sent, signed and retried like any other. Its data contains test: true and made-up ids; only test clients can get events other than webhook.test.',
  arguments: { event: optional(`Any of ${eventTypeNames.join(', ')}; default: webhook.test`, eventTypeNames) },
  options: clientOption,
  examples: [['laudio webhook trigger medical_record.job.failed', 'test how a receiver handles a failed job']],
  async run(context, { event, client }) {
    const body = event === undefined ? {} : { type: parseEventType(event) };
    const params = { client_id: await webhookClient(context, client) };
    return deliveryDetail((await (await context.operator()).webhooks.test({ params, body })).data);
  },
});

function parseEventType(event: string): EventType {
  const type = eventTypeNames.find((name) => name === event);
  if (type) return type;
  throw unknownWord(`There is no such event. The events are ${eventTypeNames.join(', ')}.`, event, eventTypeNames);
}
