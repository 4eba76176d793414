import { defineCommand, required } from '../../command.ts';
import { firstItems, limitOption } from '../../shell/paging.ts';
import { historyColumns } from '../../resources/worklist.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Who, when, from where and why; newest first.',
  arguments: { id: required('Id of the exam (wli_…)') },
  options: limitOption,
  async run({ client, clock, signal }, { id, limit }) {
    const { worklists } = await client();
    const { items, note } = await firstItems(limit, (paging) =>
      worklists.history({ params: { id }, query: paging }, { signal }),
    );
    return listView({
      data: items,
      rows: items,
      columns: historyColumns(clock.now()),
      empty: 'Its status and patient never changed.',
      ...(note && { note }),
    });
  },
});
