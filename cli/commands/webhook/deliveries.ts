import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, optional } from '../../command.ts';
import { firstItems, limitOption } from '../../shell/paging.ts';
import { deliveryColumns, deliveryDetail } from '../../resources/delivery.ts';
import { listView } from '../../shell/view.ts';
import { clientOption, webhookClient } from '../../resources/webhook-client.ts';

export const command = defineCommand({
  description: 'Newest first. With an id, that delivery, including its body for test clients.',
  arguments: { id: optional('Id of a delivery (dlv_…)') },
  options: { ...clientOption, ...limitOption },
  async run(context, { id, client, limit }) {
    if (id !== undefined && limit !== undefined) throw new AppError('USAGE', { message: '--limit takes no id.' });
    const params = { client_id: await webhookClient(context, client) };
    const { webhooks } = await context.operator();
    if (id !== undefined) return deliveryDetail((await webhooks.delivery({ params: { ...params, id } })).data);
    const { items, note } = await firstItems(limit, (paging) => webhooks.deliveries({ params, query: paging }));
    return listView({
      data: items,
      rows: items,
      columns: deliveryColumns,
      empty: 'Nothing was sent yet.',
      ...(note && { note }),
    });
  },
});
