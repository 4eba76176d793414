import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, optional } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { deliveryColumns, deliveryDetail } from '../../resources/delivery.ts';
import { clientOption, webhookClient } from '../../resources/webhook-client.ts';

export const command = defineCommand({
  description: 'Newest first. With an id, that delivery, including its body for test clients.',
  arguments: { id: optional('Id of a delivery (dlv_…)') },
  options: { ...clientOption, ...pagingOptions },
  async run(context, { id, client, limit, all }) {
    if (id !== undefined && (all || limit !== undefined))
      throw new AppError('USAGE', { message: `${all ? '--all' : '--limit'} takes no id.` });
    const params = { client_id: await webhookClient(context, client) };
    const { webhooks } = await context.operator();
    if (id !== undefined) return deliveryDetail((await webhooks.delivery({ params: { ...params, id } })).data);
    return pagedList({ limit, all }, (paging) => webhooks.deliveries({ params, query: paging }), {
      columns: deliveryColumns,
      empty: 'Nothing was sent yet.',
    });
  },
});
