import { AppError } from '../../../src/contract/errors.ts';
import { eventTypeNames } from '../../../src/contract/events.ts';
import type { EventType } from '../../../src/contract/events.ts';
import { defineCommand, optional } from '../../command.ts';
import { deliveryDetail } from '../../resources/delivery.ts';
import { clientOption, webhookClient } from '../../resources/webhook-client.ts';

export const command = defineCommand({
  description:
    'The event is really sent, signed and tried again like any other. Its data says test: true, and its ids name nothing; only test clients get other events than webhook.test.',
  arguments: { event: optional(`Any of ${eventTypeNames.join(', ')}; default: webhook.test`) },
  options: clientOption,
  examples: [['laudio webhook trigger medical_record.job.failed', 'see what a receiver makes of a failed job']],
  async run(context, { event, client }) {
    const body = event === undefined ? {} : { type: parseEventType(event) };
    const params = { client_id: await webhookClient(context, client) };
    return deliveryDetail((await (await context.operator()).webhooks.test({ params, body })).data);
  },
});

function parseEventType(event: string): EventType {
  const type = eventTypeNames.find((name) => name === event);
  if (type) return type;
  throw new AppError('USAGE', { message: `There is no such event. The events are ${eventTypeNames.join(', ')}.` });
}
