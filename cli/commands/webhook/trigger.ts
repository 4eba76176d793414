import { command } from '../../command.ts';
import { deliveryDetail } from '../../resources/delivery.ts';
import { clientOption, webhookClient } from '../../webhook-client.ts';

export const trigger = command({
  options: clientOption,
  async run(context, { client }) {
    const params = { client_id: await webhookClient(context, client) };
    return deliveryDetail((await (await context.operator()).webhooks.test({ params })).data);
  },
});
