import { defineCommand, required } from '../../command.ts';
import { firstItems, limitOption } from '../../shell/paging.ts';
import { versionColumns } from '../../resources/record.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the record (rec_…)') },
  options: limitOption,
  async run({ client, signal }, { id, limit }) {
    const { records } = await client();
    const { items, note } = await firstItems(limit, (paging) =>
      records.versions({ params: { id }, query: paging }, { signal }),
    );
    return listView({
      data: items,
      rows: items,
      columns: versionColumns,
      empty: 'It has no versions.',
      ...(note && { note }),
    });
  },
});
