import { defineCommand, required } from '../../command.ts';
import { deliveryDetail } from '../../resources/delivery.ts';
import { clientOption, webhookClient } from '../../resources/webhook-client.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the delivery (dlv_…)') },
  options: clientOption,
  async run(context, { id, client }) {
    const params = { client_id: await webhookClient(context, client), id };
    return deliveryDetail((await (await context.operator()).webhooks.resend({ params })).data);
  },
});
