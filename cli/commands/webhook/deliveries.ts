import { command } from '../../command.ts';
import { firstItems, limitOption } from '../../paging.ts';
import { deliveryColumns } from '../../resources/delivery.ts';
import { listView } from '../../view.ts';
import { clientOption, webhookClient } from '../../webhook-client.ts';

export const deliveries = command({
  description: 'Newest first.',
  options: { ...clientOption, ...limitOption },
  async run(context, { client, limit }) {
    const params = { client_id: await webhookClient(context, client) };
    const { webhooks } = await context.operator();
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
